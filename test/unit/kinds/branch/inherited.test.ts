// What comes with a copy and shall differ from where it comes from is changed in the apply that makes the copy.
import { describe, expect, it } from 'vitest';
import { openSite } from '../project/site.ts';
import { ID, MAIN, shopOf } from './shop.ts';

const world = shopOf([
  {
    id: MAIN,
    name: 'main',
    default: true,
    roles: ['app', 'readonly', 'other'],
    databases: [
      { name: 'shopdb', owner_name: 'app' },
      { name: 'scratch', owner_name: 'app' },
    ],
  },
]);

const file = (...branches: readonly string[]): string =>
  `version: 1\nprojects:\n  shop:\n    branches:\n${['main: {}', ...branches].map((line) => `      ${line}\n`).join('')}`;

const SCRATCH = 'drop:shop/branches/fork/databases/scratch';

const CASES: Readonly<
  Record<
    string,
    { readonly fork: string; readonly writes: readonly string[]; readonly allow?: string; readonly isSaved?: true }
  >
> = {
  'another owner': {
    fork: 'fork: { from: main, databases: { shopdb: { owner: readonly } } }',
    writes: ['POST branches', 'PATCH databases/shopdb'],
  },
  'an owner that is made there': {
    fork: 'fork: { from: main, roles: { own: {} }, databases: { shopdb: { owner: own } } }',
    writes: ['POST branches', 'POST roles', 'PATCH databases/shopdb'],
  },
  'another name': {
    fork: 'fork: { from: main, databases: { shop: { renamed_from: shopdb, owner: app } } }',
    writes: ['POST branches', 'PATCH databases/shopdb'],
  },
  'its absence': {
    fork: 'fork: { from: main, databases: { scratch: { state: absent } } }',
    writes: ['POST branches', 'DELETE databases/scratch'],
    allow: SCRATCH,
  },
};

describe.each(Object.entries(CASES))('%s of what comes with a branch', (_, { fork, writes, allow }) => {
  const allowed = allow === undefined ? [] : [allow];

  it('is read back after a saved plan', async () => {
    const site = openSite({ seed: world });
    const { plan } = await site.plan(file(fork), allowed);
    expect((await site.saved(plan, allowed)).result.status).toBe('converged');
  });

  it('comes about in one apply', async () => {
    const site = openSite({ seed: world });
    const { result, sent } = await site.apply(file(fork), allowed);
    expect(result.steps.map(({ outcome, message }) => [outcome, message])).toEqual(writes.map(() => ['done', null]));
    expect(result.status).toBe('converged');
    const short = sent
      .filter((one) => !one.startsWith('GET'))
      .map((one) => one.replace(/ .*\/(branches|roles|databases)/, ' $1'));
    expect(short).toEqual(writes);
    expect((await site.plan(file(fork))).plan.summary).toMatchObject({ create: 0, update: 0, delete: 0 });
  });
});

it('all of that comes about by a saved plan too, also where a run before was cut off at any call', async () => {
  const fork =
    'fork: { from: main, databases: { shop: { renamed_from: shopdb, owner: app }, scratch: { state: absent } } }';
  for (let call = 1; ; call++) {
    const site = openSite({ seed: world });
    const { plan } = await site.plan(file(fork), [SCRATCH]);
    const { calls, result } = await site.live(file(fork), [SCRATCH], { call, when: 'after' });
    const again = await site.saved(plan, [SCRATCH]);
    const next = again.result.status === 'converged' ? again : await site.apply(file(fork), [SCRATCH]);
    expect(next.result.status).toBe('converged');
    const { branches } = (await site.api('GET', `/projects/${ID}/branches`)).body as { branches: readonly unknown[] };
    expect(branches).toHaveLength(2);
    if (result !== null && calls.length < call) break;
  }
});

it('what shall not come with a branch waits for that, and drops nobody', async () => {
  const { plan } = await openSite({ seed: world }).plan(file(CASES['its absence']?.fork ?? ''), [SCRATCH]);
  const needs = plan.steps.map(({ id, needs: all }) => [id, all]);
  expect(Object.fromEntries(needs)).toMatchObject({
    'delete:shop/branches/fork/databases/scratch': ['create:shop/branches/fork'],
  });
  expect(plan.changes.find(({ action }) => action === 'delete')?.impact).toEqual(['data_lost']);
});

it('a saved plan sends nothing where somebody has changed what came with a branch of an earlier run', async () => {
  const yaml = file(CASES['an owner that is made there']?.fork ?? '');
  for (let call = 1; ; call++) {
    const site = openSite({ seed: world });
    const { plan } = await site.plan(yaml);
    await site.live(yaml, [], { call, when: 'after' });
    const { branches } = (await site.api('GET', `/projects/${ID}/branches`)).body as { branches: { id: string }[] };
    const made = branches.find(({ id }) => id !== MAIN);
    if (made === undefined) continue;
    await site.clock.run(site.clock.sleep(60_000));
    const path = `/projects/${ID}/branches/${made.id}/databases/shopdb`;
    expect(await site.api('PATCH', path, { database: { owner_name: 'other' } })).toMatchObject({ status: 200 });
    await site.clock.run(site.clock.sleep(60_000));
    const { result, sent } = await site.saved(plan);
    expect(result.status).toBe('stale');
    expect(sent.filter((one) => !one.startsWith('GET'))).toEqual([]);
    return;
  }
});

it('what differs for good is blocked, and nothing is promised for the next apply', async () => {
  const { plan } = await openSite({ seed: world }).plan(
    file('fork: { from: main, roles: { app: { no_login: true } } }'),
  );
  const change = plan.changes.find(({ address }) => address === 'shop/branches/fork/roles/app');
  expect(change).toMatchObject({ action: 'update', blockedBy: ['immutable'], resourceId: null });
});

it('a copy of a copy comes with what was changed there', async () => {
  const site = openSite({ seed: world });
  const yaml = file(
    'fork: { from: main, databases: { shop: { renamed_from: shopdb, owner: readonly } } }',
    'leaf: { from: fork, databases: { shop: { owner: readonly }, shopdb: { owner: app } } }',
  );
  const { result, sent } = await site.apply(yaml);
  expect(result.status).toBe('converged');
  expect(sent.filter((one) => !one.startsWith('GET')).map((one) => one.replace(/^(\w+) .*\//, '$1 '))).toEqual([
    'POST branches',
    'PATCH shopdb',
    'POST branches',
    'POST databases',
  ]);
});
