// Protects the service's wish for a pause, in both forms of the header.
import { expect, it } from 'vitest';
import { parseRetryAfterMs } from '../../../src/client/answer-failure.ts';

const date = 'Thu, 01 Jan 2026 00:00:00 GMT';

it.each<[string, Record<string, string>, number | null]>([
  ['no header', {}, null],
  ['seconds', { 'retry-after': '3' }, 3000],
  ['zero', { 'retry-after': '0' }, 0],
  ['spaces around', { 'retry-after': ' 7 ' }, 7000],
  ['ten hours', { 'retry-after': '36000' }, 36_000_000],
  ['a negative number', { 'retry-after': '-1' }, null],
  ['a fraction', { 'retry-after': '1.5' }, null],
  ['a word', { 'retry-after': 'abc' }, null],
  ['nothing', { 'retry-after': '' }, null],
  ['absurdly many digits', { 'retry-after': '9'.repeat(400) }, null],
  ['a date (fixdate)', { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT', date }, 5000],
  ['a date in a reply without Date', { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, null],
  ['a date in the past', { 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT', date }, 0],
  ['an ISO date, which HTTP does not know', { 'retry-after': '2026-01-01T00:00:05Z', date }, null],
  ['a date with a remark', { 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT (or a little later)', date }, null],
])('parseRetryAfterMs: %s', (_name, headers, expected) => {
  expect(parseRetryAfterMs(headers)).toBe(expected);
});
