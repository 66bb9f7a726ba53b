// The sections of a comparison in a pull-request comment.
import { plural } from '../../base/words.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { Change } from '../../model/plan.ts';
import { comparedCounts, compareRows, GUARDS_CHANGED, NO_LONGER_MANAGED } from '../view/comparison.ts';
import type { ComparedSection } from '../view/comparison.ts';
import { code, details } from './pieces.ts';
import type { PlanRows } from '../view/plan-rows.ts';

/** How many addresses a list shows: the comment has other things to say too. */
const LISTED = 50;

/** The counts in one line, for the head of the comment. */
export function comparedHead(rows: PlanRows, comparison: Comparison): string {
  return `Of these: **${comparedCounts(compareRows(rows, comparison))}**.`;
}

/** The sections; `projectSections` shows changes in full. */
export function comparedSections(
  rows: PlanRows,
  comparison: Comparison,
  projectSections: (changes: readonly Change[]) => readonly string[],
): string[] {
  const { fromThisChange, alreadyPending, noLongerManaged, guardsChanged } = compareRows(rows, comparison);
  const section = ({ title, changes, elsewhere }: ComparedSection, empty: string): string[] => {
    const parts = [
      ...projectSections(changes),
      ...listed(elsewhere.map(({ change, where }) => `- ${code(change.address)} ${change.action}: ${where}`)),
    ];
    const shown = parts.length === 0 && empty !== '' ? [empty] : parts;
    return shown.length === 0 ? [] : [`#### ${title}`, ...shown];
  };
  const gone = noLongerManaged.map((address) => `- ${code(address)}`);
  return [
    ...(guardsChanged.length === 0
      ? []
      : [`#### ${GUARDS_CHANGED}`, ...listed(guardsChanged.map((line) => `- ${code(line, 400)}`))]),
    ...section(fromThisChange, 'Nothing.'),
    ...section(alreadyPending, ''),
    ...(gone.length === 0
      ? []
      : [`#### ${NO_LONGER_MANAGED}`, details(plural(gone.length, 'resource'), listed(gone).join('\n\n'))]),
  ];
}

function listed(items: readonly string[]): string[] {
  if (items.length === 0) return [];
  const rest = items.length - LISTED;
  return [[...items.slice(0, LISTED), ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n')];
}
