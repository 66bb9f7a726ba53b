// The names by which people protect what lives in an account: whatever files call it, and whatever would make it go.
import { describe, expect, it } from 'vitest';
import type { World, WorldProject } from '../../../src/api/index.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { Change, Plan } from '../../../src/model/outcome/plan.ts';
import { judgedAgain } from '../../../src/plan/guard/judge-again.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan, type OpenedPlan } from '../../../src/plan/json/saved-plan.ts';
import { refuses } from '../../support/faults.ts';
import { openSite } from '../../support/site.ts';
import { NO_LIMITS } from '../../unit/plan/support/world.ts';
import { CONTENTS, ID, MAIN_BRANCH, shopOf, STAGING } from '../../support/shop.ts';

const COMPUTE = 'ep-cool-night-400001';
const world: World = {
  version: 1,
  api_keys: [
    { name: 'prod-key', id: 900, created_at: '-90d' },
    { name: 'ci / deploy', id: 901, created_at: '-90d' },
  ],
  projects: [project()],
};

function project(...more: NonNullable<WorldProject['branches']>): WorldProject {
  return shopOf({
    branches: [
      MAIN_BRANCH,
      { id: 'br-old-river-991122', name: 'empty', roles: [], databases: [] },
      { id: STAGING, name: 'staging', ...CONTENTS },
      ...more,
    ],
    computes: [{ id: COMPUTE, branch: 'staging' }],
    permissions: [{ email: 'Dana@Example.com' }],
  });
}

const LEASED: World = {
  ...world,
  projects: [project({ id: 'br-misty-field-330021', name: 'leased', expires_at: '2026-01-20T00:00:00Z' })],
};
const shop = (entry: string): string => `projects: { shop: { ${entry} } }`;
const PRUNED = 'expect: { base_url: http://localhost/api/v2 }\napi_keys_prune: true\napi_keys: { root: {} }';
const DROPPED = shop('branches: { gone: { name: staging, state: absent } }');
const EMPTY = shop('branches: { gone: { name: empty, ttl: 1h } }');
const OTHER = 'projects: { other: { name: shop, branches: { gone: { name: staging, ttl: 1h } } } }';
const RENAMED = shop(`branches: { x: { id: ${STAGING}, name: foo, ttl: 1h } }`);
const DANA_GONE = shop('permissions: { dana@example.com: { state: absent } }');
const DANA = 'access:shop/permissions/dana@example.com';
const EXPIRING = shop('branches: { gone: { name: staging, ttl: 1h } }');

/** The plan of a file with this protection. */
async function planUnder(protect: string, body: string, allow: readonly string[], seed = world): Promise<Plan> {
  const safety = `safety: { protect: [${JSON.stringify(protect)}] }`;
  return openSite({ seed }).plan(`version: 1\n${safety}\n${body}\n`, allow);
}

async function blocksOf(body: string, protect: string, allow: string): Promise<readonly (readonly string[])[]> {
  const plan = await planUnder(protect, body, [allow]);
  return plan.changes.filter(({ action }) => action !== 'none').map(({ blockedBy }) => blockedBy);
}

describe('is held back by what protects it', () => {
  it.each([
    ['a key by name', 'api_keys: { x: { name: prod-key, state: absent } }', 'api_keys/prod-key', 'revoke:api_keys/*'],
    ['a key by a pattern', 'api_keys: { x: { name: prod-key, state: absent } }', 'api_keys/prod*', 'revoke:api_keys/*'],
    [
      'a key by a name of odd letters',
      'api_keys: { x: { name: "ci / deploy", state: absent } }',
      'api_keys/ci%20%2F%20d*',
      'revoke:*/*',
    ],
    ['a permission as the account writes it', DANA_GONE, 'shop/permissions/Dana@Example.com', DANA],
    ['a permission in other letters', DANA_GONE, 'shop/permissions/DANA@*', DANA],
    ['a branch by its id', DROPPED, `shop/branches/${STAGING}`, 'drop:shop/branches/gone'],
    ['a branch by its role, below its id', DROPPED, `shop/branches/${STAGING}/roles/app`, 'drop:shop/branches/gone'],
    ['an expiry of what is empty', EMPTY, 'shop/branches/empty', 'expire:shop/branches/gone'],
    ['an expiry', EXPIRING, 'shop/branches/staging', 'expire:shop/branches/gone'],
    ['an expiry of the branch of a compute', EXPIRING, `shop/${COMPUTE}`, 'expire:shop/branches/gone'],
    ['an expiry of what holds it, by the name of its project', OTHER, 'shop/**/orders', 'expire:other/branches/gone'],
    ['an expiry of what is called so by the same change', RENAMED, 'shop/branches/foo', 'expire:shop/branches/x'],
    [
      'an expiry of what holds it, found by its name behind a pin that is gone',
      shop('branches: { staging: { id: br-gone-gone-111111, ttl: 1h } }'),
      'shop/branches/staging/databases/orders',
      'expire:shop/branches/staging',
    ],
    ['all of a permission in other letters', DANA_GONE, 'shop/permissions/DANA@example.com/**', DANA],
    ['an expiry of what holds it', EXPIRING, 'shop/branches/staging/databases/orders', 'expire:shop/branches/gone'],
  ])('%s', async (_what, body, protect, allow) => {
    expect(await blocksOf(body, protect, allow)).toContainEqual(['protect']);
    expect(await blocksOf(body, 'elsewhere/**', allow)).toEqual([[]]);
  });

  it.each([
    ['is to go', `computes: { p: { id: ${COMPUTE}, branch_id: ${STAGING}, state: absent } }`],
    ['is to be pruned', 'prune: true, computes: { c: { branch: empty, new: true } }'],
    ['is to be replaced', `computes: { p: { id: ${COMPUTE}, branch_id: ${STAGING}, type: read_only } }`],
    ['is to move away', `computes: { p: { id: ${COMPUTE}, branch: empty } }`],
  ])('an expiry of the branch of a compute that %s in the same run', async (_what, computes) => {
    const body = shop(`branches: { empty: {}, staging: { ttl: 1h } }, ${computes}`);
    const allow = ['expire:shop/branches/staging', 'move:shop/*', 'delete:shop/*', 'replace:shop/*', 'prune:shop/*'];
    const plan = await planUnder(`shop/${COMPUTE}`, body, allow);
    const branch = plan.changes.find(({ address }) => address === 'shop/branches/staging');
    expect([branch?.action, branch?.blockedBy]).toEqual(['update', ['protect']]);
    expect(branch?.notes.join()).toMatch(/is still there, and is protected/);
  });

  it.each([
    [
      'a branch that is to be made with an end',
      'branches: { main: {}, kid: { from: main, ttl: 1h } }, ',
      'branch: kid',
      /the branch kid \(known after apply\) has a lease of 1h; the compute is protected/,
    ],
    ['one that has an end', 'branches: { leased: {} }, ', 'branch: leased', /br-misty-field-330021 expires at 2026-/],
    [
      'a branch whose end is cleared by the same plan',
      'branches: { leased: { expires_at: null } }, ',
      'branch: leased',
      /expires at 2026-/,
    ],
    ['an unlisted branch that has an end', '', 'branch_id: br-misty-field-330021', /expires at 2026-/],
  ])('a move to where it would get an end: to %s', async (_what, branches, where, words) => {
    const moveUnder = async (protect: string, more: string = ''): Promise<Change | undefined> => {
      const body = shop(`${branches}computes: { p: { id: ${COMPUTE}, ${where}${more} } }`);
      const plan = await planUnder(protect, body, ['move:shop/*'], LEASED);
      return plan.changes.find(({ address }) => address === 'shop/p');
    };
    const blocked = { action: 'move', blockedBy: ['protect'] };
    for (const one of [
      await moveUnder(`shop/${COMPUTE}`),
      await moveUnder('elsewhere', ', lifecycle: { protect: true }'),
    ]) {
      expect(one).toMatchObject(blocked);
      expect(one?.notes.join()).toMatch(words);
    }
    expect(await moveUnder('elsewhere')).toMatchObject({ action: 'move', blockedBy: [] });
  });

  it('a move to a branch of which nobody could read whether it has an end', async () => {
    const site = openSite({ seed: world });
    const list = { method: 'GET', path: `/projects/${ID}/branches` };
    site.controlPlane.setFaults({ rules: [{ ...refuses(list, 403), times: 1 }] });
    const compute = `p: { id: ${COMPUTE}, branch_id: br-old-river-991122, lifecycle: { protect: true } }`;
    const plan = await site.plan(`version: 1\n${shop(`computes: { ${compute} }`)}\n`, ['move:shop/*']);
    const [change] = plan.changes;
    expect(change?.blockedBy).toEqual(['protect']);
    expect(change?.notes.join()).toMatch(/the expiry of the branch br-old-river-991122 could not be read/);
  });

  it.each([
    [
      'a compute',
      '',
      ', computes: { p: { branch: staging, type: read_only, new: true, lifecycle: { protect: true } } }',
    ],
    ['a role', ', roles: { fresh: { lifecycle: { protect: true } } }', ''],
  ])('an expiry of what something protected is made in by the same run: %s', async (_what, inside, beside) => {
    const body = shop(`branches: { staging: { ttl: 1h${inside} } }${beside}`);
    const plan = await openSite({ seed: world }).plan(`version: 1\n${body}\n`, ['expire:shop/branches/staging']);
    const branch = plan.changes.find(({ address }) => address === 'shop/branches/staging');
    expect(branch?.blockedBy).toEqual(['protect']);
  });

  it.each([
    ['a role made anew', 'gone: { name: staging, ttl: 1h, roles: { fresh: {} } }', '', 'branches/staging/roles/fresh'],
    [
      'a role that is made, below the id',
      'gone: { name: staging, ttl: 1h, roles: { fresh: {} } }',
      '',
      `branches/${STAGING}/roles/fresh`,
    ],
    [
      'a database by its next name',
      'gone: { name: staging, ttl: 1h, databases: { sold: { renamed_from: orders, owner: app } } }',
      '',
      'branches/staging/databases/sold',
    ],
    ['a compute by its next name', 'gone: { name: staging, ttl: 1h }', 'p: { branch: gone, name: billing }', 'billing'],
    ['a new one', 'gone: { name: staging, ttl: 1h }', 'p: { branch: gone, type: read_only, name: billing }', 'billing'],
    ['a database below a new one', `gone: { id: ${STAGING}, name: foo, ttl: 1h }`, '', 'branches/foo/databases/orders'],
  ])('an expiry of what holds what is called so once the plan is done: %s', async (_what, branch, compute, protect) => {
    const blocksUnder = async (pattern: string): Promise<unknown> => {
      const body = shop(`branches: { ${branch} }, computes: { ${compute} }`);
      const plan = await planUnder(pattern, body, ['expire:shop/branches/gone']);
      return plan.changes.find(({ address }) => address === 'shop/branches/gone')?.blockedBy;
    };
    expect(await blocksUnder(`shop/${protect}`)).toEqual(['protect']);
    expect(await blocksUnder('shop/branches/gone/roles/other')).toEqual([]);
  });

  it.each(['FOUR/**', 'SHOP', '**/SHOP/permissions/*', 'SHOP/permissions/*', 'other/**'])(
    'not a permission of another project: %s',
    async (protect) => {
      expect(await blocksOf(DANA_GONE, protect, DANA)).toEqual([[]]);
    },
  );

  it('each key that is pruned', async () => {
    expect(await blocksOf(PRUNED, 'api_keys/prod-key', 'revoke:api_keys/*')).toEqual([['protect'], []]);
  });

  it('not what ends later, or no more', async () => {
    for (const time of ['null', '2026-01-25T00:00:00Z']) {
      const plan = await planUnder('shop/**', shop(`branches: { leased: { expires_at: ${time} } }`), [], LEASED);
      expect(plan.changes.map(({ action, blockedBy }) => [action, blockedBy])).toEqual([['update', []]]);
    }
  });
});

it('an expiry is held back under a saved plan too, by what the operator protects when that is applied', async () => {
  const site = openSite({ seed: world });
  const address = 'shop/branches/gone';
  const { plan, record } = await site.outcome(`version: 1\n${EXPIRING}\n`, [`expire:${address}`]);
  const stamp = { timestamp: '2026-01-01T00:00:00.000Z', toolVersion: '1', expiresInMs: null };
  if (plan === null || record === null) throw new Error('nothing was planned');
  const opened = openPlan(planToJson(plan, { ...stamp, record }), { kinds, toolVersion: '1' }) as OpenedPlan;
  const stepsUnder = (protect: string): number | undefined => {
    const limits = [{ ...NO_LIMITS, protect: [protect], isOperators: true as const }];
    return judgedAgain(opened, { limits, allow: [{ action: 'expire', address }], isSigned: true }, kinds)?.plan.steps
      .length;
  };
  expect([stepsUnder('elsewhere/**'), stepsUnder('**/orders')]).toEqual([1, 0]);
});
