// A page for a terminal: titled sections with an empty line between them.
import { styleOf, type HumanOptions } from '../text/style.ts';
import { padColumns, wrap } from '../text/width.ts';
import type { ContextRow } from '../report/report.ts';

export interface PageOptions extends HumanOptions {
  /** False when warnings and errors have been printed elsewhere. */
  readonly diagnostics?: boolean;
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
export function titled(title: string, lines: readonly string[], { color }: Pick<HumanOptions, 'color'>): string[] {
  return lines.length === 0 ? [] : [styleOf(color).strong(`${title}:`), ...lines];
}
