// Problems for a person: where, what, the line itself, and what to do about it.
import { plural } from '../../base/text/words.ts';
import { placesBeside, type Diagnostic } from '../../model/diagnostic.ts';
import type { SourceRange, Sources } from '../../model/source.ts';
import { codeFrame } from '../text/code-frame.ts';
import { styleOf, type HumanOptions, type Style } from '../text/style.ts';
import { nameText, sentence, shown } from '../text/escape.ts';
import { wrap } from '../text/width.ts';

export interface DiagnosticOptions extends HumanOptions {
  /** Texts of the files, for code frames. */
  readonly sources?: Sources;
}

const MOST_SHOWN = 20;

/** The first problems (all of them when verbose; errors before warnings) with frames and hints, then how many more there are. */
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

/** Diagnostics as text that ends in a line feed; empty text for none. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], options: DiagnosticOptions): string {
  const lines = diagnosticLines(diagnostics, options);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function oneDiagnostic(diagnostic: Diagnostic, style: Style, options: DiagnosticOptions): string[] {
  const paint = diagnostic.severity === 'error' ? style.bad : style.warn;
  const where = placeOf(diagnostic);
  const head = `${where}${diagnostic.severity} ${shown(diagnostic.code)}: ${sentence(diagnostic.message)}`;
  const frame = (range: SourceRange): string[] =>
    codeFrame(range, options.sources ?? new Map(), { width: options.width, style });
  return [
    ...wrap(head, { width: options.width, hanging: '  ' }).map((line, at) => (at === 0 ? paint(line) : line)),
    ...(diagnostic.range === undefined ? [] : frame(diagnostic.range)),
    ...placesBeside(diagnostic).flatMap(({ message, range }) => [
      ...wrap(`${rangeText(range)}: ${sentence(message)}`, { width: options.width, indent: '  ', hanging: '    ' }),
      ...frame(range),
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

/** `trueup.yaml:12:7`; stdin is `-`. */
export function rangeText(range: SourceRange): string {
  const file = range.file === '-' ? '-' : nameText(range.file);
  return `${file}:${range.start.line}:${range.start.column}`;
}
