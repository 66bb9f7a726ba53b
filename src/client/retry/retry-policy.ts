// Which failures are tried again, by class and kind of request, and after how long.
import { humanDuration } from '../../base/time/duration.ts';
import type { Random } from '../../base/random.ts';
import type { ApiFailure } from '../failure.ts';
import type { FailureClass, HttpMethod } from '../types.ts';

/** Attempts in all, the first one included. */
export const MAX_ATTEMPTS = 5;

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 20_000;
const RETRY_AFTER_CAP_MS = 120_000;

type Rule = 'again' | 'again_unless_busy' | 'never';

/**
 * A write is repeated only when it was not processed, by what the service says, and once its caller has looked again. 423 of a project is left to the caller, who knows which
 * operations have to end first; the account itself has none to wait for.
 */
const RULES: Readonly<Record<FailureClass, Readonly<Record<'read' | 'write', Rule>>>> = {
  not_sent: { read: 'again', write: 'again' },
  come_later: { read: 'again', write: 'again_unless_busy' },
  refused: { read: 'never', write: 'never' },
  ambiguous: { read: 'again', write: 'never' },
  unusable: { read: 'again', write: 'never' },
};

/** The error code of a request for which the proxy, not the service, wants credentials. */
export const PROXY_WANTS_CREDENTIALS = 'EPROXYAUTH';

/** True when the class and the method allow another attempt. A closed client, a certificate that is not trusted and a proxy that wants credentials will be no better a second later. */
export function mayRetry(failure: ApiFailure): boolean {
  if (failure.failureClass === 'not_sent' && (isGivenUp(failure) || isRefusedForGood(failure))) return false;
  const rule = RULES[failure.failureClass][failure.method === 'GET' ? 'read' : 'write'];
  return rule === 'again' || (rule === 'again_unless_busy' && !isBusyProject(failure));
}

function isBusyProject({ status, path }: ApiFailure): boolean {
  return status === 423 && path.startsWith('/projects/');
}

/** Why the pause that the service asks for rules out another attempt; null when it does not. */
export function tooLongToWait(failure: ApiFailure): string | null {
  const askedMs = failure.retryAfterMs ?? 0;
  if (askedMs <= RETRY_AFTER_CAP_MS) return null;
  return `the service asks to wait ${humanDuration(askedMs)}, longer than the ${humanDuration(RETRY_AFTER_CAP_MS)} that a run waits`;
}

/** The pause before the attempt after `attempt` (from 1): full jitter, and at least what the service asks for. */
export function retryDelayMs(failure: ApiFailure, attempt: number, random: Random): number {
  const ceilingMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** (attempt - 1));
  return Math.max(failure.retryAfterMs ?? 0, Math.round(random.next() * ceilingMs));
}

/** True when the failure is a time that ran out: such retries cost the run more. */
export function isTimeout(failure: ApiFailure): boolean {
  return failure.code === 'ETIMEDOUT';
}

/** By its caller, or with the whole client. */
function isGivenUp({ code }: ApiFailure): boolean {
  return code === 'ABORT_ERR' || code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED';
}

function isRefusedForGood({ code }: ApiFailure): boolean {
  return isCertificateCode(code) || code === PROXY_WANTS_CREDENTIALS;
}

/** The codes of TLS for a certificate that cannot be trusted. */
export function isCertificateCode(code: string): boolean {
  return /CERT|^UNABLE_TO_|^HOSTNAME_MISMATCH$|^INVALID_CA$|^INVALID_PURPOSE$|CRL/.test(code);
}

/** The class of a status; `ok` for 2xx. 408 tells nothing: the service may have acted before it gave up reading. */
export function statusClass(status: number): FailureClass | 'ok' {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 423 || status === 429 || status === 503) return 'come_later';
  if (status >= 300 && status < 500 && status !== 408) return 'refused';
  return 'ambiguous';
}

/** What a write is answered with when it was done; other successes tell of a part (206), of several things (207) or of a copy on the way (203). */
const TAKEN: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/** True for a success whose body is the whole answer: a list that is a part, or not ready yet, must never be taken for all there is. */
export function isWholeAnswer(method: HttpMethod, status: number): boolean {
  return method === 'GET' ? status === 200 : TAKEN.has(status);
}
