// A plan's changes in three parts: changes of these files, changes pending before, and changes that these files drop.
import type { Comparison } from '../../model/outcome/comparison.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { plural } from '../../base/text/words.ts';
import { sentence } from '../text/escape.ts';
import { guardChangeGroups, guardChangeTexts } from '../view/guard-texts.ts';
import type { PlanRows } from '../view/plan-rows.ts';
import { item, section, type ChangeView, type Section } from './report.ts';

/** Changes in sections, by what the comparison says of their addresses; what it does not know counts as from this change. */
export function comparedSections(
  { changes, blocked, due }: PlanRows,
  comparison: Comparison,
  viewsOf: (changes: readonly Change[]) => readonly ChangeView[],
): readonly Section[] {
  const pending = new Set(comparison.alreadyPending);
  const groups = guardChangeGroups(comparison);
  const having = (title: string, isMember: (change: Change) => boolean): Section => {
    const elsewhere = [
      ...blocked.filter(isMember).map(({ address, action }) => item(`${action} (blocked, see below)`, address)),
      ...due.filter(isMember).map(({ address, action }) => item(`${action} (due, see below)`, address)),
    ];
    return section(title, { items: elsewhere, changes: viewsOf(changes.filter(isMember)), isReviewed: true });
  };
  const own = having('From this change', ({ address }) => !pending.has(address));
  return [
    section('Guards changed', {
      items: guardChangeTexts(comparison).map((text) => item(text)),
      shorter: [groups.map(({ text }) => item(text)), groups.map(({ brief }) => item(brief))],
    }),
    own.items.length + own.changes.length === 0 ? { ...own, items: [item('nothing')] } : own,
    having('Already pending (without this change)', ({ address }) => pending.has(address)),
    section('No longer managed (live, and left alone)', {
      items: comparison.noLongerManaged.map((address) => item('', address)),
    }),
  ];
}

/** The counts of a comparison in one line; where the other files cannot be planned, that nobody knows them. */
export function comparedSentence(
  { changes, blocked, due, diagnostics }: PlanRows,
  { alreadyPending, noLongerManaged, guardsChanged }: Comparison,
): string {
  const unusable = diagnostics.find(({ code }) => code === 'base_unusable');
  if (unusable !== undefined) return `Not compared: ${sentence(unusable.message)}`;
  const pending = new Set(alreadyPending);
  const all = [...changes, ...blocked, ...due];
  const before = all.filter(({ address }) => pending.has(address)).length;
  const guards = guardsChanged.length === 0 ? '' : `, ${plural(guardsChanged.length, 'guard')} changed`;
  return (
    `By origin: ${all.length - before} from this change, ${before} already pending, ` +
    `${noLongerManaged.length} no longer managed${guards}.`
  );
}
