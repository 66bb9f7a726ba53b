// A plan's changes told apart: what this change brings, what was pending before it, what it lets go.
import { plural } from '../../base/words.ts';
import type { Address } from '../../model/address.ts';
import type { Comparison } from '../../model/comparison.ts';
import type { GuardChange } from '../../model/guard.ts';
import type { Change } from '../../model/plan.ts';
import type { PlanRows } from './plan-rows.ts';
import { shown } from '../text/escape.ts';
import { valueText } from '../text/value.ts';

/** One of the sections that a comparison makes of the changes. */
export interface ComparedSection {
  readonly title: string;
  /** What an apply does now. */
  readonly changes: readonly Change[];
  /** What waits or is held back, and is told of in full elsewhere. */
  readonly elsewhere: readonly { readonly change: Change; readonly where: 'blocked' | 'due' }[];
}

/** The sections in which there are changes. */
export interface ComparedRows {
  readonly fromThisChange: ComparedSection;
  readonly alreadyPending: ComparedSection;
  readonly noLongerManaged: readonly Address[];
  /** A line each: `removed: max_deletes (was 1)`. */
  readonly guardsChanged: readonly string[];
}

export const GUARDS_CHANGED = 'Guards changed';
export const NO_LONGER_MANAGED = 'No longer managed (live, and left alone)';

/** Sorts rows by what the comparison says of their addresses; what it does not know counts as from this change. */
export function compareRows(rows: PlanRows, comparison: Comparison): ComparedRows {
  const pending = new Set(comparison.alreadyPending);
  const section = (title: string, isMember: (change: Change) => boolean): ComparedSection => ({
    title,
    changes: rows.changes.filter(isMember),
    elsewhere: [
      ...rows.blocked.filter(isMember).map((change) => ({ change, where: 'blocked' as const })),
      ...rows.due.filter(isMember).map((change) => ({ change, where: 'due' as const })),
    ],
  });
  return {
    fromThisChange: section('From this change', ({ address }) => !pending.has(address)),
    alreadyPending: section('Already pending (without this change)', ({ address }) => pending.has(address)),
    noLongerManaged: comparison.noLongerManaged,
    guardsChanged: comparison.guardsChanged.map(guardText),
  };
}

/** `2 from this change, 1 already pending, 1 no longer managed`: in one line, whatever there is. */
export function comparedCounts({
  fromThisChange,
  alreadyPending,
  noLongerManaged,
  guardsChanged,
}: ComparedRows): string {
  const count = ({ changes, elsewhere }: ComparedSection): number => changes.length + elsewhere.length;
  const guards = guardsChanged.length === 0 ? '' : `, ${plural(guardsChanged.length, 'guard')} changed`;
  return (
    `${count(fromThisChange)} from this change, ${count(alreadyPending)} already pending, ` +
    `${noLongerManaged.length} no longer managed${guards}`
  );
}

/** `loosened: max_deletes of shop: 1 → 5`, `removed: protect of shop/primary`. */
function guardText({ change, guard, project, address, before, after }: GuardChange): string {
  const on = address ?? project;
  const what = `${change}: ${guard}${on === null ? '' : ` of ${shown(on)}`}`;
  if (before === true || after === true) return what;
  if (before === null) return `${what}: ${valueText(after)}`;
  return after === null ? `${what} (was ${valueText(before)})` : `${what}: ${valueText(before)} → ${valueText(after)}`;
}
