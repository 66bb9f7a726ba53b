// The table of failures, cell by cell, through the whole client: which are sent again, and what is known when they are not.
import { describe, expect, it } from 'vitest';
import { ApiFailure, type FailureClass, type HttpMethod } from '../../../src/client/failure.ts';
import { statusClass } from '../../../src/client/pace.ts';
import { json, worldOf, written } from './world.ts';

it.each<[string, readonly number[]]>([
  ['ok', [200, 201, 202, 204, 299]],
  ['refused', [300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 431, 451]],
  ['come_later', [423, 429, 503]],
  ['ambiguous', [100, 101, 199, 408, 500, 501, 502, 504, 507, 520, 524, 599]],
])('statusClass: %s', (expected, statuses) => {
  expect(statuses.map(statusClass)).toEqual(statuses.map(() => expected));
});

type Fault = number | 'refused connection' | 'lost reply' | 'cut body' | 'bad json' | 'bad shape' | 'web page';

/** What comes back for the fault; `json({})` is a success for writes. */
function answer(fault: Fault): Response {
  switch (fault) {
    case 'refused connection':
      throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', sent: false });
    case 'lost reply':
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', sent: true });
    case 'cut body':
      return new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) }));
    case 'bad json':
      return new Response('{"key": "canary-');
    case 'bad shape':
      return json({ projects: 'canary-' });
    case 'web page':
      return new Response('<html>sign in</html>', { headers: { 'content-type': 'text/html' } });
    default:
      return json({ message: 'no' }, fault);
  }
}

const WRITES: readonly HttpMethod[] = ['POST', 'PATCH', 'DELETE'];
type End = FailureClass | 'success';
/** How a read and a write end when it goes on for ever, each with its attempts. */
const FAULTS: readonly (readonly [readonly Fault[], End, number, End, number])[] = [
  [['refused connection'], 'not_sent', 5, 'not_sent', 5],
  [['lost reply'], 'ambiguous', 5, 'ambiguous', 1],
  [['cut body', 'bad json'], 'unusable', 5, 'unusable', 1],
  [['bad shape'], 'unusable', 5, 'success', 1],
  [['web page'], 'unusable', 5, 'ambiguous', 1],
  [[429, 503], 'come_later', 5, 'come_later', 5],
  [[423], 'come_later', 5, 'come_later', 1],
  [[500, 502, 504, 524, 408], 'ambiguous', 5, 'ambiguous', 1],
  [[307, 400, 401, 403, 404, 409, 412, 422], 'refused', 1, 'refused', 1],
];
const CELLS = FAULTS.flatMap(([faults, onRead, reads, onWrite, writes]) =>
  faults.flatMap((fault) => [
    [fault, 'GET', onRead, reads] as const,
    ...WRITES.map((method) => [fault, method, onWrite, writes] as const),
  ]),
);

it.each(['POST', 'DELETE'] as const)(
  '423 of the account, which has no operations to wait for: %s goes again after the pause asked for, five times in all',
  async (method) => {
    const { clock, client, notices } = worldOf(() => json({ message: 'locked' }, 423, { 'retry-after': '5' }));
    const writing = clock.run(written(client, method, '/api_keys'));
    await expect(writing).rejects.toMatchObject({ failureClass: 'come_later', status: 423 });
    expect(notices.map(({ delayMs }) => delayMs)).toEqual([5000, 5000, 5000, 5000]);
    expect(client.requests()).toBe(5);
  },
);

it.each(CELLS)('class by method: %s on %s: %s after %i', async (fault, method, expected, attempts) => {
  let calls = 0;
  const { clock, client } = worldOf(() => {
    calls++;
    return answer(fault);
  });
  const request =
    method === 'GET' ? client.get('/projects', 'ProjectList') : written(client, method, '/projects/p/things');
  const end = await clock.run(
    request.then(
      () => 'success' as const,
      (error: unknown) => error,
    ),
  );
  if (expected === 'success') expect(end).toBe('success');
  else {
    expect(end).toBeInstanceOf(ApiFailure);
    expect(end).toMatchObject({ failureClass: expected, method });
  }
  expect(calls).toBe(attempts);
  expect(client.requests()).toBe(attempts);
  expect(String(end)).not.toContain('canary');
});

describe('the pause before a retry', () => {
  const ok = (): Response => json({ projects: [] });

  it.each<[string, Record<string, string>, number, number]>([
    ['three seconds asked for', { 'retry-after': '3' }, 3000, 3000],
    // The date counts by the clock of the service, which is an hour ahead here.
    [
      'a date asked for',
      { date: 'Thu, 01 Jan 2026 01:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 01:00:04 GMT' },
      4000,
      4000,
    ],
    ['the longest that is granted', { 'retry-after': '120' }, 120_000, 120_000],
    ['no wish: full jitter', {}, 0, 500],
    ['zero: full jitter', { 'retry-after': '0' }, 0, 500],
    ['nonsense: full jitter', { 'retry-after': 'abc' }, 0, 500],
  ])('%s', async (_name, headers, leastMs, mostMs) => {
    const { clock, client, notices } = worldOf(() => (notices.length === 0 ? json({}, 429, headers) : ok()));
    await clock.run(client.get('/projects', 'ProjectList'));
    expect(clock.monotonicMs()).toBeGreaterThanOrEqual(leastMs);
    expect(clock.monotonicMs()).toBeLessThanOrEqual(mostMs);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatchObject({ method: 'GET', path: '/projects', attempt: 2, delayMs: clock.monotonicMs() });
  });
});
