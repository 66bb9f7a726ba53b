// What came into a branch or a project after its plan was made is not dropped with it, nor given its end: nobody has seen it go.
import { describe, expect, it } from 'vitest';
import type { FaultPlan, World } from '../../../../src/control-plane/index.ts';
import { openSite, somebody, type FaultAt, type Site } from '../../../support/site.ts';
import { COMPUTE, CONTENTS, ID, MAIN, MAIN_BRANCH, shopWorld, STAGING } from '../../../support/shop.ts';

const world = shopWorld({
  created_at: '-40d',
  branches: [MAIN_BRANCH, { id: STAGING, name: 'staging', parent_id: MAIN, ...CONTENTS }],
  computes: [{ id: COMPUTE, branch: 'staging', created_at: '-40d' }],
});
const BRANCH = ['branches: { staging: { state: absent } }', 'drop:shop/branches/staging'] as const;
const EXPIRY = ['branches: { staging: { ttl: 1h } }', 'expire:shop/branches/staging'] as const;
const PROJECT = ['state: absent', 'drop:shop'] as const;
const file = (project: string): string => `version: 1\nprojects: { shop: { ${project} } }\n`;
const ON_STAGING = `/projects/${ID}/branches/${STAGING}`;
const DATABASE = [`${ON_STAGING}/databases`, { database: { name: 'ledger', owner_name: 'app' } }] as const;
const ROLE = [`${ON_STAGING}/roles`, { role: { name: 'auditor' } }] as const;
const REPLICA = [`/projects/${ID}/endpoints`, { endpoint: { branch_id: STAGING, type: 'read_only' } }] as const;
const CHILD = [`/projects/${ID}/branches`, { branch: { name: 'child', parent_id: STAGING } }] as const;

const CASES = [
  ['a database', 'a branch', BRANCH, DATABASE, /the database ledger/],
  ['a role', 'a branch', BRANCH, ROLE, /the role auditor/],
  ['a compute', 'a branch', BRANCH, REPLICA, /the compute ep-/],
  ['a child', 'a branch', BRANCH, CHILD, /the branch child/],
  ['a database', 'a branch that is to expire', EXPIRY, DATABASE, /the database ledger/],
  ['a role', 'a branch that is to expire', EXPIRY, ROLE, /the role auditor/],
  ['a compute', 'a branch that is to expire', EXPIRY, REPLICA, /the compute ep-/],
  ['a database', 'a project', PROJECT, DATABASE, /the database ledger/],
  ['a role', 'a project', PROJECT, ROLE, /the role auditor/],
  ['a compute', 'a project', PROJECT, REPLICA, /the compute ep-/],
  ['a branch', 'a project', PROJECT, CHILD, /the branch child/],
] as const;

/** Somebody's request in the moment before the run makes its own of that number. */
function beside({ controlPlane }: Site, at: number, [path, body]: readonly [string, unknown]): FaultAt {
  return (call) => {
    if (call === at) void somebody(controlPlane, 'POST', path, body);
    return null;
  };
}

type Request = readonly [method: 'POST' | 'PATCH', path: string, body: unknown];

/** What a saved plan comes to after somebody's requests: its end, what it says, and its writes. */
async function savedBefore(yaml: string, word: string, ...requests: readonly Request[]): Promise<object> {
  const site = openSite({ seed: world });
  const plan = await site.plan(yaml, [word]);
  for (const [method, path, body] of requests)
    expect((await site.api(method, path, body)).status).toBe(method === 'POST' ? 201 : 200);
  const { result, writes } = await site.saved(plan);
  return { status: result.status, says: JSON.stringify(result), writes };
}

const stale = (says: RegExp): object => ({ status: 'stale', says: expect.stringMatching(says) as unknown, writes: [] });

describe('what came in since the plan was made', () => {
  it.each(CASES)('keeps a saved plan from anything: %s in %s', async (_what, _in, [yaml, word], request, words) => {
    expect(await savedBefore(file(yaml), word, ['POST', ...request])).toEqual(stale(words));
  });

  const LEDGER = { database: { name: 'ledger' } };
  const PRODUCTION = { branch: { name: 'production' } };
  it.each([
    ['a database', BRANCH, `${ON_STAGING}/databases/orders`, LEDGER, /the database ledger \(formerly orders\)/],
    ['a branch', PROJECT, ON_STAGING, PRODUCTION, /the branch production \(formerly staging\)/],
  ] as const)(
    'keeps a saved plan from anything where it is a new name: of %s',
    async (_what, [yaml, word], path, body, words) => {
      expect(await savedBefore(file(yaml), word, ['PATCH', path, body])).toEqual(stale(words));
    },
  );

  it.each(CASES)('is seen right before the removal: %s in %s', async (_what, _in, [yaml, word], request, words) => {
    const site = openSite({ seed: world });
    await site.plan(file(yaml), [word]);
    const { result, writes } = await site.apply({
      file: file(yaml),
      allow: [word],
      faultAt: beside(site, site.seen.length + 1, request),
    });
    expect(result.status).toBe('stale');
    expect(JSON.stringify(result)).toMatch(words);
    expect(writes).toEqual([]);
  });

  it('is seen where a part of the last look had to be asked for again', async () => {
    const [yaml, word] = BRANCH;
    const { planned, sent } = await openSite({ seed: world }).apply(file(yaml), [word]);
    const calls = [...planned, ...sent];
    const removal = calls.findIndex((one) => one.startsWith('DELETE'));
    const endpoints = calls.findLastIndex((one, at) => at < removal && one.includes('/endpoints'));
    const site = openSite({ seed: world });
    // The two lists beside it have been read by the time at which it is asked for again.
    const lost = [endpoints + 1, endpoints + 4, endpoints + 5];
    const late = beside(site, endpoints + 6, DATABASE);
    const { result, writes: now } = await site.apply({
      file: file(yaml),
      allow: [word],
      faultAt: (call) => (lost.includes(call) ? 'lost_before' : late(call)),
    });
    expect(result.status).toBe('stale');
    expect(JSON.stringify(result)).toMatch(/the database ledger/);
    expect(now).toEqual([]);
  });

  it('is told as the reason why a removal was refused: a child that came after the last look', async () => {
    const options = { seed: world, switches: { locking: 'off' } } as const;
    const [yaml, word] = BRANCH;
    const { planned, sent } = await openSite(options).apply(file(yaml), [word]);
    const removal = [...planned, ...sent].findIndex((one) => one.startsWith('DELETE'));
    const site = openSite(options);
    const { result } = await site.apply({ file: file(yaml), allow: [word], faultAt: beside(site, removal, CHILD) });
    expect(result.status).toBe('stale');
    expect(JSON.stringify(result)).toMatch(/the branch child/);
  });

  it.each([BRANCH, EXPIRY, PROJECT])('changes the hash by which the plan is consented to: %s', async (yaml, word) => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file(yaml), [word]);
    await site.api('POST', ...DATABASE);
    const again = await site.plan(file(yaml), [word]);
    expect(again.planHash).not.toBe(plan.planHash);
  });
});

describe('what the plan itself does in a branch that is to expire', () => {
  const INSIDE =
    'roles: { auditor: {} }, databases: { ledger: { owner: app }, sold: { renamed_from: orders, owner: app } }';
  const BOTH = `branches: { main: {}, staging: { ttl: 1h, ${INSIDE} } }, computes: { old: { id: ${COMPUTE}, branch: staging }, more: { branch: staging, type: read_only } }`;
  const IN = `branches: { main: {}, staging: { ttl: 1h } }, computes: { old: { id: ${COMPUTE}, branch: staging } }`;
  const onMain: World = {
    ...world,
    projects: (world.projects ?? []).map((one) => ({ ...one, computes: [{ id: COMPUTE, branch: 'main' }] })),
  };

  it.each([
    ['makes and renames', BOTH, world],
    ['moves there', IN, onMain],
  ])('is no trouble: what it %s', async (_what, yaml, seed) => {
    const words = [EXPIRY[1], 'move:shop/*'];
    const { result } = await openSite({ seed }).apply(file(yaml), words);
    expect(result.status).toBe('converged');
    const site = openSite({ seed });
    const plan = await site.plan(file(yaml), words);
    expect((await site.saved(plan)).result.status).toBe('converged');
    expect((await site.saved(plan)).result.status).toBe('converged');
  });

  const REFUSED_ONCE: FaultPlan = {
    rules: [
      { when: { method: 'PATCH', path: ON_STAGING }, fault: { kind: 'reply', status: 422, commit: false, body: '{}' } },
    ],
  };
  const PAYROLL = [`${ON_STAGING}/databases`, { database: { name: 'payroll', owner_name: 'app' } }] as const;
  const INTRUDER = [`${ON_STAGING}/roles`, { role: { name: 'intruder' } }] as const;
  const ONE = `branches: { staging: { ttl: 1h } }, computes: { old: { id: ${COMPUTE}, branch: staging }, more: { branch: staging, type: read_only } }`;
  const WAITING = `safety: { windows: ["Sun 02:00-04:00 UTC"] }, branches: { staging: { ttl: 1h, roles: { auditor: {} } } }`;

  it.each([
    ['another database than it makes', BOTH, [PAYROLL], /the database payroll/],
    ['another role than it makes', BOTH, [INTRUDER], /the role intruder/],
    ['one more compute than it makes', ONE, [REPLICA, REPLICA], /the compute ep-/],
    ['a role that it would make within a window', WAITING, [ROLE], /the role auditor/],
  ] as const)('accounts for nothing else: %s', async (_what, yaml, requests, words) => {
    const made = requests.map((request): Request => ['POST', ...request]);
    expect(await savedBefore(file(yaml), EXPIRY[1], ...made)).toEqual(stale(words));
  });

  it('accounts for what it has made, and for no other beside that', async () => {
    const { planned, sent } = await openSite({ seed: world }).apply(file(ONE), [EXPIRY[1]]);
    const end = [...planned, ...sent].findIndex((one) => one.startsWith('PATCH'));
    const site = openSite({ seed: world });
    site.controlPlane.setFaults(REFUSED_ONCE);
    const faultAt = beside(site, end + 1, REPLICA);
    const { result } = await site.apply({ file: file(ONE), allow: [EXPIRY[1]], faultAt });
    expect(result.status).toBe('stale');
    expect(JSON.stringify(result)).toMatch(/the contents of br-\S+ changed since the plan was made: the compute ep-/);
  });

  it('is no trouble where the end was refused at first, and the saved plan is carried out again', async () => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file(BOTH), [EXPIRY[1]]);
    site.controlPlane.setFaults(REFUSED_ONCE);
    expect((await site.saved(plan)).result.status).toBe('incomplete');
    expect((await site.saved(plan)).result.status).toBe('converged');
  });
});

describe('what went from it', () => {
  it.each([BRANCH, PROJECT])('keeps nothing from being removed: %s', async (yaml, word) => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file(yaml), [word]);
    await site.api('DELETE', `${ON_STAGING}/databases/orders`);
    await site.api('DELETE', `/projects/${ID}/endpoints/${COMPUTE}`);
    expect((await site.saved(plan)).result.status).toBe('converged');
  });
});
