// Parses one file into a tree, or reports why the text cannot be read; no text makes the parser throw.
import { MAX_DEPTH, tooManyEntries, type Budget, MAX_SCALAR_LENGTH, Exhausted, type Report } from '../report.ts';
import { buildTree, type ParseInput } from './build-tree.ts';
import { maskSecrets, describe } from './show.ts';
import { isNull, openingOf, type MapNode, type Span, type TextFile, rangeOf } from './source-tree.ts';
import {
  composeYaml,
  type YamlNode,
  syntaxOf,
  type YamlToken,
  type YamlDocument,
  type YamlProblem,
} from './yaml-package.ts';
import { inert } from '../../base/text/inert.ts';

export interface Parsed {
  /** Null if the text is unusable; `report` then has the problem. */
  readonly root: MapNode | null;
  /** Credentials to mask wherever the file is shown. */
  readonly secrets: readonly Span[];
}

export function parseText(input: ParseInput): Parsed {
  const secrets: Span[] = [];
  try {
    return { secrets, root: parse(input, secrets) };
  } catch (error) {
    const { text, report } = input;
    if (error instanceof RangeError) report.add('too_deep', 'nested too deeply to be read', { text, start: 0, end: 0 });
    else if (!(error instanceof Exhausted)) throw error;
    return { secrets, root: null };
  }
}

function parse(input: ParseInput, secrets: Span[]): MapNode | null {
  const { text, report, budget } = input;
  const shielded = shieldReferences(text.text);
  const contents = compose(shielded, input);
  if (contents === null) return null;
  const restore = shielded === text.text ? (part: string) => part : restoreReferences;
  const { node, size } = buildTree(contents, { ...input, restore, secrets });
  budget.nodes -= size;
  if (node.kind === 'map') return node;
  if (isNull(node)) reportEmpty(text, report);
  else
    report.add('not_a_mapping', `expected a mapping at the top level, found ${describe(node)}`, openingOf(node), {
      hint: 'A file begins with `version: 1`.',
    });
  return null;
}

/** A separate function, so that its tokens are freed on return: tokens take most of the memory of a file. */
function compose(shielded: string, { text, report, budget }: ParseInput): YamlNode | null {
  const tokens = measuredSyntax(shielded, budget.entries);
  if ('code' in tokens) {
    report.add(tokens.code, EXCESS[tokens.code](budget), { text, start: tokens.at, end: tokens.at + 1 });
    return null;
  }
  const before = report.diagnostics.length;
  reportStream(tokens, text, report);
  if (report.diagnostics.length > before) return null;
  const document = composeYaml(tokens)[0];
  if (!document?.contents) {
    reportEmpty(text, report);
    return null;
  }
  reportDocument(document, text, report);
  return report.diagnostics.length > before ? null : document.contents;
}

const EXCESS: Readonly<Record<Excess['code'], (budget: Budget) => string>> = {
  too_deep: () => `nested deeper than ${MAX_DEPTH} levels`,
  too_many_entries: tooManyEntries,
  too_long: () => 'a text that is too long to be read begins here',
  too_complex: () => 'up to here, the text has more punctuation marks, quotes and comments than trueup accepts',
};

function reportEmpty(text: TextFile, report: Report): void {
  report.add(
    'empty_file',
    'the file holds no configuration',
    { text, start: 0, end: 0 },
    {
      hint: 'An empty file never means "delete everything". Write `version: 1` and the resources to manage, or run `trueup init`.',
    },
  );
}

const OPENING = '\ue000';
const CLOSING = '\ue001';

/** Hides the braces of `${var:…}` from the parser, so that flow mappings can hold references; all positions stay the same. */
function shieldReferences(text: string): string {
  if (!text.includes('${var:') || text.includes(OPENING) || text.includes(CLOSING)) return text;
  return text.replace(/\$\{(var:[^{}\r\n]*)\}/g, `$$${OPENING}$1${CLOSING}`);
}

function restoreReferences(text: string): string {
  return text.includes(OPENING) ? text.replaceAll(OPENING, '{').replaceAll(CLOSING, '}') : text;
}

type ExcessCode = 'too_deep' | 'too_many_entries' | 'too_long' | 'too_complex';

export interface Excess {
  readonly code: ExcessCode;
  readonly at: number;
}

/** The most characters that a scalar of several lines takes in the file, with its indentation and line breaks. */
const MAX_WRITTEN_LENGTH: number = MAX_SCALAR_LENGTH * 64;
/** A piece is a lexeme, such as a comma or a comment; each takes memory. A text may have this many, plus `PIECES_OF_AN_ENTRY` per entry. */
const SPARE_PIECES = 200_000;
/** The parser builds a text character by character, so this many characters cost as much as one piece. */
const CHARACTERS_OF_A_PIECE = 4;
const PIECES_OF_AN_ENTRY = 20;

/** The character that the lexer emits before a scalar. */
const SCALAR = '\u001f';
const FILLER = /^[ \t\n\r#]/;

export function measuredSyntax(text: string, maxEntries: number): readonly YamlToken[] | Excess {
  const count: Record<string, number> = { ':': 0, ',': 0, '-': 0 };
  let pieces = 0;
  let isScalar = false;
  return syntaxOf(text, (lexeme, depth): ExcessCode | null => {
    const wasScalar = isScalar;
    isScalar = !wasScalar && lexeme === SCALAR;
    if (isScalar) return null;
    const isText = wasScalar || !FILLER.test(lexeme);
    pieces += 1 + (isText ? lexeme.length / CHARACTERS_OF_A_PIECE : 0);
    const most = lexeme.includes('\n') ? MAX_WRITTEN_LENGTH : MAX_SCALAR_LENGTH + 2;
    if (isText && lexeme.length > most) return 'too_long';
    if (depth > MAX_DEPTH) return 'too_deep';
    const known = wasScalar || lexeme.length > 1 ? undefined : count[lexeme];
    if (known !== undefined) count[lexeme] = known + 1;
    const entries = (count['-'] ?? 0) + Math.max(count[':'] ?? 0, count[','] ?? 0);
    if (entries > maxEntries) return 'too_many_entries';
    return pieces > SPARE_PIECES + PIECES_OF_AN_ENTRY * entries ? 'too_complex' : null;
  });
}

function reportStream(tokens: readonly YamlToken[], text: TextFile, report: Report): void {
  const documents = tokens.filter(({ type }) => type === 'document');
  for (const token of tokens)
    if (token.type === 'directive') reportDirective(token.source.trim(), token.offset, text, report);
  const [, second] = documents;
  if (second !== undefined && 'offset' in second)
    report.add(
      'several_documents',
      'a file holds one document; a second one starts here',
      spanAt(text, second.offset, second.offset + 3),
      { hint: 'Put each document in its own file, and give each with -f.' },
    );
}

function reportDirective(source: string, offset: number, text: TextFile, report: Report): void {
  if (/^%YAML\s+1\.2(\s|$)/.test(source)) return;
  const span = spanAt(text, offset, offset + source.length);
  const hint = 'Remove the directive.';
  if (/^%YAML\b/.test(source))
    report.add('yaml_version', `${inert(source, 60)} is not accepted: files are read as YAML 1.2`, span, { hint });
  else report.add('yaml_directive', 'directives are not accepted', span, { hint });
}

const WORDS: Readonly<Record<string, { readonly message?: string; readonly hint: string }>> = {
  TAB_AS_INDENT: { message: 'a tab is used for indentation', hint: 'Indent with spaces.' },
  BAD_SCALAR_START: { hint: 'Put the value in quotes.' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a mapping cannot begin in the middle of a line',
    hint: 'Put the value in quotes, or the inner mapping on its own lines.',
  },
  MULTILINE_IMPLICIT_KEY: { hint: 'A colon may be missing, or a quote is not closed.' },
  NON_STRING_KEY: { message: 'a key is plain text', hint: 'Put the key in quotes if the key is meant as text.' },
};

/** Reports only the first problem of a line, because others mostly follow from it. */
function reportDocument({ errors, warnings }: YamlDocument, text: TextFile, report: Report): void {
  const lines = new Set<number>();
  for (const problem of [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    if (report.isFull) break;
    const start = Math.min(problem.pos[0], text.text.length);
    const span = spanAt(text, start, Math.max(start, problem.pos[1]));
    const { line } = rangeOf(span).start;
    if (lines.has(line)) continue;
    lines.add(line);
    if (problem.code === 'TAG_RESOLVE_FAILED') reportTag(span, report);
    else reportError(problem, span, restoreReferences(problem.message), report);
  }
}

function reportTag(span: Span, report: Report): void {
  const tag = span.text.text.slice(span.start, span.end);
  report.add('custom_tag', `the tag ${maskSecrets(inert(tag, 60))} is not accepted`, span, {
    hint: 'Remove the tag: values are plain YAML.',
  });
}

function reportError({ code }: YamlProblem, span: Span, message: string, report: Report): void {
  const { text, start } = span;
  const words = WORDS[code];
  const lineStart = Math.max(text.text.lastIndexOf('\n', start - 1) + 1, start - 1000);
  const isTemplated = text.text.slice(lineStart, start + 2).includes('{{');
  report.add(
    code === 'TAB_AS_INDENT' ? 'tab_indent' : 'yaml_syntax',
    words?.message ?? maskSecrets(inert(message, 200)),
    span,
    { hint: isTemplated ? 'Templates are not replaced in this file; use ${var:NAME}.' : words?.hint },
  );
}

function spanAt(text: TextFile, start: number, end: number): Span {
  return { text, start, end: Math.min(text.text.length, end) };
}
