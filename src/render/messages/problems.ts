// Problems and verdicts as sentences, which readers understand without seeing the plan.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Unread } from '../../model/live.ts';
import type { Plan, Change } from '../../model/outcome/plan.ts';
import { sentence } from '../text/escape.ts';
import { blockWords, limitSentence } from './blocks.ts';
import { planRows, unplannedWords, restarts, type PlanCounts, type PlanRows } from '../view/plan-rows.ts';
import { IMPACTS, traitsOf } from '../../model/outcome/impact.ts';
import { plural } from '../../base/text/words.ts';
import { countsLine } from './events.ts';

export const PLAN_PROBLEMS: ReadonlySet<string> = new Set(['blocked', 'limit_exceeded', 'unread', 'unplanned']);

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

/** The totals of a plan in one line. Other tools parse this line. */
export function verdictLine({ inSync, options, counts }: PlanRows): string {
  if (!inSync) return countsLine(counts);
  return options.noHistory ? NO_DIFFERENCES : NO_CHANGES;
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
