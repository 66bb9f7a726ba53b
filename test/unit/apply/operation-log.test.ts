// How much of a log is read, and when it is taken to be the whole of it.
import { expect, it } from 'vitest';
import { readHistoryUntil, readNewest } from '../../../src/client/operations/log.ts';
import { json, NEVER, worldOf } from '../client/world.ts';

it.each([
  { name: 'a page that is not full ends it, although a cursor is returned', count: 49, cursor: 'a', complete: true },
  { name: 'a page of a round number may have been cut short', count: 50, cursor: 'a', complete: false },
  { name: 'without a cursor it ended', count: 50, cursor: undefined, complete: true },
  { name: 'a full page may be followed by others', count: 100, cursor: 'a', complete: false },
  { name: 'an empty one ends it', count: 0, cursor: 'a', complete: true },
])('one request: $name', async ({ count, cursor, complete }) => {
  const limits: (string | null)[] = [];
  const { clock, client } = worldOf((request) => {
    limits.push(new URL(request.url).searchParams.get('limit'));
    const operations = Array.from({ length: count }, (_, at) => ({
      id: `op-${at}`,
      project_id: 'p',
      branch_id: 'br-1',
      action: 'check_availability',
      status: 'finished',
      failures_count: 0,
      created_at: '2026-11-20T10:00:00Z',
      updated_at: '2026-11-20T10:00:00Z',
    }));
    return json({ operations, ...(cursor === undefined ? {} : { pagination: { cursor } }) });
  });
  const history = await clock.run(readNewest(client, 'p', NEVER));
  expect(history.operations).toHaveLength(count);
  expect(history.complete).toBe(complete);
  expect(limits).toEqual(['100']);
});

it.each([
  { cap: 30, pages: 167, read: 5010 },
  { cap: 1000, pages: 5, read: 5000 },
])('a question is followed 5000 entries back, also where pages hold $cap', async ({ cap, pages, read }) => {
  let page = 0;
  const { clock, client } = worldOf(() => {
    const from = page++ * cap;
    const operations = Array.from({ length: cap }, (_, at) => ({
      id: `op-${from + at}`,
      project_id: 'p',
      action: 'check_availability',
      status: 'finished',
    }));
    return json({ operations, pagination: { cursor: `c${page}` } });
  });
  const history = await clock.run(readHistoryUntil(client, 'p', () => false, NEVER));
  expect([page, history.operations.length, history.complete]).toEqual([pages, read, false]);
});
