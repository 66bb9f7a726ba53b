// Plain tables for terminals: columns as wide as their widest cell, never cut to the screen, as ids are there to be copied.
import { columnsOf, cutMiddle, padColumns } from './width.ts';
import type { Style } from './style.ts';

const GAP = '  ';
const WIDEST_CELL = 100;

/** Lines of a table with a bold heading; cells must be inert already. Empty when there are no rows. */
export function tableLines(heading: readonly string[], rows: readonly (readonly string[])[], style: Style): string[] {
  if (rows.length === 0) return [];
  const cut = rows.map((row) => row.map((cell) => cutMiddle(cell, WIDEST_CELL)));
  const widths = heading.map((title, at) => Math.max(columnsOf(title), ...cut.map((row) => columnsOf(row[at] ?? ''))));
  const line = (cells: readonly string[]): string =>
    widths
      .map((width, at) => padColumns(cells[at] ?? '', width))
      .join(GAP)
      .trimEnd();
  return [style.strong(line(heading)), ...cut.map(line)];
}
