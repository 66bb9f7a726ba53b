// Problems and verdicts in sentences, for readers of events or results, who never see the plan.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Unread } from '../../model/live.ts';
import type { Plan, Change } from '../../model/outcome/plan.ts';
import { sentence } from '../text/escape.ts';
import { blockWords, limitSentence } from './blocks.ts';
import { planRows, unplannedWords, restarts, type PlanCounts, type PlanRows } from '../view/plan-rows.ts';
import { IMPACTS, traitsOf } from '../../model/outcome/impact.ts';
import { unreachable } from '../../base/assert.ts';
import { listOf, plural } from '../../base/text/words.ts';
import type { DriftReport } from '../../model/outcome/drift.ts';
import { countsLine } from './events.ts';

export const PLAN_PROBLEMS: ReadonlySet<string> = new Set(['blocked', 'limit_exceeded', 'unread', 'unplanned']);

export function vacatedHeading(code: string): string {
  return `Left ${code.replace(/^without_/, 'without a ').replaceAll('_', ' ')}`;
}

export function unreadError({ what, reason }: Omit<Unread, 'projectId'>, hint: string): Diagnostic {
  return { severity: 'error', code: 'unread', message: `${what} could not be read: ${reason}`, hint };
}

export function planProblems(plan: Plan): Diagnostic[] {
  const rows = planRows(plan);
  const { unread, unplanned, blocked, limitsExceeded } = rows;
  return [
    ...unread.map((one) =>
      unreadError(one, 'The plan does not cover this part. Fix the cause, then run trueup plan again.'),
    ),
    ...unplanned.map((one): Diagnostic => ({
      severity: 'error',
      code: 'unplanned',
      message: `${one.project} could not be planned: ${unplannedWords(one)}`,
      hint: 'The plan does not cover this part, and nothing there is changed.',
    })),
    ...limitsExceeded.map((limit): Diagnostic => ({
      severity: 'error',
      code: 'limit_exceeded',
      message: limitSentence(limit),
      hint: 'Nothing is written. Apply in smaller parts (--target), or raise the limit.',
    })),
    ...blocked.flatMap((change) =>
      change.blockedBy.map((block): Diagnostic => {
        const { why, lift, isNoted = false } = blockWords(block, [change], rows);
        return {
          severity: 'warning',
          code: 'blocked',
          message: `${change.action} is blocked (${block}): ${why}${isNoted ? `. Note: ${change.notes.join('; ')}` : ''}`,
          hint: lift,
          address: change.address,
          ...(change.source === null ? {} : { range: change.source }),
        };
      }),
    ),
  ];
}

export function problemText({ message, hint }: Diagnostic): string {
  return sentence(hint === undefined ? message : `${message} (${hint})`);
}

const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';
const NO_DIFFERENCES = 'No differences in attributes. Operation logs were not read.';

/** The totals of a plan in one line, which other tools parse. */
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

/** `2 changed, 1 missing and 3 unmanaged`: zeros are omitted. */
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
    [(report.expired ?? []).length, 'expired'],
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
