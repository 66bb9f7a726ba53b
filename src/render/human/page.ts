// A page for a terminal: titled sections with an empty line between them, and lists that are brief unless asked.
import { styleOf, type HumanOptions } from '../text/style.ts';
import { padColumns, wrap } from '../text/width.ts';
import type { ContextRow } from '../view/plan-context.ts';

export interface PageOptions extends HumanOptions {
  /** False when warnings and errors have been printed elsewhere. */
  readonly diagnostics?: boolean;
  /** True where no plan has been shown: the end of a run names then what lifts a block. */
  readonly isAlone?: boolean;
}

/** The sections that say something, as text that ends in a line feed. */
export function page(sections: readonly (readonly string[])[]): string {
  const told = sections.filter((lines) => lines.length > 0);
  return `${told.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

const LABEL = 'Account'.length;

/** The labels in one column, the texts in the other. */
export function rowLines(
  rows: readonly ContextRow[],
  { color, width }: Pick<HumanOptions, 'color' | 'width'>,
): string[] {
  return rows
    .flatMap(([label, text]) =>
      wrap(text, { width, indent: `${padColumns(label, LABEL)}  `, hanging: ' '.repeat(LABEL + 2) }),
    )
    .map(styleOf(color).faint);
}

/** Nothing where there is nothing below the title. */
export function titled(title: string, lines: readonly string[], { color }: HumanOptions): string[] {
  return lines.length === 0 ? [] : [styleOf(color).strong(`${title}:`), ...lines];
}

/** Lines of each item, or of the first `most` and how many follow. */
export function briefly<T>(
  items: readonly T[],
  linesOf: (item: T) => readonly string[],
  { verbose }: HumanOptions,
  most: number,
): string[] {
  const listed = verbose ? items : items.slice(0, most);
  const rest = items.length - listed.length;
  return [...listed.flatMap(linesOf), ...(rest > 0 ? [`  … and ${rest} more (-v lists them)`] : [])];
}

/** Every text on a line, or the first `most`; what does not fit goes on further in. */
export function listLines(
  texts: readonly string[],
  options: HumanOptions,
  most: number = Infinity,
  hanging: string = '        ',
): string[] {
  return briefly(texts, (text) => wrap(text, { width: options.width, indent: '  ', hanging }), options, most);
}
