// Problems in words, among them all that a plan leaves undone: readers of events or results never see the plan.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { sentence } from '../text/escape.ts';
import { blockWords, limitSentence } from './blocks.ts';
import { planRows, unplannedWords } from '../view/plan-rows.ts';

export const PLAN_PROBLEMS: ReadonlySet<string> = new Set(['blocked', 'limit_exceeded', 'unread', 'unplanned']);

/** The heading of slots that are empty since the run, by the code of the warning. */
export function vacatedHeading(code: string): string {
  return `Left ${code.replace(/^without_/, 'without a ').replaceAll('_', ' ')}`;
}

/** Unread and unplanned parts, each blocked change, and each exceeded limit. */
export function planProblems(plan: Plan): Diagnostic[] {
  const rows = planRows(plan);
  const { unread, unplanned, blocked, limitsExceeded } = rows;
  return [
    ...unread.map(({ what, reason }): Diagnostic => ({
      severity: 'error',
      code: 'unread',
      message: `${what} could not be read: ${reason}`,
      hint: 'The plan does not cover this part. Fix the cause, then run trueup plan again.',
    })),
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

/** A problem as one sentence with what to do about it, for reports that have one place for both. */
export function problemText({ message, hint }: Diagnostic): string {
  return sentence(hint === undefined ? message : `${message} (${hint})`);
}
