// Protects data that came in since a drop was reviewed: a saved plan and a hash stand for what they showed, and for no more.
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { World } from '../../../src/control-plane/index.ts';
import type { PlanOutcome } from '../../../src/reconciler/types.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite, type Site } from '../../support/site.ts';

const SHOP = 'spring-example-302709';
const OLD = 'br-old-river-991122';
const OLD_COMPUTE = 'ep-cool-darkness-123456';
const SEED: World = {
  version: 1,
  projects: [
    {
      name: 'shop',
      id: SHOP,
      branches: [
        { id: 'br-wispy-meadow-118737', name: 'main', default: true },
        { id: OLD, name: 'old', roles: [{ name: 'app' }], databases: [{ name: 'orders', owner_name: 'app' }] },
      ],
      computes: [{ id: OLD_COMPUTE, branch: 'old', last_active: '2025-12-01T00:00:00Z' }],
    },
  ],
};
const ALL = ['shop', 'shop/**'].map((address) => ({ action: 'drop', address }) as const);
const DROPS = {
  branch: `version: 1\nprojects: { shop: { branches: { old: { state: absent } } } }\n`,
  database: `version: 1\nprojects: { shop: { branches: { old: { id: ${OLD}, databases: { orders: { state: absent } } } } } }\n`,
  project: `version: 1\nprojects: { shop: { id: ${SHOP}, state: absent } }\n`,
} as const;

const open: Site[] = [];
afterEach(() => {
  for (const site of open.splice(0)) site.controlPlane.close();
});

/** What the lists show differently from the second plan on. */
interface Since {
  readonly branch?: JsonObject;
  readonly compute?: JsonObject;
}

async function reviewed(
  file: string,
  before: Since,
  since: Since,
): Promise<{
  readonly hashes: readonly (string | undefined)[];
  readonly status: string;
  readonly writes: readonly string[];
}> {
  let shown = before;
  const site = openSite({
    seed: SEED,
    answers: (request, asItIs) => {
      const { pathname } = new URL(request.url);
      const of = (more: JsonObject | undefined, id: string, key: string) => async (): Promise<Response> => {
        const body = (await (await asItIs()).json()) as Record<string, JsonObject[]>;
        const items = (body[key] ?? []).map((item) => (item['id'] === id ? { ...item, ...more } : item));
        return Response.json({ ...body, [key]: items });
      };
      if (request.method !== 'GET') return null;
      if (pathname.endsWith('/branches')) return of(shown.branch, OLD, 'branches')();
      if (pathname.endsWith('/endpoints')) return of(shown.compute, OLD_COMPUTE, 'endpoints')();
      return null;
    },
  });
  open.push(site);
  const desired = await desiredOf(file);
  const planned = async (): Promise<PlanOutcome> => site.clock.run(site.started().plan({ desired, allow: ALL }));
  const { plan, reading } = await planned();
  if (plan === null) throw new Error('there is no plan');
  expect(plan.steps).toHaveLength(1);
  shown = since;
  const { plan: again } = await planned();
  const from = site.seen.length;
  const request = { allow: ALL };
  const result = await site.clock.run(site.started().apply({ plan, desired, reading, isSaved: true, request }));
  const writes = site.seen.slice(from).filter((call) => !call.startsWith('GET'));
  return { hashes: [plan.planHash, again?.planHash], status: result.status, writes };
}

const SMALL = { branch: { logical_size: 31_457_280 } };
const CHANGES: readonly (readonly [string, Since, Since])[] = [
  ['is in use now', {}, { compute: { current_state: 'active' } }],
  ['was in use since', {}, { compute: { last_active: '2025-12-31T00:00:00Z' } }],
  ['was reset since', {}, { branch: { last_reset_at: '2025-12-31T00:00:00Z' } }],
  ['was written to since', { branch: { written_data_bytes: 10 } }, { branch: { written_data_bytes: 11 } }],
  ['grew from 30 MiB to 9 GB', SMALL, { branch: { logical_size: 9_000_000_000 } }],
  ['grew by an eighth', SMALL, { branch: { logical_size: 35_389_440 } }],
];

describe.each(['branch', 'project'] as const)('the reviewed drop of a %s', (kind) => {
  it.each(CHANGES)('is stale where the branch %s', async (_name, before, since) => {
    const { hashes, status, writes } = await reviewed(DROPS[kind], before, since);
    expect(writes).toEqual([]);
    expect(status).toBe('stale');
    expect(hashes[1]).not.toBe(hashes[0]);
  });

  it('goes through where the branch grew by a thousandth', async () => {
    const { hashes, status, writes } = await reviewed(DROPS[kind], SMALL, { branch: { logical_size: 31_480_000 } });
    expect(writes).toHaveLength(1);
    expect(status).toBe('converged');
    expect(hashes[1]).toBe(hashes[0]);
  });
});

it('the reviewed drop of a database is stale where its branch was in use since', async () => {
  const since = { compute: { last_active: '2025-12-31T00:00:00Z' } };
  const { hashes, status, writes } = await reviewed(DROPS.database, {}, since);
  expect(writes).toEqual([]);
  expect(status).toBe('stale');
  expect(hashes[1]).not.toBe(hashes[0]);
});
