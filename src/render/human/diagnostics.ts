// Renders problems for a terminal: position, message, the lines of the file with carets, and a hint.
import { plural } from '../../base/text/words.ts';
import { placesBeside, type Diagnostic } from '../../model/diagnostic.ts';
import type { SourceRange, Sources } from '../../model/source.ts';
import { styleOf, type HumanOptions, type Style } from '../text/style.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { wrap, columnsOf, cutColumns } from '../text/width.ts';

export interface DiagnosticOptions extends HumanOptions {
  readonly sources?: Sources;
}

const MOST_SHOWN = 20;

export function diagnosticLines(diagnostics: readonly Diagnostic[], options: DiagnosticOptions): string[] {
  const style = styleOf(options.color);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
  const ordered = [...errors, ...warnings];
  const listed = ordered.slice(0, MOST_SHOWN);
  const lines = listed.flatMap((diagnostic, at) => [
    ...(at === 0 ? [] : ['']),
    ...oneDiagnostic(diagnostic, style, options),
  ]);
  const rest = ordered.length - listed.length;
  if (rest > 0)
    lines.push(
      '',
      `… and ${rest} more: ${plural(errors.length, 'error')} and ${plural(warnings.length, 'warning')} in all (--format json lists them).`,
    );
  return lines;
}

export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: DiagnosticOptions): string {
  const lines = diagnosticLines(diagnostics, options);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function oneDiagnostic(diagnostic: Diagnostic, style: Style, options: DiagnosticOptions): string[] {
  const paint = diagnostic.severity === 'error' ? style.bad : style.warn;
  const where = placeOf(diagnostic);
  const head = `${where}${diagnostic.severity} ${shown(diagnostic.code)}: ${sentence(diagnostic.message)}`;
  return [
    ...wrap(head, { width: options.width, hanging: '  ' }).map((line, at) => (at === 0 ? paint(line) : line)),
    ...(diagnostic.range === undefined ? [] : codeFrame(diagnostic.range, options)),
    ...placesBeside(diagnostic).flatMap(({ message, range }) => [
      ...wrap(`${rangeText(range)}: ${sentence(message)}`, { width: options.width, indent: '  ', hanging: '    ' }),
      ...codeFrame(range, options),
    ]),
    ...(diagnostic.hint === undefined
      ? []
      : wrap(`hint: ${sentence(diagnostic.hint)}`, { width: options.width, indent: '  ', hanging: '    ' })),
  ];
}

function placeOf(diagnostic: Diagnostic): string {
  if (diagnostic.range !== undefined) return `${rangeText(diagnostic.range)}: `;
  return diagnostic.address === undefined ? '' : `${nameText(diagnostic.address)}: `;
}

/** Returns text like `trueup.yaml:12:7`; the file name of stdin is `-`. */
export function rangeText(range: SourceRange): string {
  const file = range.file === '-' ? '-' : nameText(range.file);
  return `${file}:${range.start.line}:${range.start.column}`;
}

/** The frame reads at most this many characters of a line on each side of the problem. */
const REACH = 500;

/** The line of the problem and its neighbors. Empty if the file's text is unknown or has no such line. */
export function codeFrame(
  { file, start, end }: SourceRange,
  { sources, width, color }: Omit<DiagnosticOptions, 'verbose'>,
): string[] {
  const style = styleOf(color);
  const all = sources?.get(file)?.split(/\r?\n/) ?? [];
  const first = Math.max(1, start.line - 1);
  const lines = all.slice(first - 1, start.line + 1);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  if (first + lines.length <= start.line) return [];
  const gutter = String(first + lines.length - 1).length;
  const room = Math.max(20, width - gutter - 5);
  return lines.flatMap((line, at) => {
    const label = String(first + at).padStart(gutter);
    if (first + at !== start.line) return [style.faint(`  ${label} | ${cutLine(line, 0, 0, room).text}`.trimEnd())];
    const endColumn = end.line === start.line ? end.column - 1 : line.length;
    const { text, before, marked } = cutLine(line, start.column - 1, endColumn, room);
    const caret = `${' '.repeat(before)}${style.bad('^'.repeat(marked))}`;
    return [`${style.bad('>')} ${label} | ${text}`, `  ${' '.repeat(gutter)} | ${caret}`];
  });
}

/**
 * Cuts the line to `room` columns around the problem. Escapes control characters; a tab becomes two blanks. `before` and `marked` are the
 * widths, in columns, of the text before the problem and of the problem.
 */
function cutLine(line: string, from: number, to: number, room: number) {
  const isFar = from > REACH || columnsOf(line.slice(0, from)) + 10 > room;
  const lead = display(line.slice(isFar ? Math.max(0, from - 20) : 0, from));
  const before = isFar && from > 20 ? `…${lead}` : lead;
  const marked = display(line.slice(from, Math.min(to, from + REACH)));
  const text = cutColumns(before + marked + display(line.slice(Math.max(from, to)).slice(0, REACH)), room);
  const left = columnsOf(text) - columnsOf(before);
  return { text, before: columnsOf(before), marked: Math.max(1, Math.min(columnsOf(marked), left)) };
}

function display(text: string): string {
  return shown(text.replaceAll('\t', '  '), REACH * 2);
}
