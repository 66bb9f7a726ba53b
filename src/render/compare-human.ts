// The three sections of a comparison for a terminal.
import type { Comparison } from '../model/comparison.ts';
import { compareRows, NO_LONGER_MANAGED } from './compare.ts';
import type { ComparedSection } from './compare.ts';
import type { PlanRows } from './rows.ts';
import type { Style } from './style.ts';
import { nameText } from './text.ts';

/** Sections as lines, each beginning with its title; `changesLines` shows changes in full. */
export function comparedLines(
  rows: PlanRows,
  comparison: Comparison,
  {
    style,
    changesLines,
  }: { readonly style: Style; readonly changesLines: (changes: ComparedSection['changes']) => string[] },
): string[][] {
  const { fromThisChange, alreadyPending, noLongerManaged } = compareRows(rows, comparison);
  const sectionLines = ({ title, changes, elsewhere }: ComparedSection, empty: readonly string[]): string[] => {
    const lines = [
      ...changesLines(changes),
      ...(changes.length > 0 && elsewhere.length > 0 ? [''] : []),
      ...elsewhere.map(({ change, where }) => `  ${nameText(change.address)}  ${change.action} (${where}, see below)`),
    ];
    const shown = lines.length === 0 ? empty : lines;
    return shown.length === 0 ? [] : [style.strong(`${title}:`), ...shown];
  };
  return [
    sectionLines(fromThisChange, ['  nothing']),
    sectionLines(alreadyPending, []),
    noLongerManaged.length === 0
      ? []
      : [style.strong(`${NO_LONGER_MANAGED}:`), ...noLongerManaged.map((address) => `  ${nameText(address)}`)],
  ];
}
