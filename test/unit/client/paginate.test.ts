// Protects lists from pages that repeat, never end, or come in sizes nobody asked for.
import { describe, expect, it } from 'vitest';
import { listProjects } from '../../../src/client/list-projects.ts';
import type { ProjectListing } from '../../../src/client/list-projects.ts';
import { readOperationLog } from '../../../src/client/operation-log.ts';
import { json, NEVER, worldOf } from './world.ts';

interface Page {
  readonly ids: readonly string[];
  readonly cursor?: string;
  readonly unavailable?: readonly string[];
}

function ids(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => `p${from + at}`);
}

/** Serves the page that the cursor names (the first for none), whatever the limit. */
function serving(pages: Readonly<Record<string, Page>>): {
  read: (options?: { toEnd: boolean }) => Promise<ProjectListing>;
  requests: URLSearchParams[];
} {
  const requests: URLSearchParams[] = [];
  const { clock, client } = worldOf((request) => {
    const query = new URL(request.url).searchParams;
    requests.push(query);
    const page = pages[query.get('cursor') ?? ''] ?? { ids: [] };
    return json({
      projects: page.ids.map((id) => ({ id, name: id })),
      ...(page.cursor === undefined ? {} : { pagination: { cursor: page.cursor } }),
      ...(page.unavailable === undefined ? {} : { unavailable_project_ids: page.unavailable }),
    });
  });
  return { read: (options) => clock.run(listProjects(client, NEVER, options)), requests };
}

const CASES: readonly [string, Readonly<Record<string, Page>>, number, number, boolean][] = [
  // name, pages, ids found, requests, complete
  ['no project at all', { '': { ids: [], cursor: 'a' } }, 0, 1, true],
  ['a short page ends it, although a cursor is returned', { '': { ids: ids(0, 12), cursor: 'a' } }, 12, 1, true],
  ['no pagination at all, more than the limit', { '': { ids: ids(0, 700) } }, 700, 1, true],
  [
    'a full page and a short one',
    { '': { ids: ids(0, 400), cursor: 'a' }, a: { ids: ids(400, 450), cursor: 'b' } },
    450,
    2,
    true,
  ],
  ['exactly one full page: the next one is empty', { '': { ids: ids(0, 400), cursor: 'a' } }, 400, 2, true],
  ['a full last page without a cursor', { '': { ids: ids(0, 400) } }, 400, 1, true],
  [
    'the same project on two pages',
    { '': { ids: ids(0, 400), cursor: 'a' }, a: { ids: ids(399, 420), cursor: 'b' } },
    420,
    2,
    true,
  ],
  [
    'a cursor that repeats',
    { '': { ids: ids(0, 400), cursor: 'a' }, a: { ids: ids(400, 800), cursor: 'a' } },
    800,
    2,
    true,
  ],
  [
    'the same page under ever new cursors',
    { '': { ids: ids(0, 400), cursor: 'a' }, a: { ids: ids(0, 400), cursor: 'b' } },
    400,
    2,
    true,
  ],
];

describe('the project list', () => {
  it.each(CASES)('%s', async (_name, pages, found, requests, complete) => {
    const service = serving(pages);
    const listing = await service.read();
    expect(listing.projects).toHaveLength(found);
    expect(new Set(listing.projects.map(({ id }) => id)).size).toBe(found);
    expect(service.requests).toHaveLength(requests);
    expect(service.requests[0]?.get('limit')).toBe('400');
    expect(listing.complete).toBe(complete);
  });

  it('is asked on to its end after pages that are smaller than asked for, where every project counts', async () => {
    const pages = {
      '': { ids: ids(0, 100), cursor: 'a' },
      a: { ids: ids(100, 151), cursor: 'b' },
      b: { ids: [], cursor: 'c' },
    };
    const service = serving(pages);
    expect(await service.read()).toMatchObject({ mayGoOn: true });
    const whole = await service.read({ toEnd: true });
    expect([whole.projects.length, whole.mayGoOn, service.requests.length]).toEqual([151, false, 4]);
  });

  it('collects what the service could not show', async () => {
    const service = serving({
      '': { ids: ids(0, 400), cursor: 'a', unavailable: ['x', 'y'] },
      a: { ids: [], unavailable: ['y', 'z'] },
    });
    expect(await service.read()).toMatchObject({ unavailableIds: ['x', 'y', 'z'] });
  });
});

it('a log without end is read for a bounded number of pages, and is then not complete', async () => {
  let page = 0;
  const { clock, client } = worldOf((request) => {
    const limit = Number(new URL(request.url).searchParams.get('limit'));
    const start = page++ * limit;
    const operations = Array.from({ length: limit }, (_, at) => ({
      id: `op-${start + at}`,
      action: 'a',
      status: 'finished',
    }));
    return json({ operations, pagination: { cursor: `c${page}` } });
  });
  const log = await clock.run(readOperationLog(client, { projectId: 'p', signal: NEVER, limit: 2 }));
  expect(page).toBe(1000);
  expect(log.complete).toBe(false);
  expect(log.operations).toHaveLength(2000);
});

it('a log stops where its reader has seen enough', async () => {
  const { clock, client } = worldOf((request) => {
    const cursor = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
    const operations = Array.from({ length: 10 }, (_, at) => ({ id: `op-${cursor + at}`, action: 'a', status: 'x' }));
    return json({ operations, pagination: { cursor: String(cursor + 10) } });
  });
  const log = await clock.run(
    readOperationLog(client, { projectId: 'p', signal: NEVER, limit: 10, isEnough: (seen) => seen.length >= 30 }),
  );
  expect(client.requests()).toBe(3);
  expect(log.complete).toBe(false);
});

it('times that are no times are unknown, and entries are sorted newest first', async () => {
  const entry = (id: string, createdAt: string): object => ({ id, action: 'a', status: 'x', created_at: createdAt });
  const operations = [
    entry('odd', '2026-02-30T99:00:00Z'),
    entry('old', '2026-01-01T00:00:00Z'),
    entry('new', '2026-01-01T03:00:00.123456789+01:00'),
    { ...entry('foreign', '2026-01-01T00:00:00Z'), project_id: 'q' },
  ];
  const { clock, client } = worldOf(() => json({ operations }));
  const log = await clock.run(readOperationLog(client, { projectId: 'p', signal: NEVER, limit: 10 }));
  expect(log.operations.map(({ id, createdAtMs }) => [id, createdAtMs])).toEqual([
    ['new', Date.parse('2026-01-01T02:00:00.123Z')],
    ['old', Date.parse('2026-01-01T00:00:00Z')],
    ['odd', null],
  ]);
});

it('a log whose pages may be short is read until one brings nothing new', async () => {
  const { clock, client } = worldOf((request) => {
    const cursor = Number(new URL(request.url).searchParams.get('cursor') ?? 0);
    const operations = Array.from({ length: cursor < 300 ? 100 : 0 }, (_, at) => ({
      id: `op-${cursor + at}`,
      action: 'a',
      status: 'finished',
    }));
    return json({ operations, pagination: { cursor: String(cursor + 100) } });
  });
  const query = { projectId: 'p', signal: NEVER, limit: 1000, maxPages: 5, shortEnds: false };
  const log = await clock.run(readOperationLog(client, query));
  expect(log).toMatchObject({ complete: true });
  expect(log.operations).toHaveLength(300);
});
