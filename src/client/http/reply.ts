// Makes a response of the bytes of a reply, and a failure of the right class if the reply is missing or broken.
import { inert } from '../../base/text/inert.ts';
import { ApiFailure } from '../failure.ts';
import { overdue, type ExchangeLimits } from './within-time.ts';
import { statusClass } from '../retry/retry-policy.ts';
import type { HttpRequest, HttpResponse } from '../types.ts';

/** Error code of a request that ran out of time. */
export const TIMED_OUT = 'ETIMEDOUT';
/** Error code of a request that its caller aborted. */
const ABORTED = 'ABORT_ERR';

export interface ReplyHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** The status of a broken reply still counts: a refusal stays a refusal, and a success is unusable. `how` ends the sentence about the reply. */
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

/** Reason not to read the body, judged by the head; null if there is none. */
export function unreadableHead(request: HttpRequest, head: ReplyHead, limits: ExchangeLimits): string | null {
  const encoding = head.headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return `is compressed (${inert(encoding, 40)}), against the request`;
  if (Number(head.headers['content-length'] ?? 0) > byteCap(request, limits)) return tooLarge(request, limits);
  return null;
}

export function byteCap(request: HttpRequest, limits: ExchangeLimits): number {
  return request.method === 'GET' ? limits.readBytes : limits.writeBytes;
}

export function tooLarge(request: HttpRequest, limits: ExchangeLimits): string {
  return `is larger than ${byteCap(request, limits)} bytes`;
}

/** Without a byte sent, the service cannot have acted; otherwise nobody knows. */
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

export function abortedRequest(request: HttpRequest, sent: boolean): ApiFailure {
  const late = overdue(request.signal);
  if (late !== null) return noReply(request, { sent, code: TIMED_OUT, words: late });
  return noReply(request, { sent, code: ABORTED, words: 'the run was interrupted' });
}
