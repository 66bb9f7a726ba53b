// How many requests a plan costs: exactly pages of the project list + one list a project (+ one of the account's keys).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { handlerTransport } from '../../../src/client/http/handler-transport.ts';
import { createControlPlane, type World } from '../../../src/control-plane/index.ts';
import { openAccount } from './account.ts';
import { createReconciler } from '../../../src/reconciler/index.ts';

const BASE_URL = 'http://localhost/api/v2';
const cwd = mkdtempSync(join(tmpdir(), 'trueup-requests-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function worldOf(projects: number): World {
  return {
    version: 1,
    projects: Array.from({ length: projects }, (_, at) => ({
      id: `calm-lake-${100_000 + at}`,
      name: `p${at}`,
      branches: [{ id: `br-calm-lake-${100_000 + at}`, name: 'main', default: true }],
      computes: [{ id: `ep-calm-lake-${100_000 + at}`, branch: 'main' }],
    })),
  };
}

/** The whole account as a file: every primary, by name or with the project's id. */
function fileOf(projects: number, options: { readonly ids: boolean; readonly keys: boolean }): string {
  const entries = Array.from(
    { length: projects },
    (_, at) =>
      `  p${at}:\n${options.ids ? `    id: calm-lake-${100_000 + at}\n` : ''}    computes:\n      primary: { branch_id: br-calm-lake-${100_000 + at} }\n`,
  );
  return `version: 1\n${options.keys ? 'api_keys: { root: {} }\n' : ''}projects:\n${entries.join('')}`;
}

async function requestsOfPlan(
  projects: number,
  options: { readonly ids: boolean; readonly keys: boolean },
  noHistory = false,
): Promise<readonly string[]> {
  const clock = new VirtualClock();
  const controlPlane = createControlPlane({ clock, seed: worldOf(projects) });
  const seen: string[] = [];
  const file = join(cwd, 'trueup.yaml');
  writeFileSync(file, fileOf(projects, options));
  const send = handlerTransport(
    async (request) => {
      seen.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v2', '')}`);
      return controlPlane.handle(request);
    },
    { baseUrl: BASE_URL },
  );
  const reconciler = createReconciler({ baseUrl: BASE_URL, credential: controlPlane.rootKey ?? '', send, clock, cwd });
  const loaded = await reconciler.load({
    paths: [file],
    cwd,
    stdin: async () => new Uint8Array(),
    variables: { flags: new Map(), files: [], env: new Map() },
  });
  if (loaded.desired === null) throw new Error(JSON.stringify(loaded.diagnostics));
  const { plan } = await clock.run(reconciler.plan({ desired: loaded.desired, noHistory }));
  expect(plan?.steps).toEqual([]);
  expect(reconciler.client.requests()).toBe(seen.length);
  controlPlane.close();
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

describe('a plan of 1,000 computes in 100 projects', () => {
  const of = (at: number): string => `calm-lake-${100_000 + at}`;
  const tens = Array.from({ length: 10 }, (_, at) => at);
  const hundreds = Array.from({ length: 100 }, (_, at) => at);
  const file = hundreds
    .map(
      (at) =>
        `  p${at}: { computes: { ${tens.map((ten) => `c${ten}: { branch_id: br-${of(at)}-${ten} }`).join(', ')} } }`,
    )
    .join('\n');
  const seed: World = {
    version: 1,
    projects: hundreds.map((at) => ({
      id: of(at),
      name: `p${at}`,
      created_at: '-40d',
      branches: tens.map((ten) => ({ id: `br-${of(at)}-${ten}`, name: `b${ten}`, default: ten === 0 })),
      computes: tens.map((ten) => ({ id: `ep-${of(at)}-${ten}`, branch: `b${ten}`, created_at: '-30d' })),
      // As many as a service might hold back: still, one page tells all.
      operations: tens.map((ten) => ({
        action: 'start_compute',
        endpoint_id: `ep-${of(at)}-${ten}`,
        branch_id: `br-${of(at)}-${ten}`,
        created_at: '-2h',
      })),
    })),
  };

  it.each([
    { noHistory: false, requests: 201 },
    { noHistory: true, requests: 101 },
  ])('is $requests requests (logs left out: $noHistory)', async ({ noHistory, requests }) => {
    const account = await openAccount({
      file: `version: 1\nprojects:\n${file}\n`,
      seed,
      reconciler: { requestsPerMinute: Infinity },
    });
    const { clock, reconciler, desired, seen } = account;
    const { plan } = await clock.run(reconciler.plan({ desired, noHistory }));
    account.close();
    expect(plan?.summary.unchanged).toBe(1000);
    expect(seen).toHaveLength(requests);
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

  it.each([
    ['computes as they are', 'computes: { a: { branch: br-main-1 } }', [COMPUTES]],
    ['a compute to be made: does its branch exist?', 'computes: { a: { branch: br-side-2 } }', [COMPUTES, BRANCHES]],
    ['several to be made', 'computes: { a: { branch: br-side-2 }, b: { branch: br-bare-3 } }', [COMPUTES, BRANCHES]],
    ['one to be moved', 'computes: { a: { branch: br-side-2, id: ep-main-1 } }', [COMPUTES, BRANCHES]],
    ['branches as they are', 'branches: { main: {}, side: { protected: true } }', [COMPUTES, BRANCHES]],
    ['a branch to be made: was it deleted?', 'branches: { fresh: {} }', [COMPUTES, BRANCHES, BRANCHES]],
    [
      'one with its compute',
      'branches: { fresh: {} }, computes: { a: { branch: fresh } }',
      [COMPUTES, BRANCHES, BRANCHES],
    ],
    [
      'roles of one branch',
      'branches: { main: { roles: { app: {} } }, side: {} }',
      [COMPUTES, BRANCHES, ...CONTENTS('br-main-1')],
    ],
    [
      'databases of two',
      'branches: { main: { databases: { a: { owner: app } } }, side: { databases: { b: { owner: app } } } }',
      [COMPUTES, BRANCHES, ...CONTENTS('br-main-1'), ...CONTENTS('br-side-2')],
    ],
    [
      'roles of a branch to be made: those of its parent',
      'branches: { main: {}, fresh: { from: main, roles: { app: {} } } }',
      [COMPUTES, BRANCHES, BRANCHES, ...CONTENTS('br-main-1')],
    ],
    [
      'connections: the roles and databases that they name',
      'branches: { main: { connections: { c: { role: app, database: db, secret: { file: c.json } } }, databases: { db: { owner: app } } } }',
      // Whether the service keeps the password is asked where the sink is empty.
      ['', COMPUTES, BRANCHES, ...CONTENTS('br-main-1')],
    ],
    ['permissions', 'permissions: { dana@example.com: {}, old@example.com: { state: absent } }', ['permissions']],
    [
      'all that can be written of it: no list twice',
      'permissions: { dana@example.com: {} }, computes: { a: { branch: main } }, branches: { main: { roles: { app: {} }, databases: { d: { owner: app } } } }',
      ['permissions', COMPUTES, BRANCHES, ...CONTENTS('br-main-1')],
    ],
  ])('%s', async (_, entries, wanted) => {
    const account = await openAccount({
      file: `version: 1\nprojects: { shop: { id: calm-lake-100001, ${entries} } }\n`,
      seed,
    });
    const { clock, reconciler, desired, seen } = account;
    const { plan, diagnostics } = await clock.run(reconciler.plan({ desired, noHistory: true }));
    account.close();
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(plan).not.toBeNull();
    const paths = wanted.map((path) => `GET /projects/calm-lake-100001${path === '' ? '' : '/'}${path}`);
    expect([...seen].sort()).toEqual(paths.sort());
  });

  it.each([
    ['a compute is to be made on', 'computes: { a: { branch: br-none-9 } }'],
    ['a compute is to be moved to', 'computes: { a: { branch: br-none-9, id: ep-main-1 } }'],
    ['another is to be made from', 'branches: { kid: { from: br-none-9 } }'],
    ['another is to be made from, by a label', 'branches: { old: br-none-9, kid: { from: old } }'],
  ])('a branch that does not exist, and that %s, is an error', async (_, entries) => {
    const account = await openAccount({
      file: `version: 1\nprojects: { shop: { id: calm-lake-100001, ${entries} } }\n`,
      seed,
    });
    const { clock, reconciler, desired } = account;
    const { plan, diagnostics } = await clock.run(reconciler.plan({ desired }));
    account.close();
    expect(diagnostics.map(({ code }) => code)).toContain('branch_not_found');
    expect(plan?.steps ?? []).toEqual([]);
  });
});
