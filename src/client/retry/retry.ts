// Repeats a request as the policy says, on the injected clock.
import type { Clock } from '../../base/time/clock.ts';
import type { Random } from '../../base/random.ts';
import { plural } from '../../base/text/words.ts';
import { ApiFailure } from '../failure.ts';
import { MAX_ATTEMPTS, mayRetry, retryDelayMs, tooLongToWait } from './retry-policy.ts';
import type { RetryNotice } from '../types.ts';

interface RetrySetting {
  readonly clock: Clock;
  readonly random: Random;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** After its abort, no attempt follows. */
  readonly closed?: AbortSignal | undefined;
  /** Monotonic: no attempt begins from then on. */
  readonly deadlineMs?: number;
}

/** Resolves with the first success, or rejects with the last failure. An abort ends a pause, and never hides the result of an attempt. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  setting: RetrySetting,
): Promise<T> {
  for (let attempts = 1; ; attempts++)
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const why = await pauseAfter(error, attempts, setting, signal);
      if (why !== null) throw why === '' ? error : new ApiFailure(`${error.message}; ${why}`, error);
    }
}

/** Returns null after the pause, or the reason why no attempt follows: empty if no pause helps, and after an abort. */
export async function pauseAfter(
  failure: ApiFailure,
  attempts: number,
  { clock, random, onRetry, closed, deadlineMs = Infinity }: RetrySetting,
  signal: AbortSignal,
): Promise<string | null> {
  const pausing = AbortSignal.any([signal, ...(closed === undefined ? [] : [closed])]);
  if (!mayRetry(failure)) return '';
  if (attempts >= MAX_ATTEMPTS) return `given up after ${plural(attempts, 'attempt')}`;
  if (pausing.aborted) return '';
  const tooLong = tooLongToWait(failure);
  if (tooLong !== null) return tooLong;
  const delayMs = retryDelayMs(failure, attempts, random);
  if (clock.monotonicMs() + delayMs >= deadlineMs) return 'the time limit ends before the request may be sent again';
  const { method, path, message: cause } = failure;
  onRetry?.({ method, path, attempt: attempts + 1, delayMs, cause });
  return clock.sleep(delayMs, pausing).then(
    () => null,
    () => '',
  );
}
