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
  const first = attempt();
  try {
    return await first;
  } catch {
    // Most requests succeed at once: the machinery of repeating is for the others.
    return repeated(first, attempt, { ...setting, signal });
  }
}

/** `first` has failed. */
async function repeated<T>(
  first: Promise<T>,
  attempt: () => Promise<T>,
  setting: RetrySetting & { readonly signal: AbortSignal },
): Promise<T> {
  const { signal, clock, random, budget, patience, closed, deadlineMs = Infinity } = setting;
  let begun: Promise<T> | null = first;
  let attempts = 1;
  let note: string | null = null;
  const pauseBeforeNext = async (failure: unknown): Promise<boolean> => {
    if (!(failure instanceof ApiFailure) || !mayRetry(failure)) return false;
    const others = [patience, closed].filter((other) => other !== undefined);
    const pausing = others.length === 0 ? signal : AbortSignal.any([signal, ...others]);
    if (pausing.aborted) return false;
    note = tooLongToWait(failure);
    if (note === null && !budget.spend(isTimeout(failure))) note = 'too many requests of this run had to be repeated';
    if (note !== null) return false;
    const delayMs = retryDelayMs(failure, attempts, random);
    if (clock.monotonicMs() + delayMs >= deadlineMs) {
      note = 'its time ends before the request may be sent again';
      return false;
    }
    const { method, path, message: cause } = failure;
    setting.onRetry?.({ method, path, attempt: attempts + 1, delayMs, cause });
    try {
      await clock.sleep(delayMs, pausing);
    } catch {
      return false;
    }
    note = (await setting.beforeAgain?.()) ?? null;
    return note === null;
  };
  const next = (): Promise<T> => {
    attempts++;
    return attempt();
  };
  try {
    // p-retry counts and stops; the pauses are ours (its own would be real time, without Retry-After). It is not given the
    // signal, for it would then throw away a success that arrives after an abort.
    return await pRetry(
      () => {
        const ended = begun;
        begun = null;
        return ended ?? next();
      },
      {
        retries: MAX_ATTEMPTS - 1,
        minTimeout: 0,
        maxTimeout: 0,
        shouldRetry: ({ error }) => pauseBeforeNext(error),
      },
    );
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (note === null && attempts === MAX_ATTEMPTS && mayRetry(error))
      note = `given up after ${plural(attempts, 'attempt')}`;
    throw note === null ? error : new ApiFailure(`${error.message}; ${note}`, error);
  }
}
