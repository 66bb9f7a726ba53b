// Repeats a request as the policy says, on the injected clock.
import type { Clock } from '../../base/time/clock.ts';
import type { Random } from '../../base/random.ts';
import { plural } from '../../base/text/words.ts';
import { ApiFailure } from '../failure.ts';
import type { RetryNotice, FailureClass, HttpMethod } from '../types.ts';
import { humanDuration } from '../../base/time/duration.ts';

/** All attempts, including the first. */
const MAX_ATTEMPTS = 5;

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 20_000;
const RETRY_AFTER_CAP_MS = 120_000;

/** Error code if the proxy, not the service, asks for credentials. */
export const PROXY_WANTS_CREDENTIALS = 'EPROXYAUTH';

/**
 * A write is repeated only if the service did not process it, and after a 423 of a project its caller waits for the operations. A closed
 * client, an untrusted certificate and a proxy without credentials fail the same way a second later.
 */
export function mayRetry({ failureClass, method, status, path, code }: ApiFailure): boolean {
  if (failureClass === 'not_sent') return !GIVEN_UP.has(code) && !isCertificateCode(code);
  if (failureClass === 'refused' || method === 'GET') return failureClass !== 'refused';
  return failureClass === 'come_later' && !(status === 423 && path.startsWith('/projects/'));
}

const GIVEN_UP: ReadonlySet<string> = new Set([
  'ABORT_ERR',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
  PROXY_WANTS_CREDENTIALS,
]);

/** Reason to end if the service asks for too long a pause; null for a pause that a run can wait for. */
function tooLongToWait(failure: ApiFailure): string | null {
  const askedMs = failure.retryAfterMs ?? 0;
  if (askedMs <= RETRY_AFTER_CAP_MS) return null;
  return `the service asks to wait ${humanDuration(askedMs)}, but a run waits at most ${humanDuration(RETRY_AFTER_CAP_MS)}`;
}

/** The pause after attempt number `attempt`: full jitter, and at least the pause that the service asks for. */
export function retryDelayMs(failure: ApiFailure, attempt: number, random: Random): number {
  const ceilingMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
  return Math.max(failure.retryAfterMs ?? 0, Math.round(random.next() * ceilingMs));
}

export function isCertificateCode(code: string): boolean {
  return /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|CRL/.test(code);
}

/** A 408 is ambiguous: the service can have acted before it stopped reading. */
export function statusClass(status: number): FailureClass | 'ok' {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 423 || status === 429 || status === 503) return 'come_later';
  if (status >= 300 && status < 500 && status !== 408) return 'refused';
  return 'ambiguous';
}

/** Statuses of a write that succeeded as a whole; 203, 206 and 207 can stand for less. */
const TAKEN: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/** A part of a list must not pass for the whole list. */
export function isWholeAnswer(method: HttpMethod, status: number): boolean {
  return method === 'GET' ? status === 200 : TAKEN.has(status);
}

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
