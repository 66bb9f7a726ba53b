// Protects lists from pages that repeat, never end, or come in sizes nobody asked for.
import { describe, expect, it } from 'vitest';
import { listProjects, type ProjectListing } from '../../../src/client/pages.ts';
import { readOperationLog } from '../../../src/client/operations.ts';
import type { Handler } from '../../../src/client/http/handler-transport.ts';
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
  read: () => Promise<ProjectListing>;
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
  return { read: () => clock.run(listProjects(client, NEVER)), requests };
}

/** Pages by their cursors from a text: `0-100 > none > 100-130`, where a page before `>` names the next one. */
function pagesIn(text: string): Readonly<Record<string, Page>> {
  const parts = text.split(' > ');
  const pages = parts.map((part, at): [string, Page] => {
    const [from = 0, to = 0] = part === 'none' ? [] : part.split('-').map(Number);
    return [
      at === 0 ? '' : `c${at}`,
      { ids: ids(from, to), ...(at === parts.length - 1 ? {} : { cursor: `c${at + 1}` }) },
    ];
  });
  return Object.fromEntries(pages);
}

const CASES: readonly [string, string | Readonly<Record<string, Page>>, number, number][] = [
  // name, pages, ids found, requests
  ['no project at all', 'none', 0, 1],
  ['no project at all, under a cursor', 'none > none', 0, 2],
  ['an empty page that names itself again', { '': { ids: ids(0, 3), cursor: 'a' }, a: { ids: [], cursor: 'a' } }, 3, 2],
  ['an empty cursor names no other page', { '': { ids: ids(0, 3), cursor: '' } }, 3, 1],
  ['an empty page with another one after it', '0-3 > none > 3-5', 5, 3],
  ['a short page without a cursor ends it', '0-100', 100, 1],
  ['a short page with a cursor does not: the next one is empty', '0-12 > none', 12, 2],
  ['pages cut short at a hundred', '0-100 > 100-200 > 200-251', 251, 3],
  ['pages cut short at an odd size', '0-37 > 37-74 > 74-75 > none', 75, 4],
  ['no pagination at all, more than the limit', '0-700', 700, 1],
  ['more than the limit and a cursor', '0-700 > 700-701 > none', 701, 3],
  ['a full page and a last one without a cursor', '0-400 > 400-450', 450, 2],
  ['exactly one full page: the next one is empty', '0-400 > none', 400, 2],
  ['the same project on two pages', '0-400 > 399-420', 420, 2],
  ['a page that begins with the end of the one before, and more after it', '0-100 > 95-195 > 190-203', 203, 3],
];

/** What a service gives that cuts its list after `page` and knows of no cursor; asked for less, it gives less. */
function cutting(page: number, cursor?: string): Handler {
  return (request) => {
    const limit = Number(new URL(request.url).searchParams.get('limit'));
    const shown = ids(0, Math.min(page, limit)).map((id) => ({ id, name: id }));
    return json({ projects: shown, ...(cursor === undefined ? {} : { pagination: { cursor } }) });
  };
}

/** The same, whatever is asked for. */
function givingAll(count: number, cursor?: string): Handler {
  return () =>
    json({
      projects: ids(0, count).map((id) => ({ id, name: id })),
      ...(cursor === undefined ? {} : { pagination: { cursor } }),
    });
}

/** Handler, ids found, complete. */
const DOUBTS: readonly [string, Handler, number, boolean][] = [
  ['a first page that comes again for its cursor', cutting(100, 'a'), 100, false],
  ['a page exactly as long as asked for, and no cursor', cutting(400), 400, false],
  ['all of them whatever is asked for, under a cursor that leads back', givingAll(3, 'a'), 3, false],
  ['one at a time, under a cursor that leads back', givingAll(1, 'a'), 1, false],
  ['exactly as many as asked for, from a service that knows no limit', givingAll(400), 400, false],
];

describe('the project list', () => {
  it.each(CASES)('%s', async (_name, pages, found, requests) => {
    const service = serving(typeof pages === 'string' ? pagesIn(pages) : pages);
    const listing = await service.read();
    expect(listing.projects).toHaveLength(found);
    expect(new Set(listing.projects.map(({ id }) => id)).size).toBe(found);
    expect(service.requests).toHaveLength(requests);
    expect(service.requests[0]?.get('limit')).toBe('400');
    expect(listing.complete).toBe(true);
  });

  it.each(DOUBTS)('%s', async (_name, handler, found, complete) => {
    const { clock, client } = worldOf(handler);
    const listing = await clock.run(listProjects(client, NEVER));
    expect([listing.projects.length, listing.complete]).toEqual([found, complete]);
  });

  it('under ever new cursors is not all there is when the same page comes again', async () => {
    let page = 0;
    const { clock, client } = worldOf((request) => {
      const limit = Number(new URL(request.url).searchParams.get('limit'));
      return json({
        projects: ids(0, Math.min(limit, 100)).map((id) => ({ id, name: id })),
        pagination: { cursor: `c${page++}` },
      });
    });
    expect(await clock.run(listProjects(client, NEVER))).toMatchObject({ complete: false });
    expect(page).toBe(2);
  });

  it('that shows nothing under ever new cursors is given up', async () => {
    let page = 0;
    const { clock, client } = worldOf(() => json({ projects: [], pagination: { cursor: `c${page++}` } }));
    expect(await clock.run(listProjects(client, NEVER))).toMatchObject({ complete: false });
    expect(page).toBeLessThan(15);
  });

  it.each(['on one page', 'on two'])('that gives one id two names %s cannot be used', async (where) => {
    const { clock, client } = worldOf((request) => {
      const second = { id: 'p', name: 'other' };
      if (new URL(request.url).searchParams.has('cursor')) return json({ projects: [second] });
      const projects = [{ id: 'p', name: 'shop' }, ...(where === 'on two' ? [] : [second])];
      return json({ projects, pagination: { cursor: 'a' } });
    });
    await expect(clock.run(listProjects(client, NEVER))).rejects.toThrow('twice with different values');
  });

  it('asks by themselves after those that it names and does not show', async () => {
    const { clock, client } = worldOf((request) => {
      const { pathname } = new URL(request.url);
      if (pathname.endsWith('/projects'))
        return json({ projects: [{ id: 'p', name: 'shop' }], unavailable_project_ids: ['y', 'x', 'p', '../z'] });
      return pathname.endsWith('/x') ? json({ project: { id: 'x', name: 'shop' } }) : json({ message: 'gone' }, 404);
    });
    const listing = await clock.run(listProjects(client, NEVER));
    expect(listing.projects.map(({ id }) => id)).toEqual(['p', 'x']);
    expect(listing.unavailableIds).toEqual(['../z', 'y']);
  });
});

it.each(['../users/me', 'a/b', '..', '{shop}', 'x'.repeat(100_000)])(
  'a list with a project that no request could name is not used: %s',
  async (id) => {
    const { read } = serving({ '': { ids: ['p', id] } });
    await expect(read()).rejects.toThrow(/lists the project ".{0,80}", whose id is malformed/);
  },
);

it('a list whose pages are large is not read without bound', async () => {
  let page = 0;
  const note = 'x'.repeat(8 * 1024 * 1024);
  const { clock, client } = worldOf(() => {
    page++;
    return json({ projects: [{ id: `p${page}`, name: 'x', note }], pagination: { cursor: `c${page}` } });
  });
  await expect(clock.run(listProjects(client, NEVER))).rejects.toThrow(
    'the pages of this list are larger than trueup accepts',
  );
  expect(page).toBeLessThan(25);
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
  const query = { projectId: 'p', signal: NEVER, limit: 1000, maxPages: 5 };
  const log = await clock.run(readOperationLog(client, query));
  expect(log).toMatchObject({ complete: true });
  expect(log.operations).toHaveLength(300);
});
