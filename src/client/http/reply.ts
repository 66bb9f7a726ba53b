// Turns the bytes of a reply into a response, and a reply that never came (whole) into a failure of the right class.
import { inert } from '../../base/text/inert.ts';
import { ApiFailure } from '../failure.ts';
import { overdue, type ExchangeLimits } from './within-time.ts';
import { statusClass } from '../retry/retry-policy.ts';
import type { HttpRequest, HttpResponse } from '../types.ts';

/** The error code of a request that was given up because its time was over. */
export const TIMED_OUT = 'ETIMEDOUT';
/** The error code of a request that its caller gave up. */
const ABORTED = 'ABORT_ERR';

export interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The response with its body decoded, without a byte-order mark. */
export function wholeReply(request: HttpRequest, head: ReplyHead, body: Uint8Array): HttpResponse {
  try {
    return { status: head.status, headers: head.headers, text: UTF8.decode(body) };
  } catch {
    return brokenReply(request, head, 'is not valid UTF-8');
  }
}

/**
 * A reply whose body cannot be read. The status line still counts: a refusal stays what it is (with an empty body), a
 * success is thrown as `unusable`. `how` ends the sentence "the reply …".
 */
export function brokenReply(request: HttpRequest, head: ReplyHead, how: string): HttpResponse {
  if (statusClass(head.status) !== 'ok') return { status: head.status, headers: head.headers, text: '' };
  const { method, path } = request;
  throw new ApiFailure(`${method} ${path} was answered ${head.status}, but the reply ${how}`, {
    failureClass: 'unusable',
    method,
    path,
    status: head.status,
  });
}

/** Why a body must not even be looked at, judging by the head; null when it may. */
export function unreadableHead(request: HttpRequest, head: ReplyHead, limits: ExchangeLimits): string | null {
  const encoding = head.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return `is compressed (${inert(encoding, 40)}) without being asked`;
  if (Number(head.headers['content-length'] ?? 0) > byteCap(request, limits)) return tooLarge(request, limits);
  return null;
}

export function byteCap(request: HttpRequest, limits: ExchangeLimits): number {
  return request.method === 'GET' ? limits.readBytes : limits.writeBytes;
}

export function tooLarge(request: HttpRequest, limits: ExchangeLimits): string {
  return `is larger than ${byteCap(request, limits)} bytes`;
}

/** No answer came. Without a byte sent nothing can have been done; else nobody knows. */
export function noReply(request: HttpRequest, facts: { sent: boolean; code: string; words: string }): ApiFailure {
  const { method, path } = request;
  const fate = facts.sent ? 'got no answer' : 'was not sent';
  return new ApiFailure(`${method} ${path} ${fate}: ${inert(facts.words)}`, {
    failureClass: facts.sent ? 'ambiguous' : 'not_sent',
    method,
    path,
    code: facts.code,
  });
}

/** The caller's signal was aborted, or the deadline that it set has passed. */
export function abortedRequest(request: HttpRequest, sent: boolean): ApiFailure {
  const late = overdue(request.signal);
  if (late !== null) return noReply(request, { sent, code: TIMED_OUT, words: late });
  return noReply(request, { sent, code: ABORTED, words: 'the run was interrupted' });
}
