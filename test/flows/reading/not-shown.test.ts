// Absence is stated: what a list leaves out is asked for by its own route, and what nothing tells the meaning of is never a difference.
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../../src/base/json.ts';
import type { World } from '../../../src/control-plane/index.ts';
import { openSite, type Answers, type Site } from '../../support/site.ts';
import { COMPUTE, ID, MAIN as BRANCH, MAIN_BRANCH, shopOf } from '../../support/shop.ts';

const WORLD: World = {
  version: 1,
  projects: [
    shopOf({
      history_retention_seconds: 172_800,
      settings: { enable_logical_replication: true, allowed_ips: { ips: ['192.0.2.1'] } },
      branches: [{ ...MAIN_BRANCH, protected: true, roles: ['app'] }],
      computes: [{ id: COMPUTE, branch: 'main' }],
    }),
    { name: 'lab', id: 'calm-lake-100001', branches: [{ ...MAIN_BRANCH, id: 'br-calm-lake-100001' }] },
  ],
};

const json = (body: unknown, status = 200): Response => Response.json(body, { status });

/** Without these members, wherever they stand. */
function without(body: Json, names: readonly string[]): Json {
  if (Array.isArray(body)) return body.map((one: Json) => without(one, names));
  if (!isJsonObject(body)) return body;
  const kept = Object.entries(body).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
}

/** Replies to a GET of such a path leave these members out. */
const leavesOut =
  (path: RegExp, names: readonly string[]): Answers =>
  (request, asItIs) =>
    request.method === 'GET' && path.test(new URL(request.url).pathname)
      ? asItIs().then(async (response) => json(without((await response.json()) as Json, names), response.status))
      : null;

const LIST = /\/projects$/;
const PROJECT_ROUTE = new RegExp(`/projects/${ID}$`);
const SETTINGS = ['settings', 'default_endpoint_settings', 'history_retention_seconds'];
const SHOP = `version: 1
projects:
  shop:
    history_retention_seconds: 2d
    settings: { enable_logical_replication: true, allowed_ips: { ips: [192.0.2.1] } }
`;

/** The first of these that has an answer gives it. */
function open(...answers: readonly Answers[]): Site {
  const first: Answers = (...asked) =>
    answers.reduce<ReturnType<Answers>>((found, one) => found ?? one(...asked), null);
  return openSite({ seed: structuredClone(WORLD), answers: first });
}

describe('a project', () => {
  it.each([SETTINGS, ['settings'], ['history_retention_seconds'], ['allowed_ips']])(
    'of which the list leaves something out is asked for by itself: %s',
    async (...names) => {
      const site = open(leavesOut(LIST, names));
      const plan = await site.plan(SHOP);
      expect([plan.steps, plan.diagnostics]).toEqual([[], []]);
      expect(site.seen).toContain(`GET /projects/${ID}`);
      const changed = SHOP.replace('2d', '3d');
      const { result, writes } = await site.apply(changed);
      expect(result.status).toBe('converged');
      expect(writes).toEqual([`PATCH /projects/${ID}`]);
      expect((await site.plan(changed)).steps).toEqual([]);
    },
  );

  it('that does not tell by itself how long it keeps its history is not compared there, which is said once', async () => {
    const site = open(leavesOut(LIST, SETTINGS), leavesOut(PROJECT_ROUTE, ['history_retention_seconds']));
    const plan = await site.plan(SHOP.replace('2d', '3d'));
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics.map(({ code, paths }) => [code, paths])).toEqual([
      ['not_compared', ['history_retention_seconds']],
    ]);
  });
});

describe('a role', () => {
  const ROLES = new RegExp(`/branches/${BRANCH}/roles$`);
  const FILE = 'version: 1\nprojects: { shop: { branches: { main: { roles: { app: { no_login: false } } } } } }\n';

  it.each([
    [[], []],
    [['authentication_method'], ['not_compared']],
  ])('whose own route leaves out %j is blocked by nothing', async (names, codes) => {
    const list = leavesOut(ROLES, ['authentication_method']);
    const own = leavesOut(new RegExp(`${ROLES.source.slice(0, -1)}/app$`), names);
    const site = open(list, own);
    const plan = await site.plan(FILE);
    expect(site.seen).toContain(`GET /projects/${ID}/branches/${BRANCH}/roles/app`);
    expect(plan.changes.flatMap(({ action, blockedBy }) => (action === 'none' ? [] : [action, ...blockedBy]))).toEqual(
      [],
    );
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});

describe('a lease', () => {
  const SCRATCH = 'br-calm-sea-220011';
  const kept = (declared: string): string =>
    `version: 1\nprojects: { shop: { branches: { scratch: { id: ${SCRATCH}, ttl: ${declared} } } } }\n`;
  const INTERVAL = ['ttl_interval_seconds'];
  const leased = (expiresAt: string | null, hidden: RegExp, members: readonly string[] = INTERVAL): Site => {
    const seed = structuredClone(WORLD);
    const more = expiresAt === null ? {} : { expires_at: expiresAt, ttl_interval_seconds: 172_800 };
    const [shop] = seed.projects ?? [];
    const branches = [...(shop?.branches ?? []), { id: SCRATCH, name: 'scratch', parent_id: BRANCH, ...more }];
    return openSite({
      seed: { ...seed, projects: [{ ...shop, name: 'shop', branches }] },
      answers: leavesOut(hidden, members),
    });
  };
  const [FRESH, HALF_OVER] = ['2026-01-02T23:00:00Z', '2026-01-01T12:00:00Z'];
  const LISTED = /\/branches$/;
  const ANYWHERE = /\/branches(\/[^/]*)?$/;

  it.each([
    ['2d', INTERVAL, []],
    ['4d', INTERVAL, ['ttl_seconds']],
    ['2d', [...INTERVAL, 'expires_at'], []],
    ['4d', [...INTERVAL, 'expires_at'], ['ttl_seconds']],
  ])('asks for the branch by itself where only the list leaves out: %s, %j', async (declared, hidden, paths) => {
    const site = leased(FRESH, LISTED, hidden);
    const plan = await site.plan(kept(declared));
    expect(site.seen).toContain(`GET /projects/${ID}/branches/${SCRATCH}`);
    expect(plan.changes.flatMap(({ attributes }) => attributes.map(({ path }) => path))).toEqual(paths);
    expect(plan.diagnostics.filter(({ code }) => code === 'not_compared')).toEqual([]);
  });

  it.each([[INTERVAL], [[...INTERVAL, 'expires_at']]])(
    'is changed where only the list leaves out %j',
    async (hidden) => {
      const site = leased(FRESH, LISTED, hidden);
      expect((await site.apply(kept('4d'))).result.status).toBe('converged');
      expect((await site.plan(kept('4d'))).steps).toEqual([]);
    },
  );

  it('is not compared where no route shows the interval, and a warning says so once', async () => {
    const plan = await leased(FRESH, ANYWHERE).plan(kept('3d'));
    expect([plan.steps, plan.upkeep]).toEqual([[], []]);
    expect(plan.diagnostics.map(({ code, paths }) => [code, paths])).toEqual([['not_compared', ['ttl_seconds']]]);
  });

  it('is renewed and verified where no route shows the interval', async () => {
    const site = leased(HALF_OVER, ANYWHERE);
    const { result, writes } = await site.apply(kept('2d'));
    expect([result.status, result.upkeep.map(({ outcome }) => outcome)]).toEqual(['converged', ['done']]);
    expect(writes).toEqual([`PATCH /projects/${ID}/branches/${SCRATCH}`]);
    expect((await site.plan(kept('2d'))).upkeep).toEqual([]);
  });
});

describe('a compute', () => {
  const NAMES = ['pooler_mode', 'pooler_enabled', 'suspend_timeout_seconds', 'disabled', 'autoscaling_limit_max_cu'];
  const FILE = `version: 1
projects:
  shop:
    branches: { main: ${BRANCH} }
    computes:
      primary: { branch: main, pooler_enabled: true, suspend_timeout_seconds: 900, autoscaling_limit_max_cu: 4 }
`;

  it('of which nobody tells some attributes is not changed there', async () => {
    const plan = await open(leavesOut(/\/endpoints(\/[^/]*)?$/, NAMES)).plan(FILE);
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics.map(({ code, paths }) => [code, paths])).toEqual([
      ['not_compared', ['autoscaling_limit_max_cu', 'pooler_enabled', 'suspend_timeout_seconds']],
    ]);
  });

  it.each([403, 429, 503])('whose own route is answered with %i is unread, not in order', async (status) => {
    const refuse: Answers = ({ url }) =>
      /\/endpoints\/ep-/.test(url) ? json({ code: '', message: 'no' }, status) : null;
    const { plan, result } = await open(leavesOut(/\/endpoints$/, NAMES), refuse).apply(FILE);
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics).toEqual([]);
    expect(plan.unread.map(({ what, reason }) => [what, reason.includes(String(status))])).toEqual([
      ['shop/primary', true],
    ]);
    expect(result.status).toBe('incomplete');
  });

  it('of which only the list leaves them out is asked for by itself', async () => {
    const plan = await open(leavesOut(/\/endpoints$/, NAMES)).plan(FILE);
    expect(plan.changes.flatMap(({ attributes }) => attributes.map(({ path }) => path))).toContain(
      'autoscaling_limit_max_cu',
    );
  });
});

describe('a removal', () => {
  const KEEPERS = ['protected', 'default', 'primary'];
  const BRANCHES = /\/branches$/;
  const OWN = /\/branches\/br-[^/]*$/;
  const compute = (more: string): string => `version: 1\nprojects:\n  shop:\n${more}`;
  const GONE = `    computes: { old: { id: ${COMPUTE}, state: absent } }\n`;
  const rows = [
    [
      'a branch',
      `version: 1\nprojects: { shop: { branches: { main: { id: ${BRANCH}, state: absent } } } }\n`,
      ['drop:shop/branches/main'],
    ],
    ['a project', 'version: 1\nprojects: { shop: { state: absent } }\n', ['drop:shop']],
    ['a compute', compute(GONE), [`delete:shop/old`]],
    ['a compute beside branches', compute(`${GONE}    branches: { main: { protected: true } }\n`), ['delete:shop/old']],
    [
      'an unlisted compute',
      compute(
        `    prune: true\n    branches: { main: ${BRANCH} }\n    computes: { reader: { branch: main, type: read_only } }\n`,
      ),
      ['delete:*'],
    ],
    ['its type', compute(`    computes: { old: { id: ${COMPUTE}, type: read_only } }\n`), ['delete:*', 'replace:*']],
  ] as const;
  const blocksBy = async (yaml: string, allow: readonly string[], names: readonly string[]): Promise<unknown> => {
    const site = open(leavesOut(BRANCHES, KEEPERS), leavesOut(OWN, names));
    const plan = await site.plan(yaml, allow);
    expect(site.seen).toContain(`GET /projects/${ID}/branches/${BRANCH}`);
    return plan.changes.flatMap(({ action, blockedBy }) => (action === 'none' ? [] : blockedBy));
  };

  it.each(rows)(
    'of %s goes by the own route of the branch, where the list does not show what keeps it',
    async (...row) => {
      const [, yaml, allow] = row;
      expect(await blocksBy(yaml, allow, [])).toEqual(['refused']);
    },
  );

  it.each(rows)('of %s is blocked where nobody shows whether the branch keeps it', async (_, yaml, allow) => {
    expect(await blocksBy(yaml, allow, KEEPERS)).toEqual(['unread']);
  });

  it.each(rows)('of %s is planned where the own route shows that nothing keeps it', async (_, yaml, allow) => {
    const list = leavesOut(BRANCHES, KEEPERS);
    const own: Answers = (request, asItIs) =>
      request.method === 'GET' && OWN.test(new URL(request.url).pathname)
        ? asItIs().then(async (response) => {
            const body = (await response.json()) as { readonly branch: object };
            return json({ ...body, branch: { ...body.branch, protected: false, default: false } });
          })
        : null;
    const plan = await open(list, own).plan(yaml, allow);
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual([]);
  });
});

describe('a removal of a compute', () => {
  const PR = { id: 'br-pr-one-000001', name: 'pr-1', annotation_value: { 'trueup.set': `${ID}/pr` } };
  const REPLICA = { id: 'ep-old-one-000001', branch: 'main', type: 'read_only', name: 'important' } as const;
  const seed = (): World => ({
    version: 1,
    projects: [
      shopOf({
        branches: [MAIN_BRANCH, PR],
        computes: [{ id: COMPUTE, branch: 'main' }, { id: 'ep-pr-one-000001', branch: 'pr-1' }, REPLICA],
      }),
    ],
  });
  const main = `branches: { main: ${BRANCH} }, computes: { primary: { branch: main } }`;

  const bare = leavesOut(/\/branches$/, ['annotations']);
  const refused: Answers = (request, asItIs) =>
    new URL(request.url).pathname.endsWith(PR.id) ? json({ message: 'no' }, 403) : bare(request, asItIs);
  it.each([
    ['known by the own route', bare, []],
    ['in doubt, where the own route is refused', refused, ['unread']],
  ])('on a branch of a set is %s, where the list has no annotations', async (_, answers, blocks) => {
    const file = `version: 1\nprojects: { shop: { prune: { branches: [${PR.id}] }, ${main} } }\n`;
    const plan = await openSite({ seed: seed(), answers }).plan(file, ['delete:*']);
    expect(plan.steps).toEqual([]);
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual(blocks);
  });

  it('that has another name is blocked, where only the own route shows the name', async () => {
    const file = `version: 1\nprojects: { shop: { ${main.replace('} }', '}, old: { id: ep-old-one-000001, state: absent } }')} } }\n`;
    const answers = leavesOut(/\/endpoints$/, ['name']);
    const plan = await openSite({ seed: seed(), answers }).plan(file, ['delete:shop/old']);
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual(['name_differs']);
  });
});

describe('a project without a name in the list', () => {
  const LAB = 'calm-lake-100001';
  const nameless =
    (name: Json | undefined): Answers =>
    (request, asItIs) =>
      LIST.test(new URL(request.url).pathname)
        ? asItIs().then(async (response) => {
            const body = (await response.json()) as { readonly projects: readonly { readonly id: string }[] };
            const projects = body.projects.map((one) => (one.id === LAB ? { ...one, name } : one));
            return json({ ...body, projects });
          })
        : null;
  const hidden: Answers = (request) =>
    new URL(request.url).pathname.endsWith(`/projects/${LAB}`) ? json({ message: 'no' }, 403) : null;

  it.each([undefined, null])('is asked for by itself: %s', async (name) => {
    const site = open(nameless(name));
    const plan = await site.plan(SHOP);
    expect([plan.unread, plan.steps, plan.diagnostics]).toEqual([[], [], []]);
    expect(site.seen).toContain(`GET /projects/${LAB}`);
  });

  it('leaves a project with an id alone, and is an uncertainty for one that only a name tells', async () => {
    const list = nameless(undefined);
    const file = `${SHOP.replace('shop:', `shop:\n    id: ${ID}`)}  lab: { branches: { main: { protected: true } } }\n`;
    const plan = await open(list, hidden).plan(file);
    expect(plan.unread.map(({ what }) => what)).toEqual(['lab']);
    expect(plan.changes.map(({ address }) => address)).toEqual(['shop']);
  });
});

describe('a project that is declared by its id', () => {
  const refused: Answers = (request) =>
    LIST.test(new URL(request.url).pathname) ? json({ code: '', message: 'org_id is required' }, 400) : null;
  const PINNED = SHOP.replace('shop:', `shop:\n    id: ${ID}`);

  it.each([
    ['settings', PINNED],
    ['leave to create it', PINNED.replace('settings:', 'create: {}\n    settings:')],
    ['branches', `version: 1\nprojects: { shop: { id: ${ID}, branches: { main: { protected: true } } } }\n`],
    ['an expectation', `${PINNED}expect: { has_project: calm-lake-100001 }\n`],
  ])('needs no list of projects: with %s', async (_, file) => {
    const site = open(refused);
    const plan = await site.plan(file);
    expect([plan.unread, plan.steps, plan.diagnostics]).toEqual([[], [], []]);
    expect(site.seen.filter((one) => one === 'GET /projects')).toEqual([]);
  });

  it('is planned where another one could not be found by its name', async () => {
    const plan = await open(refused).plan(`${PINNED}  lab: { branches: { main: { protected: true } } }\n`);
    expect(plan.unread.map(({ what }) => what)).toEqual(['lab']);
    expect(plan.changes.map(({ address }) => address)).toEqual(['shop']);
  });

  it('is gone, and done, where it is to be removed', async () => {
    const site = open(refused);
    const plan = await site.plan('version: 1\nprojects: { shop: { id: gone-1, state: absent } }\n');
    expect([plan.unread, plan.steps]).toEqual([[], []]);
    expect(site.seen).toEqual(['GET /projects/gone-1']);
  });
});
