// A plan's changes told apart: what this change brings, what was pending before it, what it lets go.
import { sentence } from '../text/escape.ts';
import { plural } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import type { Comparison } from '../../model/outcome/comparison.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { guardChangeGroups, guardChangeTexts } from './guard-texts.ts';
import type { PlanRows } from './plan-rows.ts';

/** One of the sections that a comparison makes of a plan: each says what it has, of a kind or of several. */
export interface ComparedSection {
  readonly title: string;
  readonly sentences: readonly string[];
  /** The same in ever fewer words, for what must be said however little room there is. */
  readonly shorter: readonly (readonly string[])[];
  /** What an apply does now. */
  readonly changes: readonly Change[];
  /** What waits or is held back. */
  readonly elsewhere: readonly { readonly change: Change; readonly where: 'blocked' | 'due' }[];
  readonly addresses: readonly Address[];
  /** True where a reader looks for it, so that nothing is said to be nothing. */
  readonly isAlwaysTold: boolean;
}

const EMPTY: Omit<ComparedSection, 'title'> = {
  sentences: [],
  shorter: [],
  changes: [],
  elsewhere: [],
  addresses: [],
  isAlwaysTold: false,
};

/** Sorts rows by what the comparison says of their addresses; what it does not know counts as from this change. */
export function comparedSections(rows: PlanRows, comparison: Comparison): readonly ComparedSection[] {
  const pending = new Set(comparison.alreadyPending);
  const groups = guardChangeGroups(comparison);
  const changesWhere = (isMember: (change: Change) => boolean): Pick<ComparedSection, 'changes' | 'elsewhere'> => ({
    changes: rows.changes.filter(isMember),
    elsewhere: [
      ...rows.blocked.filter(isMember).map((change) => ({ change, where: 'blocked' as const })),
      ...rows.due.filter(isMember).map((change) => ({ change, where: 'due' as const })),
    ],
  });
  return [
    {
      ...EMPTY,
      title: 'Guards changed',
      sentences: guardChangeTexts(comparison),
      shorter: [groups.map(({ text }) => text), groups.map(({ brief }) => brief)],
    },
    {
      ...EMPTY,
      title: 'From this change',
      ...changesWhere(({ address }) => !pending.has(address)),
      isAlwaysTold: true,
    },
    {
      ...EMPTY,
      title: 'Already pending (without this change)',
      ...changesWhere(({ address }) => pending.has(address)),
    },
    { ...EMPTY, title: 'No longer managed (live, and left alone)', addresses: comparison.noLongerManaged },
  ];
}

/** The counts of a comparison; or, where the other files cannot be planned, that nobody knows them. */
export function comparedSentence(rows: PlanRows, comparison: Comparison): string {
  const unusable = rows.diagnostics.find(({ code }) => code === 'base_unusable');
  return unusable === undefined
    ? `Of these: ${comparedCounts(rows, comparison)}.`
    : `Not compared: ${sentence(unusable.message)}`;
}

/** `2 from this change, 1 already pending, 1 no longer managed`: in one line, whatever there is. */
function comparedCounts(
  { changes, blocked, due }: PlanRows,
  { alreadyPending, noLongerManaged, guardsChanged }: Comparison,
): string {
  const pending = new Set(alreadyPending);
  const all = [...changes, ...blocked, ...due];
  const before = all.filter(({ address }) => pending.has(address)).length;
  const guards = guardsChanged.length === 0 ? '' : `, ${plural(guardsChanged.length, 'guard')} changed`;
  return (
    `${all.length - before} from this change, ${before} already pending, ` +
    `${noLongerManaged.length} no longer managed${guards}`
  );
}
