// A plan's changes told apart: what this change brings, what was pending before it, what it lets go.
import type { Address } from '../model/address.ts';
import type { Comparison } from '../model/comparison.ts';
import type { Change } from '../model/plan.ts';
import type { PlanRows } from './rows.ts';

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
}

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
  };
}

/** `2 from this change, 1 already pending, 1 no longer managed`: in one line, whatever there is. */
export function comparedCounts({ fromThisChange, alreadyPending, noLongerManaged }: ComparedRows): string {
  const count = ({ changes, elsewhere }: ComparedSection): number => changes.length + elsewhere.length;
  return (
    `${count(fromThisChange)} from this change, ${count(alreadyPending)} already pending, ` +
    `${noLongerManaged.length} no longer managed`
  );
}
