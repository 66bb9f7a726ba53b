// Wraps the `yaml` package with the settings that trueup needs. No other file imports the package.
import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  Schema,
  type CST,
  type Document,
  type ParsedNode,
  type Scalar,
  type ScalarTag,
  type YAMLError,
} from 'yaml';
import type { ScalarValue } from './source-tree.ts';

export { isAlias, isMap, isScalar, isSeq };
export type YamlNode = ParsedNode;
export type YamlScalar = Scalar.Parsed;
export type YamlToken = CST.Token;
export type YamlProblem = Pick<YAMLError, 'code' | 'message' | 'pos'>;
export type YamlDocument = Pick<Document.Parsed, 'contents' | 'errors' | 'warnings'>;

/** Returns a text's tokens. `refusal` gets each lexeme and the number of open collections; parsing ends once it returns a code. */
export function syntaxOf<Code>(
  text: string,
  refusal: (lexeme: string, depth: number) => Code | null,
): readonly YamlToken[] | { readonly code: Code; readonly at: number } {
  const parser = new Parser();
  const tokens: YamlToken[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    const at = parser.offset;
    for (const token of parser.next(lexeme)) tokens.push(token);
    const code = refusal(lexeme, parser.stack.length - 1);
    if (code !== null) return { code, at };
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

/** Composes YAML 1.2 with exact integers and text keys. The package's check for duplicate keys is off: it takes quadratic time. */
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

const CORE_TAGS = new Schema({ schema: 'core' }).tags.filter((tag): tag is ScalarTag => tag.collection === undefined);

export function coreScalar(text: string): ScalarValue {
  const tag = CORE_TAGS.find(({ test }) => test?.test(text));
  const value = tag === undefined ? text : tag.resolve(text, () => undefined, { intAsBigInt: true });
  return (isScalar(value) ? value.value : value) as ScalarValue;
}
