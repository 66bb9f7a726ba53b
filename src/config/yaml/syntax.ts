// Problems of a whole file: several documents, directives, tags, and text that is no YAML.
import { inert } from '../../base/text/inert.ts';
import type { Report } from '../report.ts';
import { maskSecrets } from './secret-text.ts';
import { rangeOf, type Span, type TextFile } from './source-tree.ts';
import type { YamlDocument, YamlProblem, YamlToken } from './yaml-package.ts';

export function reportStream(tokens: readonly YamlToken[], text: TextFile, report: Report): void {
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

/**
 * Reports only the first problem of a line, because others mostly follow from it. `restore` puts references, hidden from the parser, back
 * into messages.
 */
export function reportDocument(
  { errors, warnings }: YamlDocument,
  {
    text,
    report,
    restore,
  }: { readonly text: TextFile; readonly report: Report; readonly restore: (text: string) => string },
): void {
  const lines = new Set<number>();
  for (const problem of [...errors, ...warnings].sort((a, b) => a.pos[0] - b.pos[0])) {
    if (report.isFull) break;
    const start = Math.min(problem.pos[0], text.text.length);
    const span = spanAt(text, start, Math.max(start, problem.pos[1]));
    const { line } = rangeOf(span).start;
    if (lines.has(line)) continue;
    lines.add(line);
    if (problem.code === 'TAG_RESOLVE_FAILED') reportTag(span, report);
    else reportError(problem, span, restore(problem.message), report);
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
