// What an HTTP status says of the request's fate.
import type { FailureClass, HttpMethod } from '../types.ts';

/** The class of a status; `ok` for 2xx. 408 tells nothing: the service may have acted before it gave up reading. */
export function statusClass(status: number): FailureClass | 'ok' {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 423 || status === 429 || status === 503) return 'come_later';
  if (status >= 300 && status < 500 && status !== 408) return 'refused';
  return 'ambiguous';
}

/** What a write may be answered with when it was taken; any other success tells of a part, of several things, or of another's copy. */
const TAKEN: ReadonlySet<number> = new Set([200, 201, 202, 204]);

/** True for a success whose body is the whole answer: a list that is a part, or not ready yet, must never be taken for all there is. */
export function isWholeAnswer(method: HttpMethod, status: number): boolean {
  return method === 'GET' ? status === 200 : TAKEN.has(status);
}
