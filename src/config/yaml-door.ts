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

/** A quick upper estimate of how many map entries and list items a text holds, at constant memory; stops counting beyond `limit`. */
export function estimateEntries(text: string, limit: number): number {
  let count = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === ':' || token === '-' || token === ',') count++;
    if (count > limit) break;
  }
  return count;
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
