// Decides which failed requests are repeated and when, and limits the pace of all requests by the minute and the second.
import pRetry, { type RetryContext } from 'p-retry';
import type { Clock } from '../base/time/clock.ts';
import type { Random } from '../base/random.ts';
import { plural } from '../base/text/words.ts';
import { ApiFailure, type FailureClass, type HttpMethod } from './failure.ts';
import type { RetryNotice } from './types.ts';
import { humanDuration } from '../base/time/duration.ts';
import { onAbort } from '../base/time/on-abort.ts';
import {
  BURSTS_IN_A_MINUTE,
  COMPLAINT_GAP_MS,
  COMPLAINT_RECOVERY_MS,
  SLOWEST_SHARE,
  TRAVEL_MS,
} from '../model/operations/timing.ts';

const MAX_ATTEMPTS = 5;

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 20_000;
const RETRY_AFTER_CAP_MS = 120_000;

export const PROXY_WANTS_CREDENTIALS = 'EPROXYAUTH';

/**
 * True if the request may be repeated; a write only if the service did not process it. False for a write to a busy project (423): the caller
 * waits for the project's operations. False if a repetition would only fail again, for example for an untrusted certificate.
 */
export function mayRetry(failure: ApiFailure): boolean {
  const { failureClass, method, code } = failure;
  if (failureClass === 'not_sent') return !GIVEN_UP.has(code) && !isCertificateCode(code);
  if (failureClass === 'refused' || method === 'GET') return failureClass !== 'refused';
  return failureClass === 'come_later' && !isOfBusyProject(failure);
}

/** True if the service answered 423 because operations lock an existing project. A write then waits until these operations have ended. */
export function isOfBusyProject({ status, path }: Pick<ApiFailure, 'status' | 'path'>): boolean {
  return status === 423 && path.startsWith('/projects/');
}

const GIVEN_UP: ReadonlySet<string> = new Set([
  'ABORT_ERR',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  PROXY_WANTS_CREDENTIALS,
]);

export function retryDelayMs(failure: ApiFailure, attempt: number, random: Random): number {
  const ceilingMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
  return Math.max(failure.retryAfterMs ?? 0, Math.round(random.next() * ceilingMs));
}

export function isCertificateCode(code: string): boolean {
  return /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|CRL/.test(code);
}

/** Classifies a status. A 408 is ambiguous, because the service may have acted before it stopped reading. */
export function statusClass(status: number): FailureClass | 'ok' {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 423 || status === 429 || status === 503) return 'come_later';
  if (status >= 300 && status < 500 && status !== 408) return 'refused';
  return 'ambiguous';
}

/** The statuses of a write that succeeded completely. Other 2xx statuses may mean a changed or incomplete result (203, 206, 207). */
const TAKEN: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/** True if the status means a complete reply. Without this check, trueup could take a part of a list for the whole list. */
export function isWholeAnswer(method: HttpMethod, status: number): boolean {
  return method === 'GET' ? status === 200 : TAKEN.has(status);
}

export interface RetrySetting {
  readonly clock: Clock;
  readonly random: Random;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Once aborted, no request is repeated. */
  readonly closed?: AbortSignal | undefined;
  readonly deadlineMs?: number;
}

/** Resolves with the first success, or rejects with the last failure. An abort ends a pause, but never hides the result of an attempt. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  setting: RetrySetting,
): Promise<T> {
  let why: string | null = null;
  const shouldRetry = async ({ error, attemptNumber }: RetryContext): Promise<boolean> => {
    if (!(error instanceof ApiFailure)) return false;
    why = await pauseAfter(error, attemptNumber, setting, signal);
    return why === null;
  };
  try {
    // p-retry only counts: its pauses ignore the injected clock and Retry-After, and its signal would discard a success after an abort.
    return await pRetry(attempt, { retries: MAX_ATTEMPTS, minTimeout: 0, maxTimeout: 0, shouldRetry });
  } catch (error) {
    throw error instanceof ApiFailure && why ? new ApiFailure(`${error.message}; ${String(why)}`, error) : error;
  }
}

/** Pauses, then resolves with null. If no attempt may follow, resolves with the reason: empty if `mayRetry` is false, or after an abort. */
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
  const { retryAfterMs: askedMs } = failure;
  if (askedMs !== null && askedMs > RETRY_AFTER_CAP_MS)
    return `the service asks to wait ${humanDuration(askedMs)}, but a run waits at most ${humanDuration(RETRY_AFTER_CAP_MS)}`;
  const delayMs = retryDelayMs(failure, attempts, random);
  if (clock.monotonicMs() + delayMs >= deadlineMs) return 'the time limit ends before the request may be sent again';
  const { method, path, message: cause } = failure;
  onRetry?.({ method, path, attempt: attempts + 1, delayMs, cause });
  return clock.sleep(delayMs, pausing).then(
    () => null,
    () => '',
  );
}

const MINUTE_MS = 60_000 + TRAVEL_MS;
const SECOND_MS = 1000 + TRAVEL_MS;

export interface RequestBudget {
  /** Waits for a turn; rejects with the signal's reason. `isLookedAt`: true for a write, which goes first while its reading is fresh. */
  take(signal: AbortSignal, isLookedAt?: boolean): Promise<void>;
  /** Called after a 429: halves the pace, which then slowly recovers (`COMPLAINT_RECOVERY_MS`). */
  complain(): void;
}

export function createRequestBudget(options: { clock: Clock; requestsPerMinute: number }): RequestBudget {
  return Number.isFinite(options.requestsPerMinute)
    ? new PacedBudget(options.clock, Math.max(1, Math.floor(options.requestsPerMinute)))
    : { take: async () => undefined, complain: () => undefined };
}

type Admit = () => void;

class PacedBudget implements RequestBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #first: Admit[] = [];
  readonly #others: Admit[] = [];
  #turnsMs: number[] = [];
  #share = 1;
  #shareSinceMs = -Infinity;
  #stopTimer = (): void => undefined;

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  async take(signal: AbortSignal, isLookedAt = false): Promise<void> {
    if (!this.#isFull()) return this.#grant();
    signal.throwIfAborted();
    const line = isLookedAt ? this.#first : this.#others;
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        stopListening();
        resolve(this.#grant());
      };
      const stopListening = onAbort(signal, () => {
        line.splice(line.indexOf(admit), 1);
        reject(signal.reason as Error);
        this.#admit();
      });
      line.push(admit);
      this.#admit();
    });
  }

  #isFull(): boolean {
    return this.#first.length + this.#others.length > 0 || this.#nextMs() > this.#clock.monotonicMs();
  }

  complain(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#shareSinceMs < COMPLAINT_GAP_MS) return;
    this.#share = Math.max(SLOWEST_SHARE, this.#currentShare() / 2);
    this.#shareSinceMs = nowMs;
  }

  #grant(): void {
    this.#turnsMs.push(this.#clock.monotonicMs());
    if (this.#turnsMs.length > 2 * this.#perMinute + 100) this.#turnsMs = this.#turnsMs.slice(-this.#perMinute);
  }

  #admit(): void {
    this.#stopTimer();
    for (let next = this.#first[0] ?? this.#others[0]; next !== undefined; next = this.#first[0] ?? this.#others[0]) {
      const waitMs = this.#nextMs() - this.#clock.monotonicMs();
      if (waitMs > 0) {
        this.#stopTimer = this.#clock.after(Math.ceil(waitMs), () => this.#admit());
        return;
      }
      (this.#first.length > 0 ? this.#first : this.#others).shift();
      next();
    }
  }

  #currentShare(): number {
    return Math.min(1, this.#share + (this.#clock.monotonicMs() - this.#shareSinceMs) / COMPLAINT_RECOVERY_MS);
  }

  #nextMs(): number {
    const perMinute = Math.max(1, Math.floor(this.#perMinute * this.#currentShare()));
    const perSecond = Math.max(1, Math.floor(perMinute / BURSTS_IN_A_MINUTE));
    return Math.max(this.#roomMs(perMinute, MINUTE_MS), this.#roomMs(perSecond, SECOND_MS));
  }

  #roomMs(count: number, windowMs: number): number {
    return (this.#turnsMs.at(-count) ?? -Infinity) + windowMs;
  }
}
