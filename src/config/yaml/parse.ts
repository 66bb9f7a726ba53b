// One file's text → its tree, or the reasons why it cannot be read. Nothing is thrown, however hostile the text.
import { inert } from '../../base/text/inert.ts';
import { MAX_DEPTH, newBudget, tooManyEntries, type Budget } from '../limits.ts';
import type { Report } from '../report.ts';
import { buildTree } from './build-tree.ts';
import { measuredSyntax, type Excess } from './measure.ts';
import { looksSecret, maskSecrets } from './secret-text.ts';
import { describe } from './show.ts';
import { rangeOf, type MapNode, type Span, type TextFile, type TreeNode } from './source-tree.ts';
import { checkSyntax, type SyntaxFacts } from './syntax.ts';
import type { Variables } from './variables.ts';
import { composeYaml, type YamlDocument, type YamlNode, type YamlProblem } from './yaml-package.ts';

export interface ParseInput {
  readonly text: TextFile;
  /** Null leaves references as they are written. */
  readonly variables: Variables | null;
  readonly report: Report;
  /** What the files of the run may still hold; what this one holds is taken from it. */
  readonly budget?: Budget;
}

export interface Parsed {
  /** Null when the text cannot be used; then the report says why. */
  readonly root: MapNode | null;
  /** Places of credentials, to be masked in what is shown. */
  readonly secrets: readonly Span[];
  /** Scalars that were already reported. */
  readonly broken: ReadonlySet<TreeNode>;
}

const failed: Parsed = { root: null, secrets: [], broken: new Set() };

export function parseText(input: ParseInput): Parsed {
  try {
    return parse(input);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const { text, report } = input;
    report.add('too_deep', 'nested too deeply to be read', { text, start: 0, end: 0 });
    return failed;
  }
}

function parse({ text, variables, report, budget = newBudget() }: ParseInput): Parsed {
  const shielded = shieldReferences(text.text);
  const contents = compose(shielded, { text, report, budget });
  if (contents === null) return failed;
  const secrets: Span[] = [];
  const broken = new Set<TreeNode>();
  const built = buildTree(contents, {
    text,
    report,
    variables,
    restore: shielded === text.text ? (part) => part : restoreReferences,
    suspicious: looksSecret(text.text),
    secrets,
    broken,
    budget,
  });
  const root = built?.node ?? null;
  budget.nodes -= built?.size ?? 0;
  if (root === null || root.kind === 'map') return { root, secrets, broken };
  if (root.kind === 'scalar' && root.value === null) return reportEmpty(text, report);
  report.add(
    'not_a_mapping',
    `expected a mapping at the top level, found ${describe(root)}`,
    { ...root, end: root.start + 1 },
    {
      hint: 'A file begins with `version: 1`.',
    },
  );
  return { root: null, secrets, broken };
}

interface ComposeInput extends Pick<ParseInput, 'text' | 'report'> {
  readonly budget: Budget;
}

/** The nodes of a text, or null when it cannot be used. Its tokens take most of all that a wide file takes: nothing holds them from here on. */
function compose(shielded: string, { text, report, budget }: ComposeInput): YamlNode | null {
  const tokens = measuredSyntax(shielded, budget.entries);
  if ('code' in tokens) {
    report.add(tokens.code, EXCESS[tokens.code](budget), { text, start: tokens.at, end: tokens.at + 1 });
    return null;
  }
  const facts = checkSyntax(tokens, text, { report, budget });
  if (facts === null) return null;
  budget.entries -= facts.entries;
  const document = composeYaml(tokens)[0];
  if (!document?.contents) {
    reportEmpty(text, report);
    return null;
  }
  return reportSyntaxErrors(document, text, facts, report) ? null : document.contents;
}

const EXCESS: Readonly<Record<Excess['code'], (budget: Budget) => string>> = {
  too_deep: () => `nested deeper than ${MAX_DEPTH} levels`,
  too_many_entries: tooManyEntries,
  too_long: () => 'a text that is too long to be read begins here',
  too_complex: () => 'the text has too many marks, quotes or comments for its entries, up to here',
};

function reportEmpty(text: TextFile, report: Report): Parsed {
  report.add(
    'empty_file',
    'the file holds no configuration',
    { text, start: 0, end: 0 },
    {
      hint: 'An empty file never means "delete everything". Write `version: 1` and the resources to manage, or run `trueup init`.',
    },
  );
  return failed;
}

const OPENING = '\ue000';
const CLOSING = '\ue001';

/** Hides the braces of `${var:…}` from the parser, so that references can stand in flow mappings; the length stays the same. */
function shieldReferences(text: string): string {
  if (!text.includes('${var:') || text.includes(OPENING) || text.includes(CLOSING)) return text;
  return text.replace(/\$\{(var:[^{}\r\n]*)\}/g, `$$${OPENING}$1${CLOSING}`);
}

function restoreReferences(text: string): string {
  return text.includes(OPENING) ? text.replaceAll(OPENING, '{').replaceAll(CLOSING, '}') : text;
}

/** Our words for the parser's more frequent complaints, and what to do. */
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

/** One problem a line: what follows on the same line is mostly a consequence. */
function reportSyntaxErrors(document: YamlDocument, text: TextFile, facts: SyntaxFacts, report: Report): boolean {
  const lines = new Set<number>();
  for (const error of [...document.errors].sort((a, b) => a.pos[0] - b.pos[0])) {
    if (report.isFull) break;
    const { line } = rangeOf({ text, start: error.pos[0], end: error.pos[0] }).start;
    if (lines.has(line)) continue;
    lines.add(line);
    reportSyntaxError(error, text, facts, report);
  }
  return document.errors.length > 0;
}

function reportSyntaxError(error: YamlProblem, text: TextFile, facts: SyntaxFacts, report: Report): void {
  const start = Math.min(error.pos[0], text.text.length);
  const span = { text, start, end: Math.min(Math.max(start, error.pos[1]), text.text.length) };
  const opening = /end with a|Missing closing|Expected .* to end/.test(error.message)
    ? facts.open.find((place) => place.start <= start)
    : undefined;
  const words = WORDS[error.code];
  const lineStart = Math.max(text.text.lastIndexOf('\n', start - 1) + 1, start - 1000);
  const templated = /\{\{/.test(text.text.slice(lineStart, start + 2));
  report.add(
    error.code === 'TAB_AS_INDENT' ? 'tab_indent' : 'yaml_syntax',
    words?.message ?? maskSecrets(inert(restoreReferences(error.message), 200)),
    span,
    {
      hint: templated ? 'Templates are not replaced in this file; use ${var:NAME}.' : words?.hint,
      related: opening === undefined ? [] : [{ message: 'opened here', span: opening }],
    },
  );
}
