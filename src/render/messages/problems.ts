// Problems in words, and what a plan leaves undone as such: for those who read the events or the result of a run, and never see the plan.
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Change, Plan } from '../../model/outcome/plan.ts';
import { sentence } from '../text/escape.ts';
import { blockWords, limitSentence, SEE_NOTE } from './blocks.ts';
import { planRows, unplannedWords } from '../view/plan-rows.ts';

/** Codes of what `planProblems` says: a person has read it in the plan. */
export const PLAN_PROBLEMS: ReadonlySet<string> = new Set(['blocked', 'limit_exceeded', 'unread', 'unplanned']);

/** What stands above places that somebody held before the run and nobody holds now, by the code of the warning. */
export function vacatedHeading(code: string): string {
  return `Left ${code.replace(/^without_/, 'without a ').replaceAll('_', ' ')}`;
}

/** What could not be read or planned, each change that a guard holds back, and each limit that is exceeded. */
export function planProblems(plan: Plan): Diagnostic[] {
  const rows = planRows(plan);
  const { unread, unplanned, blocked, limitsExceeded } = rows;
  return [
    ...unread.map(({ what, reason }): Diagnostic => ({
      severity: 'error',
      code: 'unread',
      message: `${what} could not be read: ${reason}`,
      hint: 'The plan does not cover it.',
    })),
    ...unplanned.map((one): Diagnostic => ({
      severity: 'error',
      code: 'unplanned',
      message: `${one.project} could not be planned: ${unplannedWords(one)}`,
      hint: 'The plan does not cover it, and nothing there is changed.',
    })),
    ...limitsExceeded.map((limit): Diagnostic => ({
      severity: 'error',
      code: 'limit_exceeded',
      message: limitSentence(limit),
      hint: 'Nothing is written.',
    })),
    ...blocked.flatMap((change) =>
      change.blockedBy.map((block): Diagnostic => {
        const { why, lift } = blockWords(block, [change], rows);
        return {
          severity: 'warning',
          code: 'blocked',
          message: `${change.action} is blocked (${block}): ${withNotes(why, change)}`,
          hint: lift,
          address: change.address,
          ...(change.source === null ? {} : { range: change.source }),
        };
      }),
    ),
  ];
}

/** The reason with the notes that it points to. */
function withNotes(why: string, { notes }: Change): string {
  return notes.length === 0 ? why : why.replace(SEE_NOTE, () => `. Note: ${notes.join('; ')}`);
}

/** A problem as one sentence with what to do about it, for reports that have one place for both. */
export function problemText({ message, hint }: Diagnostic): string {
  return sentence(hint === undefined ? message : `${message} (${hint})`);
}
