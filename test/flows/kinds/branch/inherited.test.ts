// What comes with a copy and shall differ from where it comes from is changed in the apply that makes the copy.
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../support/site.ts';
import { all, ALL_OF_IT, CASES, file, SCRATCH, world } from './differing.ts';
import { ID, MAIN } from '../../../support/shop.ts';

describe.each(Object.entries(CASES))('%s of what comes with a branch', (_, { fork, writes, allow: allowed = [] }) => {
  it('comes about in one apply', async () => {
    const site = openSite({ seed: world });
    const { result, sent } = await site.apply(file(fork), allowed);
    expect(result.steps.map(({ outcome, message }) => [outcome, message])).toEqual(writes.map(() => ['done', null]));
    expect(result.status).toBe('converged');
    const short = sent
      .filter((one) => !one.startsWith('GET'))
      .map((one) => one.replace(/ .*\/(branches|roles|databases)/, ' $1'));
    expect(short).toEqual(writes);
    expect((await site.plan(file(fork))).summary).toMatchObject({ create: 0, update: 0, delete: 0 });
  });
});

describe.each([...Object.entries(CASES), ['some of all that', ALL_OF_IT] as const])(
  'a saved plan of %s',
  (_, { fork, allow = [] }) => {
    it('has nothing left to do when it was applied', async () => {
      const site = openSite({ seed: world });
      const plan = await site.plan(file(fork), allow);
      expect((await site.saved(plan)).result.status).toBe('converged');
      const { result, writes } = await site.saved(plan);
      expect([result.status, writes]).toEqual(['converged', []]);
    });
  },
);

it('what shall not come with a branch waits for that, and drops nobody', async () => {
  const plan = await openSite({ seed: world }).plan(file(CASES['its absence']?.fork ?? ''), [SCRATCH]);
  const needs = plan.steps.map(({ id, needs: all }) => [id, all]);
  expect(Object.fromEntries(needs)).toMatchObject({
    'delete:shop/branches/fork/databases/scratch': ['create:shop/branches/fork'],
  });
  expect(plan.changes.find(({ action }) => action === 'delete')?.impact).toEqual(['data_lost']);
});

/** The id of the branch that was made. */
async function forkOf(site: Site): Promise<string | undefined> {
  const { branches } = (await site.api('GET', `/projects/${ID}/branches`)).body as { branches: { id: string }[] };
  return branches.find(({ id }) => id !== MAIN)?.id;
}

it('a saved plan sends nothing where somebody has changed what came with a branch of an earlier run', async () => {
  const yaml = file(CASES['an owner that is made there']?.fork ?? '');
  for (let call = 1; ; call += 3) {
    const site = openSite({ seed: world });
    const plan = await site.plan(yaml);
    await site.live({ file: yaml }, { call, when: 'after' });
    const made = await forkOf(site);
    if (made === undefined) continue;
    await site.clock.advance(60_000);
    const path = `/projects/${ID}/branches/${made}/databases/shopdb`;
    expect(await site.api('PATCH', path, { database: { owner_name: 'other' } })).toMatchObject({ status: 200 });
    await site.clock.advance(60_000);
    const { result, writes } = await site.saved(plan);
    expect(result.status).toBe('stale');
    expect(writes).toEqual([]);
    return;
  }
});

describe('what somebody made on the branch after a saved plan was applied', () => {
  const HOUR_MS = 3_600_000;
  const ALLOW = [SCRATCH, 'drop:shop/branches/fork/roles/other'];
  const ABSENT_ROLE = 'fork: { from: main, roles: { other: { state: absent } } }';
  const OLD_NAME = { name: 'shopdb', owner_name: 'app' };
  it.each([
    ['a database of its name', CASES['its absence']?.fork, { name: 'scratch', owner_name: 'app' }, HOUR_MS],
    ['a role of the name that was to go', ABSENT_ROLE, { name: 'other' }, HOUR_MS],
    ['a database of the name that was left', CASES['another name']?.fork, OLD_NAME, HOUR_MS],
    ['one of that name right away, which may be either', CASES['another name']?.fork, OLD_NAME, 0],
  ])('is not what came along: %s', async (_, fork = '', made, afterMs) => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file(fork), ALLOW);
    expect((await site.saved(plan)).result.status).toBe('converged');
    const [section, body] = 'owner_name' in made ? ['databases', { database: made }] : ['roles', { role: made }];
    const path = `/projects/${ID}/branches/${await forkOf(site)}/${section}`;
    await site.clock.advance(afterMs);
    expect((await site.api('POST', path, body)).status).toBe(201);
    await site.clock.advance(HOUR_MS);
    const { result, writes } = await site.saved(plan);
    expect([result.status, writes]).toEqual(['stale', []]);
  });
});

it('what differs for good is blocked, and nothing is promised for the next apply', async () => {
  const plan = await openSite({ seed: world }).plan(file('fork: { from: main, roles: { app: { no_login: true } } }'));
  const change = plan.changes.find(({ address }) => address === 'shop/branches/fork/roles/app');
  expect(change).toMatchObject({ action: 'update', blockedBy: ['immutable'], resourceId: null });
});

/** What is to go comes along first: removals come last. */
const GOING: Readonly<
  Record<string, readonly [branches: readonly string[], allow: string, writes: readonly string[]]>
> = {
  'where it comes from': [
    [
      'main: { databases: { scratch: { state: absent } } }',
      'fork: { from: main, databases: { kept: { renamed_from: scratch, owner: readonly } } }',
    ],
    'drop:shop/branches/main/databases/scratch',
    ['POST branches', 'PATCH scratch', 'DELETE scratch'],
  ],
  'from a copy': [
    [
      'main: {}',
      'fork: { from: main, databases: { scratch: { state: absent } } }',
      'leaf: { from: fork, databases: { scratch: { owner: readonly } } }',
    ],
    SCRATCH,
    ['POST branches', 'POST branches', 'PATCH scratch', 'DELETE scratch'],
  ],
};

it.each(Object.entries(GOING))(
  'what is to go %s is what its copies begin with',
  async (_, [branches, allow, expected]) => {
    const site = openSite({ seed: world });
    const { result, writes } = await site.apply(all(...branches), [allow]);
    expect(result.status).toBe('converged');
    expect(writes.map((one) => one.replace(/^(\w+) .*\//, '$1 '))).toEqual(expected);
  },
);

it.each([
  ['is left to others', 'lifecycle: { ignore: [owner] }'],
  ['is held', 'lifecycle: { hold: [{ path: owner, value: app, reason: soon, until: 2100-01-01 }] }'],
])('what %s where it comes from comes as it is there', async (_, lifecycle) => {
  const site = openSite({ seed: world });
  const { result, sent } = await site.apply(
    all(
      `main: { databases: { scratch: { owner: readonly, ${lifecycle} } } }`,
      'fork: { from: main, databases: { scratch: { owner: readonly } } }',
    ),
  );
  expect(result.status).toBe('converged');
  expect(sent.filter((one) => one.startsWith('PATCH'))).toHaveLength(1);
});

/** Refused as it is where the branch lives already. */
const REFUSED: Readonly<Record<string, readonly [databases: string, code: string]>> = {
  'of two that both come along': ['shopdb: { renamed_from: scratch, owner: app }', 'both_names_live'],
  'in a ring': ['shopdb: { renamed_from: scratch, owner: app }, scratch: { renamed_from: shopdb, owner: app }', 'ring'],
  'of one to two names': [
    'one: { renamed_from: scratch, owner: app }, two: { renamed_from: scratch, owner: app }',
    'claimed_twice',
  ],
};

it.each(Object.entries(REFUSED))('a rename %s is an error before anything is sent', async (_, [databases, code]) => {
  const { diagnostics } = await openSite({ seed: world }).outcome(
    file(`fork: { from: main, databases: { ${databases} } }`),
  );
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([{ code }]);
});

describe('a name that is left in the same plan', () => {
  const renamed = 'databases: { shop: { renamed_from: shopdb, owner: app } }';
  const connected = 'connections: { c: { role: app, database: shopdb, secret: { file: c.json } } }';

  it.each([
    ['where it lives', [`main: { ${renamed}, ${connected} }`]],
    ['where it comes along', ['main: {}', `fork: { from: main, ${renamed}, ${connected} }`]],
    ['where it comes from', [`main: { ${renamed} }`, `fork: { from: main, ${connected} }`]],
  ])('is none to connect to, %s', async (_, branches) => {
    const { diagnostics } = await openSite({ seed: world }).outcome(all(...branches));
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([
      { code: 'unknown_referent', address: expect.stringMatching(/connections\/c$/) as string },
    ]);
  });
});
