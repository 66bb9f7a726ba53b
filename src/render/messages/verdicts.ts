// The verdict of a plan or a drift report in sentences: the total, the parts left out, the dangers.
import { IMPACTS, traitsOf } from '../../model/outcome/impact.ts';
import { unreachable } from '../../base/assert.ts';
import { listOf, plural } from '../../base/text/words.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import type { Change } from '../../model/outcome/plan.ts';
import { countsLine } from './events.ts';
import { restarts, type PlanCounts, type PlanRows } from '../view/plan-rows.ts';

const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';
const NO_DIFFERENCES = 'No differences in attributes. Operation logs were not read.';

/** The total of a plan. Other tools parse this line. */
export function verdictLine({ inSync, historiesRead, counts }: PlanRows): string {
  if (!inSync) return countsLine(counts);
  return historiesRead ? NO_CHANGES : NO_DIFFERENCES;
}

export function gapSentences({ unread, unplanned }: PlanCounts): string[] {
  return [
    ...(unread > 0 ? [`Not read: ${unread}. This plan does not cover what could not be read.`] : []),
    ...(unplanned > 0 ? [`Not planned: ${unplanned}. The plan covers the other projects only.`] : []),
  ];
}

/** How many changes disconnect clients or cannot be undone; empty when none does. */
export function dangerSentence(changes: readonly Change[]): string {
  const counted = IMPACTS.flatMap((word) => {
    const tally = traitsOf(word)?.tally;
    const count = changes.filter(({ impact }) => impact.includes(word)).length;
    return tally === undefined || count === 0 ? [] : [plural(count, tally[0], tally[1])];
  });
  const permanent = changes.filter((change) => change.impact.includes('permanent')).length;
  const restarting = changes.filter(restarts).length;
  const parts = [
    ...counted,
    restarting > 0 ? plural(restarting, 'restart') : '',
    permanent > 0 ? `${permanent} cannot be undone` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

/** `2 changed, 1 missing and 3 unmanaged`: what is zero is left out. */
function findingCounts(report: DriftReport, [unread, unplanned]: readonly [number, number]): string {
  const parts = [
    [report.changed.length, 'changed'],
    [report.missing.length, 'missing'],
    [report.unmanaged.length, 'unmanaged'],
    [report.held.length, 'held'],
    [report.due.length, 'due'],
    [report.notCompared.length, 'not compared'],
    [unread, 'unread'],
    [unplanned, 'unplanned'],
  ] as const;
  return listOf(parts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`));
}

export function driftVerdict(report: DriftReport): string {
  const gaps = [report.unread.length, report.unplanned.length] as const;
  const counts = findingCounts(report, report.status === 'incomplete' ? [0, 0] : gaps);
  switch (report.status) {
    case 'drifted':
      return `Drift: ${counts}.`;
    case 'incomplete':
      return `Incomplete: ${gapWords(gaps)}${counts === '' ? '' : `; found ${counts}`}.`;
    case 'in_sync':
      return counts === '' ? 'No drift. Your infrastructure matches the configuration.' : `No drift; ${counts}.`;
    default:
      return unreachable(report.status);
  }
}

function gapWords([unread, unplanned]: readonly [number, number]): string {
  return listOf([
    ...(unread > 0 ? [`${plural(unread, 'part')} could not be read`] : []),
    ...(unplanned > 0 ? [`${plural(unplanned, 'part')} could not be compared`] : []),
  ]);
}
