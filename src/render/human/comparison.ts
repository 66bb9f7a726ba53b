// The sections of a comparison for a terminal.
import type { Comparison } from '../../model/comparison.ts';
import { compareRows, GUARDS_CHANGED, NO_LONGER_MANAGED } from '../view/comparison.ts';
import type { ComparedSection } from '../view/comparison.ts';
import type { PlanRows } from '../view/plan-rows.ts';
import type { Style } from '../text/style.ts';
import { nameText } from '../text/escape.ts';
import { wrap } from '../text/width.ts';

/** Sections as lines, each beginning with its title; `changesLines` shows changes in full. */
export function comparedLines(
  rows: PlanRows,
  comparison: Comparison,
  {
    style,
    width,
    changesLines,
  }: {
    readonly style: Style;
    readonly width: number;
    readonly changesLines: (changes: ComparedSection['changes']) => string[];
  },
): string[][] {
  const { fromThisChange, alreadyPending, noLongerManaged, guardsChanged } = compareRows(rows, comparison);
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
    guardsChanged.length === 0
      ? []
      : [
          style.strong(`${GUARDS_CHANGED}:`),
          ...guardsChanged.flatMap((line) => wrap(line, { width, indent: '  ', hanging: '    ' })),
        ],
    sectionLines(fromThisChange, ['  nothing']),
    sectionLines(alreadyPending, []),
    noLongerManaged.length === 0
      ? []
      : [style.strong(`${NO_LONGER_MANAGED}:`), ...noLongerManaged.map((address) => `  ${nameText(address)}`)],
  ];
}
