// What an HTTP status says of the request's fate.
import type { FailureClass } from './types.ts';

/** The class of a status; `ok` for 2xx. 408 tells nothing: the service may have acted before it gave up reading. */
export function statusClass(status: number): FailureClass | 'ok' {
  if (status >= 200 && status < 300) return 'ok';
  if (status === 423 || status === 429 || status === 503) return 'come_later';
  if (status >= 300 && status < 500 && status !== 408) return 'refused';
  return 'ambiguous';
}
