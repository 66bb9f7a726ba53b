// The texts for a failed request: how its step ends, and what to do about a refusal.
import type { ApiFailure } from '../../client/failure.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { isNotNew } from '../judge/recognise.ts';
import { failedBecause, unknownBecause, type StepEnd } from '../run/run.ts';
import type { Delivery } from './attempt.ts';

/** Returns `the reply was lost (…)`. */
export function lostWords(failure: ApiFailure, times: string = ''): string {
  return `the reply ${isNotNew(failure) ? 'cannot be used' : `was lost${times}`} (${failure.message})`;
}

/** The end of a step that is not sent again: failed, or unknown if an earlier reply was lost, because that request may have succeeded. */
export function failedOr(
  { isLost }: Pick<Delivery, 'isLost'>,
  step: Step,
  code: string,
  message: string,
  hint?: string,
): StepEnd {
  if (!isLost) return failedBecause(step, code, message, hint);
  return unknownBecause(`an earlier reply was lost, and the account does not show the outcome: ${message}`);
}

/** A hint for a refusal whose cause the code or status shows. */
export function refusalHint({ code, status }: ApiFailure): string | undefined {
  if (code.endsWith('LIMIT_EXCEEDED'))
    return 'A limit of the subscription plan is reached: delete a resource that you do not need, or upgrade the subscription plan.';
  if (status === 403)
    return 'The credential does not allow this: use another credential, or extend the rights of this one.';
  if (status === 402 || status === 412)
    return 'The service requires another change first, or the subscription plan does not allow this change.';
  return undefined;
}
