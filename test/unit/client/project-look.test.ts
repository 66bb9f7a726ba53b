// Protects one look at a project: what it asks for, what it takes an answer for, and how it puts entries into our words.
import { describe, expect, it } from 'vitest';
import { lookAtProject, readOperationLog } from '../../../src/client/operations.ts';
import { readerOf } from '../../../src/client/api-client.ts';
import { json, NEVER, worldOf } from './world.ts';

interface Entry {
  readonly id: string;
  readonly [name: string]: unknown;
}

const entry = (id: string, more: Record<string, unknown> = {}): Entry => ({
  id,
  action: 'start',
  status: 'running',
  ...more,
});

interface Seen {
  readonly seen: string[];
}

/** A log of these entries, newest first, and further ones that are found by their id alone. */
function service(log: readonly Entry[], byId: Readonly<Record<string, Response | Entry>> = {}) {
  const told: Seen = { seen: [] };
  const world = worldOf(async (request) => {
    const url = new URL(request.url);
    told.seen.push(`${url.pathname.replace('/api/v2/projects/p', '')}${url.search}`);
    await world.clock.sleep(10);
    const id = url.pathname.split('/')[6];
    if (id !== undefined) {
      const found = byId[id];
      return found instanceof Response ? found.clone() : json({ operation: found ?? entry('nothing') });
    }
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const limit = Number(url.searchParams.get('limit'));
    return json({ operations: log.slice(from, from + limit), pagination: { cursor: String(from + limit) } });
  });
  const look = async (...awaited: readonly string[]) =>
    world.clock.run(lookAtProject(readerOf(world.client), { projectId: 'p', awaited, signal: NEVER }));
  return { look, told, world };
}

const many = (count: number): Entry[] => Array.from({ length: count }, (_, at) => entry(`old-${at}`));

describe('a look', () => {
  it('reads one page when it shows all that is awaited', async () => {
    const { look, told } = service([entry('a'), ...many(100)]);
    const { operations, sightings } = await look('a');
    expect(told.seen).toEqual(['/operations?limit=30']);
    expect(operations).toHaveLength(30);
    expect(sightings.get('a')).toMatchObject({ id: 'a', status: 'running' });
  });

  it.each([
    [0, 30],
    [10, 30],
    [11, 32],
    [100, 210],
    [245, 500],
    [246, 500],
  ])('for %i operations asks for pages of %i', async (count, limit) => {
    const awaited = Array.from({ length: count }, (_, at) => `a-${at}`);
    const { look, told } = service(awaited.map((id) => entry(id)));
    await look(...awaited);
    expect(told.seen[0]).toBe(`/operations?limit=${limit}`);
  });

  it('pages back until all that is awaited is seen, three pages at the most', async () => {
    const near = service([entry('a'), ...many(40), entry('b'), ...many(500)]);
    await near.look('a', 'b');
    expect(near.told.seen).toEqual(['/operations?limit=30', '/operations?limit=30&cursor=30']);
    const far = service([entry('a'), ...many(500)], { b: entry('b') });
    await far.look('a', 'b');
    expect(far.told.seen.map((path) => path.split('?')[0])).toEqual([
      '/operations',
      '/operations',
      '/operations',
      '/operations/b',
    ]);
  });

  it('fetches what is missing by its id, each once', async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `m-${at}`);
    const { look, told } = service([], Object.fromEntries(ids.map((id) => [id, entry(id, { status: 'finished' })])));
    const { sightings } = await look(...ids);
    expect(ids.map((id) => sightings.get(id))).toMatchObject(ids.map((id) => ({ id, status: 'finished' })));
    expect(told.seen.slice(1).toSorted()).toEqual(ids.map((id) => `/operations/${id}`).toSorted());
  });

  it.each<[string, Response | Entry, unknown]>([
    ['an answer about itself', entry('a'), expect.objectContaining({ id: 'a' })],
    ['an answer about another one', entry('b'), 'unseen'],
    ['an answer about another project', entry('a', { project_id: 'q' }), 'unseen'],
    ['404', json({ message: 'no' }, 404), 'absent'],
    ['409, and everything that passes', json({ message: 'no' }, 423), 'unseen'],
    ['500', json({}, 500), 'unseen'],
    ['nonsense', new Response('{'), 'unseen'],
  ])('takes %s for what it is', async (_, answer, expected) => {
    const { look } = service([], { a: answer });
    expect((await look('a')).sightings.get('a')).toEqual(expected);
  });

  it.each([401, 403, 400])('without the right to see an operation (%i) is refused as a whole', async (status) => {
    const { look } = service([], { a: json({ message: 'no' }, status) });
    await expect(look('a')).rejects.toMatchObject({ status, failureClass: 'refused' });
  });

  it('passes a bug of ours on', async () => {
    const bug = new TypeError('bug in trueup');
    const reader = {
      get: async <T>(path: string): Promise<T> =>
        path.endsWith('/operations') ? ({ operations: [] } as T) : Promise.reject(bug),
    };
    await expect(lookAtProject(reader, { projectId: 'p', awaited: ['a'], signal: NEVER })).rejects.toBe(bug);
  });
});

describe('an entry of the log', () => {
  const FULL = {
    project_id: 'p',
    branch_id: 'br-1',
    endpoint_id: 'ep-1',
    failures_count: 3,
    error: 'no room',
    retry_at: '2026-01-01T00:00:03Z',
    created_at: '2026-01-01T00:00:01Z',
    updated_at: '2026-01-01T00:00:02Z',
  };
  const read = async (...log: readonly Entry[]) => {
    const { world } = service(log);
    const query = { projectId: 'p', signal: NEVER, limit: 100 };
    return world.clock.run(readOperationLog(readerOf(world.client), query));
  };
  const at = (second: number): number => Date.UTC(2026, 0, 1, 0, 0, second);

  it('is put into our words, whatever of it is there', async () => {
    const { operations, complete } = await read(entry('full', FULL), entry('bare'));
    expect(complete).toBe(true);
    const [full, bare] = operations;
    expect(full).toEqual({
      id: 'full',
      action: 'start',
      status: 'running',
      projectId: 'p',
      branchId: 'br-1',
      resourceId: 'ep-1',
      failuresCount: 3,
      error: 'no room',
      retryAtMs: at(3),
      createdAtMs: at(1),
      updatedAtMs: at(2),
    });
    expect(bare).toMatchObject({ projectId: 'p', branchId: null, resourceId: null, failuresCount: 0, error: null });
    expect(bare).toMatchObject({ retryAtMs: null, createdAtMs: null, updatedAtMs: null });
  });

  it('of another project shows that it is another log', async () => {
    const reading = read(entry('a', { project_id: 'q' }), entry('b', { project_id: 'p' }));
    await expect(reading).rejects.toThrow('of another project');
  });

  it('stands by its time, newest first; those without one last, in the order of the service', async () => {
    const { operations } = await read(
      entry('old', { created_at: '2026-01-01T00:00:01Z' }),
      entry('none-1'),
      entry('new', { created_at: '2026-01-01T00:00:09Z' }),
      entry('none-2'),
      entry('odd', { created_at: 'soon' }),
    );
    expect(operations.map(({ id }) => id)).toEqual(['new', 'old', 'none-1', 'none-2', 'odd']);
  });

  it('with an id that cannot stand in a path is never asked for', async () => {
    const { look, told } = service([]);
    const { sightings } = await look('../x', 'a b', '', '-a', 'a'.repeat(101));
    expect(new Set(sightings.values())).toEqual(new Set(['unseen']));
    expect(told.seen.filter((path) => !path.startsWith('/operations?'))).toEqual([]);
  });
});
