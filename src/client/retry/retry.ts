// Runs a request again as the policy says and as long as the allowance lasts, on the injected clock.
import pRetry from 'p-retry';
import type { Clock } from '../../base/time/clock.ts';
import type { Random } from '../../base/random.ts';
import { plural } from '../../base/text/words.ts';
import { ApiFailure } from '../failure.ts';
import { isTimeout, MAX_ATTEMPTS, mayRetry, retryDelayMs, tooLongToWait } from './retry-policy.ts';
import type { RetryNotice } from '../types.ts';

const CAPACITY = 500;
const RETRY_COST = 5;
const TIMEOUT_COST = 10;

export interface RetryBudget {
  /** Pays for one retry; false when the allowance is used up. */
  spend(afterTimeout: boolean): boolean;
  /** A success gives a little back. */
  refund(): void;
}

/** A full allowance: 500 tokens, 5 for a retry, 10 for one after a timeout, 1 back for each success. */
export function createRetryBudget(): RetryBudget {
  let tokens = CAPACITY;
  return {
    spend(afterTimeout) {
      const cost = afterTimeout ? TIMEOUT_COST : RETRY_COST;
      if (tokens < cost) return false;
      tokens -= cost;
      return true;
    },
    refund() {
      tokens = Math.min(CAPACITY, tokens + 1);
    },
  };
}

interface RetrySetting {
  readonly clock: Clock;
  readonly random: Random;
  readonly budget: RetryBudget;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Aborted: no attempt follows any more. */
  readonly patience?: AbortSignal | undefined;
  /** Aborted with the client: the same, for all its requests. */
  readonly closed?: AbortSignal | undefined;
  /** Asked after each pause: why no attempt follows, null when one may. */
  readonly beforeAgain?: (() => Promise<string | null>) | undefined;
  /** Monotonic: no attempt begins from then on. */
  readonly deadlineMs?: number;
}

/**
 * Resolves with the first success of `attempt`; rejects with its last failure. An aborted signal ends the pauses; it never
 * hides what is known of an attempt.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  setting: RetrySetting,
): Promise<T> {
  let attempts = 0;
  let note: string | null = null;
  const mayGoOn = async (failure: unknown): Promise<boolean> => {
    if (!(failure instanceof ApiFailure) || !mayRetry(failure)) return false;
    const pausing = AbortSignal.any([signal, setting.patience, setting.closed].filter((one) => one !== undefined));
    if (pausing.aborted) return false;
    note = await pauseAfter(failure, attempts, setting, pausing);
    return note === null;
  };
  try {
    // p-retry counts and stops; the pauses are ours (its own would be real time, without Retry-After). It is not given the
    // signal, for it would then throw away a success that arrives after an abort.
    return await pRetry(
      async () => {
        attempts++;
        return attempt();
      },
      { retries: MAX_ATTEMPTS - 1, minTimeout: 0, maxTimeout: 0, shouldRetry: async ({ error }) => mayGoOn(error) },
    );
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const isLast = attempts === MAX_ATTEMPTS && mayRetry(error);
    const why = note ?? (isLast ? `given up after ${plural(attempts, 'attempt')}` : '');
    throw why === '' ? error : new ApiFailure(`${error.message}; ${why}`, error);
  }
}

/** Pauses before the next attempt; in words why there is none, empty where the pause was ended. */
async function pauseAfter(
  failure: ApiFailure,
  attempts: number,
  { clock, random, budget, onRetry, beforeAgain, deadlineMs = Infinity }: RetrySetting,
  signal: AbortSignal,
): Promise<string | null> {
  const tooLong = tooLongToWait(failure);
  if (tooLong !== null) return tooLong;
  if (!budget.spend(isTimeout(failure))) return 'too many requests of this run had to be repeated';
  const delayMs = retryDelayMs(failure, attempts, random);
  if (clock.monotonicMs() + delayMs >= deadlineMs) return 'the time limit ends before the request may be sent again';
  const { method, path, message: cause } = failure;
  onRetry?.({ method, path, attempt: attempts + 1, delayMs, cause });
  try {
    await clock.sleep(delayMs, signal);
  } catch {
    return '';
  }
  return (await beforeAgain?.()) ?? null;
}
