// What is not lost by the way: a branch or database in use, one that is not the disposable one, and what something declared rests on.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../../src/control-plane/index.ts';
import { openSite, type Site } from '../../../support/site.ts';
import { COMPUTE, CONTENTS, ID, inShop, MAIN, MAIN_BRANCH, shopWorld, STAGING } from '../../../support/shop.ts';

type Compute = Readonly<Record<string, unknown>>;
const KEEPER = { name: 'keeper', protected: true };
const worldOf = (...computes: readonly Compute[]): World =>
  shopWorld({
    created_at: '-40d',
    branches: [MAIN_BRANCH, { id: STAGING, name: 'staging', parent_id: MAIN, ...CONTENTS, roles: ['app', KEEPER] }],
    computes: computes.map((compute) => ({ id: COMPUTE, branch: 'staging', created_at: '-40d', ...compute })),
  });

const IDLE_FOR_A_WEEK = 'safety: { drop: { unless_idle: 7d } }\n';
const STAGING_LABEL = 'shop/branches/staging';
/** A line that has something go, and its address. */
const BRANCH = ['branches: { staging: { state: absent } }', STAGING_LABEL] as const;
const DATABASE = [
  'branches: { staging: { databases: { orders: { state: absent } } } }',
  `${STAGING_LABEL}/databases/orders`,
] as const;
const PROJECT = ['state: absent', 'shop'] as const;

async function blocksOf(site: Site, yaml: string, address: string, ...allow: readonly string[]): Promise<unknown> {
  const plan = await site.plan(yaml, allow);
  return plan.changes.find((change) => change.address === address)?.blockedBy ?? 'no such change';
}

describe('what is in use', () => {
  // One that never suspends was changed long ago, and serves people now.
  const RUNNING = { current_state: 'active', updated_at: '-30d', last_active: '-30d', suspend_timeout_seconds: -1 };
  const USED = { current_state: 'idle', updated_at: '-30d', last_active: '-2h' };
  const FORGOTTEN = { current_state: 'idle', updated_at: '-1h', last_active: '-30d' };
  it.each([
    ['a branch whose compute runs', BRANCH, RUNNING, ['not_idle']],
    ['a branch whose compute was active two hours ago', BRANCH, USED, ['not_idle']],
    ['a branch whose compute was active a month ago', BRANCH, FORGOTTEN, []],
    ['a database whose compute runs', DATABASE, RUNNING, ['not_idle']],
    ['a database whose compute was active two hours ago', DATABASE, USED, ['not_idle']],
    ['a database whose compute was active a month ago', DATABASE, FORGOTTEN, []],
    ['a project whose compute runs', PROJECT, RUNNING, ['not_idle']],
  ] as const)('is told of %s', async (_name, [line, address], compute, blocks) => {
    const site = openSite({ seed: worldOf(compute) });
    expect(await blocksOf(site, inShop(line) + IDLE_FOR_A_WEEK, address, `drop:${address}`)).toEqual(blocks);
  });

  it.each([
    [RUNNING, /in use now/],
    [USED, /last used 20/],
  ] as const)('is said of what is dropped', async (compute, words) => {
    const site = openSite({ seed: worldOf(compute) });
    for (const [line] of [BRANCH, DATABASE, PROJECT]) {
      const plan = await site.plan(inShop(line));
      expect(JSON.stringify(plan.changes.map(({ impactDetails }) => impactDetails))).toMatch(words);
    }
  });
});

describe('what --exclude leaves out does not go with anything', () => {
  it.each([
    ['a database of a branch', BRANCH, `${STAGING_LABEL}/databases/*`, ['protect']],
    ['all below a branch', BRANCH, `${STAGING_LABEL}/*/*`, ['protect']],
    ['a branch of a project', PROJECT, 'shop/branches/*', ['protect']],
    ['a compute of a project', PROJECT, 'shop/ep-*', ['protect']],
    ['what is elsewhere', BRANCH, 'shop/branches/main/databases/*', []],
  ] as const)('%s', async (_name, [line, address], exclude, blocks) => {
    const site = openSite({ seed: worldOf({ current_state: 'idle' }) });
    const { plan } = await site.outcome({ file: inShop(line), allow: [`drop:${address}`], exclude: [exclude] });
    expect(plan?.changes.find((change) => change.address === address)?.blockedBy).toEqual(blocks);
  });
});

it('is no role that the service keeps for itself, whoever consents', async () => {
  const address = 'shop/branches/staging/roles/keeper';
  const lines = ['branches: { staging: { roles: { keeper: { state: absent } } } }'];
  const { result, writes } = await openSite({ seed: worldOf() }).apply(inShop(...lines), [`drop:${address}`]);
  expect(result.status).toBe('blocked');
  expect(writes).toEqual([]);
  expect(await blocksOf(openSite({ seed: worldOf() }), inShop(...lines), address, `drop:${address}`)).toEqual([
    'refused',
  ]);
});

it('is a branch whatever the service keeps for itself there', async () => {
  const lines = ['branches: { staging: { state: absent, roles: { keeper: { state: absent } } } }'];
  const { result, writes } = await openSite({ seed: worldOf() }).apply(inShop(...lines), [
    'drop:shop/branches/staging',
  ]);
  expect(result.status).toBe('converged');
  expect(writes).toEqual([`DELETE /projects/${ID}/branches/${STAGING}`]);
});

describe('a disposable branch', () => {
  async function withOne(): Promise<{ readonly site: Site; readonly id: string }> {
    const site = openSite({ seed: worldOf() });
    const { body } = await site.api('POST', `/projects/${ID}/branches`, {
      branch: { name: 'try', parent_id: MAIN },
      annotation_value: { 'trueup.disposable': 'true' },
    });
    return { site, id: (body as { readonly branch: { readonly id: string } }).branch.id };
  }

  it.each([
    ['as declared', 'main: {}, try: { from: main, state: absent, disposable: true }', []],
    [
      'with another parent than the declared one',
      'staging: {}, try: { from: staging, state: absent, disposable: true }',
      ['allowance'],
    ],
    ['with another name than the declared one', 'other: { id: ID, state: absent, disposable: true }', ['name_differs']],
    ['that is declared elsewhere, as a label', 'kept: ID, try: { state: absent, disposable: true }', ['allowance']],
  ])('goes by its own declaration, or not: one %s', async (_name, branches, blocks) => {
    const { site, id } = await withOne();
    const plan = await site.plan(inShop(`branches: { ${branches.replace('ID', id)} }`));
    expect(plan.changes.find(({ action }) => action === 'delete')?.blockedBy).toEqual(blocks);
  });
});

describe('what something declared rests on by its id', () => {
  const KEPT = `kept: ${STAGING}, `;
  it.each([
    ['is not dropped under a compute to be made', KEPT, `computes: { c: { branch: ${STAGING} } }`, [], ['refused']],
    ['is not dropped under a live compute, by a label', KEPT, 'computes: { c: { branch: kept } }', [{}], ['refused']],
    [
      'is not dropped under a live compute, by its id',
      KEPT,
      `computes: { c: { id: ${COMPUTE}, branch: ${STAGING} } }`,
      [{}],
      ['refused'],
    ],
    ['is not dropped under a branch to be made', `child: { from: ${STAGING} }, `, '', [], ['refused']],
    ['goes with its computes that no file keeps', '', `computes: { c: { id: ${COMPUTE}, state: absent } }`, [{}], []],
  ] as const)('%s', async (_name, branches, line, computes, blocks) => {
    const yaml = inShop(`branches: { ${branches}staging: { state: absent } }`, line);
    const site = openSite({ seed: worldOf(...computes) });
    expect(await blocksOf(site, yaml, STAGING_LABEL, `drop:${STAGING_LABEL}`)).toEqual(blocks);
  });
});

describe('what is declared on a branch that shall be absent', () => {
  const BELOW = 'roles: { next: {}, app: { password: { file: app.json } } }, databases: { orders: { owner: next } }';
  it('is neither made nor changed: it goes with the branch', async () => {
    const site = openSite({ seed: worldOf({}) });
    const yaml = inShop(`branches: { staging: { state: absent, ${BELOW} } }`);
    const { plan, result } = await site.apply(yaml, ['drop:shop/branches/staging']);
    expect(plan.steps.map(({ method }) => method)).toEqual(['DELETE']);
    expect([plan.upkeep, result.status]).toEqual([[], 'converged']);
    expect((await site.apply(yaml)).result.status).toBe('converged');
  });
});

describe('prune', () => {
  it.each(['trueup.disposable', 'trueup.set'])('never removes a compute on a branch with the note %s', async (note) => {
    const site = openSite({ seed: worldOf() });
    const { body } = await site.api('POST', `/projects/${ID}/branches`, {
      branch: { name: 'try', parent_id: MAIN },
      endpoints: [{ type: 'read_write' }],
      annotation_value: { [note]: 'true' },
    });
    const [endpoint] = (body as { readonly endpoints: readonly { readonly id: string }[] }).endpoints;
    const yaml = inShop('prune: true', `computes: { c: { branch: ${MAIN}, new: true } }`);
    const address = `shop/${endpoint?.id ?? ''}`;
    expect(await blocksOf(site, yaml, address, 'delete:*')).toBe('no such change');
    expect(await blocksOf(site, `${yaml}    branches: { main: {} }\n`, address, 'delete:*')).toBe('no such change');
  });

  it('removes none while nobody can tell what its branch says', async () => {
    const unlisted = { when: { method: 'GET', path: '/projects/*/branches' }, times: 'always' } as const;
    const yaml = inShop('prune: true', `computes: { c: { branch: ${MAIN}, new: true } }`);
    const blocks = async (status: number): Promise<unknown> => {
      const fault = { kind: 'reply', status, commit: false } as const;
      const site = openSite({ seed: worldOf({}), faults: { rules: [{ ...unlisted, fault }] } });
      return blocksOf(site, yaml, `shop/${COMPUTE}`, 'delete:*');
    };
    expect(await blocks(403)).toEqual(['unread']);
    // A service without such a list keeps no notes either.
    expect(await blocks(404)).toEqual([]);
  });
});
