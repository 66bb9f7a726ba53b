// How many requests a plan costs: exactly pages of the project list + one list a project (+ one of the account's keys).
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { openSite } from '../../support/site.ts';
import { fileOf, idOf, worldOf } from './fleet.ts';

/** Of a plan of the whole account: every primary, by the name or by the id of its project. */
async function requestsOfPlan(
  projects: number,
  { ids, keys }: { readonly ids: boolean; readonly keys: boolean },
  noHistory = false,
): Promise<readonly string[]> {
  const byName = fileOf(projects, {});
  const byId = byName.replaceAll(/^ {2}p(\d+):$/gm, (line, at) => `${line}\n    id: ${idOf(Number(at))}`);
  const file = (ids ? byId : byName).replace('projects:', `${keys ? 'api_keys: { root: {} }\n' : ''}projects:`);
  const { plan, seen } = openSite({ file, seed: worldOf(projects) });
  expect((await plan({ noHistory })).steps).toEqual([]);
  return seen;
}

describe('requests of a plan without differences', () => {
  it.each([
    { name: 'one project by name', projects: 1, ids: false, keys: false, pages: 1, extra: 0 },
    { name: '30 projects by name', projects: 30, ids: false, keys: false, pages: 1, extra: 0 },
    { name: '401 projects by name: two pages', projects: 401, ids: false, keys: false, pages: 2, extra: 0 },
    { name: '30 projects with ids: no project list', projects: 30, ids: true, keys: false, pages: 0, extra: 0 },
    { name: 'with keys', projects: 30, ids: false, keys: true, pages: 1, extra: 1 },
    { name: 'with ids and keys', projects: 3, ids: true, keys: true, pages: 0, extra: 1 },
  ])('$name', async ({ projects, ids, keys, pages, extra }) => {
    const seen = await requestsOfPlan(projects, { ids, keys });
    expect(seen.filter((request) => request === 'GET /projects')).toHaveLength(pages);
    expect(seen.filter((request) => /^GET \/projects\/[^/]+\/endpoints$/.test(request))).toHaveLength(projects);
    expect(seen.filter((request) => /^GET \/projects\/[^/]+\/operations$/.test(request))).toHaveLength(projects);
    expect(seen).toHaveLength(pages + 2 * projects + extra);
    expect(await requestsOfPlan(projects, { ids, keys }, true)).toHaveLength(pages + projects + extra);
  });
});

describe('what a plan asks of one project, besides its operation log', () => {
  const seed: World = {
    version: 1,
    projects: [
      {
        id: 'calm-lake-100001',
        name: 'shop',
        branches: [
          { id: 'br-main-1', name: 'main', default: true, roles: ['app'] },
          { id: 'br-side-2', name: 'side', roles: ['app'] },
          { id: 'br-bare-3', name: 'bare' },
        ],
        computes: [{ id: 'ep-main-1', branch: 'main' }],
      },
    ],
  };
  const COMPUTES = 'endpoints';
  const BRANCHES = 'branches';
  const CONTENTS = (id: string): readonly string[] => [`branches/${id}/roles`, `branches/${id}/databases`];

  const OF_MAIN = CONTENTS('br-main-1');

  it.each([
    ['computes as they are', 'computes: { a: { branch: br-main-1 } }', [COMPUTES]],
    ['a compute to be made: does its branch exist?', 'computes: { a: { branch: br-side-2 } }', [COMPUTES, BRANCHES]],
    ['several to be made', 'computes: { a: { branch: br-side-2 }, b: { branch: br-bare-3 } }', [COMPUTES, BRANCHES]],
    ['one to be moved', 'computes: { a: { branch: br-side-2, id: ep-main-1 } }', [COMPUTES, BRANCHES]],
    ['branches as they are', 'branches: { main: {}, side: { protected: true } }', [COMPUTES, BRANCHES]],
    ['a branch to be made: was it deleted?', 'branches: { fresh: {} }', [COMPUTES, BRANCHES, BRANCHES]],
    ['its compute, too', 'branches: { fresh: {} }, computes: { a: { branch: fresh } }', [COMPUTES, BRANCHES, BRANCHES]],
    ['roles', 'branches: { main: { roles: { app: {} } }, side: {} }', [COMPUTES, BRANCHES, ...OF_MAIN]],
    [
      'databases of two',
      'branches: { main: { databases: { a: { owner: app } } }, side: { databases: { b: { owner: app } } } }',
      [COMPUTES, BRANCHES, ...OF_MAIN, ...CONTENTS('br-side-2')],
    ],
    [
      'roles of a branch to be made: those of its parent',
      'branches: { main: {}, fresh: { from: main, roles: { app: {} } } }',
      [COMPUTES, BRANCHES, BRANCHES, ...OF_MAIN],
    ],
    [
      'connections: the roles and databases that they name',
      'branches: { main: { connections: { c: { role: app, database: db, secret: { file: c.json } } }, databases: { db: { owner: app } } } }',
      // Whether the service keeps the password is asked where the sink is empty.
      ['', COMPUTES, BRANCHES, ...OF_MAIN],
    ],
    ['permissions', 'permissions: { dana@example.com: {}, old@example.com: { state: absent } }', ['permissions']],
    [
      'all that can be written of it: no list twice',
      'permissions: { dana@example.com: {} }, computes: { a: { branch: main } }, branches: { main: { roles: { app: {} }, databases: { d: { owner: app } } } }',
      ['permissions', COMPUTES, BRANCHES, ...OF_MAIN],
    ],
  ])('%s', async (_, entries, wanted) => {
    const account = openSite({ file: `version: 1\nprojects: { shop: { id: calm-lake-100001, ${entries} } }\n`, seed });
    const { plan, diagnostics } = await account.outcome({ noHistory: true });
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan).not.toBeNull();
    const paths = wanted.map((path) => `GET /projects/calm-lake-100001${path === '' ? '' : '/'}${path}`);
    expect([...account.seen].sort()).toEqual(paths.sort());
  });

  it.each([
    ['a compute is to be made on', 'computes: { a: { branch: br-none-9 } }'],
    ['a compute is to be moved to', 'computes: { a: { branch: br-none-9, id: ep-main-1 } }'],
    ['another is to be made from', 'branches: { kid: { from: br-none-9 } }'],
    ['another is to be made from, by a label', 'branches: { old: br-none-9, kid: { from: old } }'],
  ])('a branch that does not exist, and that %s, is an error', async (_, entries) => {
    const account = openSite({ file: `version: 1\nprojects: { shop: { id: calm-lake-100001, ${entries} } }\n`, seed });
    const { plan, diagnostics } = await account.outcome();
    expect(diagnostics.map(({ code }) => code)).toContain('branch_not_found');
    expect(plan?.steps ?? []).toEqual([]);
  });
});
