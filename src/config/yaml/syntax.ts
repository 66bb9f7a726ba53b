// The concrete syntax of a file, checked before anything is built of it: bounds, directives, documents, and what was left open.
import { inert } from '../../base/text/inert.ts';
import { MAX_DEPTH, tooManyEntries, type Budget } from '../limits.ts';
import type { Report } from '../report.ts';
import { maskSecrets } from './secret-text.ts';
import type { Span, TextFile } from './source-tree.ts';
import type { YamlToken } from './yaml-package.ts';

type Collection = Extract<YamlToken, { type: 'block-map' | 'block-seq' | 'flow-collection' }>;
interface Property {
  readonly type: string;
  readonly source: string;
  readonly offset: number;
}
interface Item {
  readonly start: readonly Property[];
  readonly key?: YamlToken | null;
  readonly sep?: readonly Property[];
  readonly value?: YamlToken;
}

/** What the walk over the tokens found; `open` are the starts of brackets and quotes that are never closed, the last one first. */
export interface SyntaxFacts {
  readonly entries: number;
  readonly open: readonly Span[];
}

const CORE_TAGS = new Set(['!', ...['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `!!${name}`)]);

/** Checks the tokens of one file. Null when it must not be read further; then the report says why. */
export function checkSyntax(
  tokens: readonly YamlToken[],
  text: TextFile,
  { report, budget }: { readonly report: Report; readonly budget: Budget },
): SyntaxFacts | null {
  const before = report.diagnostics.length;
  checkStream(tokens, text, report);
  const open: Span[] = [];
  let entries = 0;
  const stack: { token: Collection; depth: number }[] = [];
  const visit = (token: YamlToken | null | undefined, depth: number): void => {
    if (!token) return;
    if (!isClosed(token)) open.push(spanAt(text, token.offset, 1));
    if (isCollection(token)) stack.push({ token, depth });
  };
  for (const token of tokens) {
    if (token.type !== 'document') continue;
    checkTags(token.start, text, report);
    visit(token.value, 1);
  }
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    const span = spanAt(text, token.offset, 1);
    if (depth > MAX_DEPTH) return refuse('too_deep', `nested deeper than ${MAX_DEPTH} levels`, span, report);
    for (const item of token.items as readonly Item[]) {
      if (item.key !== undefined || item.sep !== undefined || item.value !== undefined) entries++;
      if (entries > budget.entries) return refuse('too_many_entries', tooManyEntries(budget), span, report);
      checkTags(item.start, text, report);
      if (item.sep !== undefined) checkTags(item.sep, text, report);
      visit(item.key, depth + 1);
      visit(item.value, depth + 1);
    }
  }
  return report.diagnostics.length > before ? null : { entries, open: open.sort((a, b) => b.start - a.start) };
}

function refuse(code: string, message: string, span: Span, report: Report): null {
  report.add(code, message, span);
  return null;
}

function isCollection(token: YamlToken): token is Collection {
  return token.type === 'block-map' || token.type === 'block-seq' || token.type === 'flow-collection';
}

function isClosed(token: YamlToken): boolean {
  if (token.type === 'flow-collection')
    return token.end.some((end) => end.type === 'flow-map-end' || end.type === 'flow-seq-end');
  if (token.type === 'double-quoted-scalar') return token.source.length > 1 && token.source.endsWith('"');
  if (token.type === 'single-quoted-scalar') return token.source.length > 1 && token.source.endsWith("'");
  return true;
}

function checkTags(properties: readonly Property[], text: TextFile, report: Report): void {
  for (const { type, source, offset } of properties)
    if (type === 'tag' && !CORE_TAGS.has(source))
      report.add(
        'custom_tag',
        `the tag ${maskSecrets(inert(source, 60))} is not accepted`,
        spanAt(text, offset, source.length),
        {
          hint: 'Remove the tag: values are plain YAML.',
        },
      );
}

/** One document, and no directive but `%YAML 1.2`. */
function checkStream(tokens: readonly YamlToken[], text: TextFile, report: Report): void {
  let documents = 0;
  for (const token of tokens) {
    if (token.type === 'directive') checkDirective(token.source.trim(), token.offset, text, report);
    if (token.type !== 'document') continue;
    if (++documents === 2)
      report.add(
        'several_documents',
        'a file holds one document; a second one starts here',
        spanAt(text, token.offset, 3),
        {
          hint: 'Put each document in its own file, and give each with -f.',
        },
      );
  }
}

function checkDirective(source: string, offset: number, text: TextFile, report: Report): void {
  if (/^%YAML\s+1\.2(\s|$)/.test(source)) return;
  const span = spanAt(text, offset, source.length);
  if (/^%YAML\b/.test(source))
    report.add('yaml_version', `${inert(source, 60)} is not accepted: files are read as YAML 1.2`, span, {
      hint: 'Remove the directive.',
    });
  else report.add('yaml_directive', 'directives are not accepted', span, { hint: 'Remove the directive.' });
}

function spanAt(text: TextFile, start: number, length: number): Span {
  return { text, start, end: Math.min(text.text.length, start + length) };
}
