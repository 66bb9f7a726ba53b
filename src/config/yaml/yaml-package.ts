// The one door to the yaml package: its parser, with the settings under which files are read.
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type CST,
  type Document,
  type ParsedNode,
  type YAMLError,
} from 'yaml';

export { isAlias, isMap, isScalar, isSeq };
export type YamlNode = ParsedNode;
export type YamlToken = CST.Token;
export type YamlProblem = Pick<YAMLError, 'code' | 'message' | 'pos'>;
export type YamlDocument = Pick<Document.Parsed, 'contents' | 'errors' | 'warnings'>;

/** The concrete syntax of a text. */
export function syntaxOf(text: string): readonly YamlToken[] {
  return [...new Parser().parse(text)];
}

/** The pieces of a text one after the other, the lexer's remarks among them. */
export function lexemes(text: string): Iterable<string> {
  return new Lexer().lex(text);
}

/** Nodes of YAML 1.2 (core schema): exact integers, string keys only, no check for duplicate keys (ours is linear). */
export function composeYaml(tokens: readonly YamlToken[]): readonly YamlDocument[] {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return [...composer.compose(tokens as YamlToken[])];
}
