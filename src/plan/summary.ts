// The numbers of a plan.
import type { Change, PlanSummary } from '../model/plan.ts';

/** Counts changes; what is blocked, or due and not asked for, is counted as that alone. */
export function summaryOf(changes: readonly Change[], due: boolean): PlanSummary {
  const counts = { create: 0, update: 0, move: 0, replace: 0, delete: 0, restart: 0, rotate: 0, revoke: 0, none: 0 };
  let blocked = 0;
  let waiting = 0;
  for (const change of changes) {
    if (change.due && !due) waiting++;
    else if (change.blockedBy.length > 0) blocked++;
    else counts[change.action]++;
  }
  const { none: unchanged, ...actions } = counts;
  return {
    ...actions,
    blocked,
    held: changes.filter(({ held }) => held.length > 0).length,
    due: waiting,
    unchanged,
  };
}
