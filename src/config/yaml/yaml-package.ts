// The only import of the yaml package: its parser, with the settings for files.
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

/** Shows each lexeme, including the marks of the lexer, before the parser takes it; null if one is refused. */
export function syntaxOf(text: string, isRefused: (lexeme: string) => boolean): readonly YamlToken[] | null {
  const parser = new Parser();
  const tokens: YamlToken[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    if (isRefused(lexeme)) return null;
    for (const token of parser.next(lexeme)) tokens.push(token);
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** YAML 1.2, core schema: exact integers and text keys. The check of the package for duplicate keys takes quadratic time. */
export function composeYaml(tokens: readonly YamlToken[]): readonly YamlDocument[] {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    intAsBigInt: true,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
    resolveKnownTags: false,
  });
  return [...composer.compose(tokens as YamlToken[])];
}
