// What a plan comes to in sentences: the verdict, what it leaves out, what is dangerous in it.
import { plural } from '../../base/words.ts';
import type { Change } from '../../model/plan.ts';
import { countsLine } from './events.ts';
import { restarts } from '../view/plan-rows.ts';
import type { PlanCounts, PlanRows } from '../view/plan-rows.ts';

const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';
const NO_DIFFERENCES = 'No differences in attributes. Operation logs were not read.';

/** What the plan comes to: other tools parse it. */
export function verdictLine({ inSync, historiesRead, counts }: PlanRows): string {
  if (!inSync) return countsLine(counts);
  return historiesRead ? NO_CHANGES : NO_DIFFERENCES;
}

/** What the plan leaves out; empty when nothing. */
export function gapSentences({ unread, unplanned }: PlanCounts): string[] {
  return [
    ...(unread > 0 ? [`Not read: ${unread}. This plan does not cover what could not be read.`] : []),
    ...(unplanned > 0 ? [`Not planned: ${unplanned}. This plan is of the rest alone.`] : []),
  ];
}

/** How many changes cut people off or cannot be undone; empty when none does. */
export function dangerSentence(changes: readonly Change[]): string {
  const drops = changes.filter((change) => change.impact.includes('drops_connections')).length;
  const permanent = changes.filter((change) => change.impact.includes('permanent')).length;
  const restarting = changes.filter(restarts).length;
  const parts = [
    drops > 0 ? `${plural(drops, 'change drops', 'changes drop')} connections` : '',
    restarting > 0 ? plural(restarting, 'restart') : '',
    permanent > 0 ? `${permanent} cannot be undone` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Attention: ${parts.join(', ')}.`;
}
