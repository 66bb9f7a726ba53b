// Renders tables for terminals. Each column is as wide as its widest cell; cells that do not fit go below their row.
import { columnsOf, padColumns, wrap } from '../text/width.ts';
import { styleOf, type HumanOptions } from '../text/style.ts';

export type TableOptions = Pick<HumanOptions, 'color' | 'width'>;
/** Without `isWhole`, something was not read, so an empty list does not say that there is nothing. */
export type ListOptions = TableOptions & { readonly isWhole: boolean };

type Row = readonly string[];

const GAP = '  ';
const BELOW = '    ';
/** Deeper than any unwrapped line, so that wrapped outside text cannot pass for a line of its own. */
const BROKEN = '        ';

/** The lines of a table with a bold heading; none without rows. Callers escape the cells, and pass `-` for an empty one. */
export function tableLines(heading: Row, rows: readonly Row[], { color, width }: TableOptions): string[] {
  if (rows.length === 0) return [];
  const widths = heading.map((title, at) => Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[at] ?? ''))));
  const fitting = columnsThatFit(widths, width);
  const line = (cells: readonly string[]): string =>
    widths
      .slice(0, fitting)
      .map((own, at) => padColumns(cells[at] ?? '', own))
      .join(GAP)
      .trimEnd();
  return [
    styleOf(color).strong(line(heading)),
    ...rows.flatMap((row) => [
      // Wraps a row whose first cell is wider than the terminal.
      ...wrap(line(row), { width, indent: '', hanging: BROKEN }).filter((part) => part.trim() !== ''),
      ...belowLines(heading, row, fitting, width),
    ]),
  ];
}

export function tableText(heading: Row, rows: readonly Row[], options: TableOptions, empty: string): string {
  const lines = tableLines(heading, rows, options);
  return lines.length === 0 ? empty : `${lines.join('\n')}\n`;
}

function columnsThatFit(widths: readonly number[], width: number): number {
  let used = 0;
  for (const [at, own] of widths.entries()) {
    used += own + (at === 0 ? 0 : GAP.length);
    if (used > width) return Math.max(1, at);
  }
  return widths.length;
}

/** The columns that do not fit in the row, as lines below the row: `    state active  id …`. */
function belowLines(heading: readonly string[], row: readonly string[], from: number, width: number): string[] {
  const lines: string[] = [];
  for (const [at, title] of heading.entries()) {
    const cell = row[at] ?? '-';
    if (at < from || cell === '-') continue;
    const pair = `${title.toLowerCase()} ${cell}`;
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last + GAP + pair) <= width) lines[lines.length - 1] = last + GAP + pair;
    else lines.push(...wrap(pair, { width, indent: BELOW, hanging: BROKEN }));
  }
  return lines;
}
