// What is declared in ways that a new account does not know yet is made as it is meant, and the next plan has nothing left to do.
import { describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../support/site.ts';
import { ID, MAIN, shopWith } from '../../../support/shop.ts';

const OLD = 'br-calm-sea-220011';
const world = shopWith(OLD, 'old');
const file = (branches: string, more = ''): string =>
  `version: 1\nprojects: { shop: { ${more}branches: { ${branches} } } }\n`;

const labOf = (branches: string): string =>
  `version: 1\nprojects: { lab: { create: {}, branches: { ${branches} } } }\n`;
const RENAMED = 'roles: { app: {} }, databases: { d: { owner: app, renamed_from: former } }';
const OWNER_A = 'roles: { a: {}, b: {} }, databases: { d: { owner: a } }';
const OWNER_B = 'roles: { b: {} }, databases: { d: { owner: b } }';
const SCHEMA = 'init_source: schema-only';
const WARNED = ['warning'];

type Case = [name: string, yaml: string, warnings?: readonly string[]];
const CASES: Case[] = [
  ['a branch whose former name nobody has', file('new: { renamed_from: former }'), WARNED],
  ['a database whose former name nobody has', file(`main: { ${RENAMED} }`), WARNED],
  ['a database with a former name on a branch that is made for it', file(`b: { ${SCHEMA}, ${RENAMED} }`)],
  ['a database with a former name in a project that is made for it', labOf(`main: { default: true, ${RENAMED} }`)],
  ['a schema of a branch that is declared', file(`main: {}, s: { from: main, ${SCHEMA} }`)],
  [
    'a schema with a role that differs from the one that comes along',
    file(`main: { roles: { app: {} } }, s: { from: main, ${SCHEMA}, roles: { app: {}, own: {} } }`),
  ],
  ['a schema with a database of another owner', file(`main: { ${OWNER_A} }, s: { from: main, ${SCHEMA}, ${OWNER_B} }`)],
  ['a schema of a branch by its id', file(`s: { from: ${OLD}, ${SCHEMA} }`)],
  ['a schema of a branch that is made before', file(`b: { from: main }, main: {}, s: { from: b, ${SCHEMA} }`)],
  ['a lease beside an expiry that is cleared', file('s: { ttl: 7d, expires_at: null }')],
  ['an expiry with a part of a second', file('s: { expires_at: "2026-01-20T00:00:00.502Z" }')],
  ['an expiry beside a lease that is cleared', file('s: { ttl: null, expires_at: 2026-01-20 }')],
];

describe('what is made', () => {
  it.each<Case>(CASES)('is %s', async (_, yaml, warnings = []) => {
    const site = openSite({ seed: world });
    const { plan, result } = await site.apply(yaml, ['create:lab']);
    expect(result.status).toBe('converged');
    const empty = plan.diagnostics.filter(({ code }) => code === 'moved_from_empty');
    expect(empty.map(({ severity }) => severity)).toEqual(warnings);
    const again = await site.plan(yaml);
    expect([again.steps, again.changes.flatMap(({ blockedBy }) => blockedBy)]).toEqual([[], []]);
  });
});

it.each([
  ['of a branch by its label', 'main', 'from: main, '],
  ['of the default branch', 'main', ''],
  ['of a branch by its id', 'main', `from: ${MAIN}, `],
  ['of another branch', 'old', 'from: old, '],
])('a schema %s is taken when all is there that is to lie there', async (_, source, from) => {
  const whole = '{ roles: { app: {} }, databases: { d: { owner: app } } }';
  const yaml = file(`${source}: ${whole}, s: { ${from}init_source: schema-only, roles: { app: {} } }`);
  const plan = await openSite({ seed: world }).plan(yaml);
  const made = plan.steps.find(({ address }) => address === 'shop/branches/s');
  expect(plan.changes.find(({ address }) => address === 'shop/branches/s/roles/app')?.action).toBe('none');
  // It waits for the role as well, through its database.
  expect(made?.needs).toContain(`create:shop/branches/${source}/databases/d`);
});

describe('a former name that comes after the plan', () => {
  const BRANCH = file('new: { renamed_from: former }');
  const DATABASE = file('main: { roles: { app: {} }, databases: { d: { owner: app, renamed_from: former } } }');
  const branch = ['/branches', { branch: { name: 'former', parent_id: MAIN } }] as const;
  const database = [`/branches/${MAIN}/databases`, { database: { name: 'former', owner_name: 'app' } }] as const;
  it.each([
    ['a branch', BRANCH, branch],
    ['a database', DATABASE, database],
  ] as const)(
    'makes the plan stale: nothing is made beside %s that is to be renamed',
    async (_, yaml, [path, body]) => {
      const site = openSite({ seed: world });
      await site.api('POST', `/projects/${ID}/branches/${MAIN}/roles`, { role: { name: 'app' } });
      const plan = await site.plan(yaml);
      expect((await site.api('POST', `/projects/${ID}${path}`, body)).status).toBe(201);
      const { result, writes } = await site.saved(plan);
      expect(result.status).toBe('stale');
      expect(writes).toEqual([]);
      expect((await site.apply(yaml)).planned.length).toBeGreaterThan(0);
      expect((await site.plan(yaml)).steps).toEqual([]);
    },
  );
});

describe('a branch that somebody else makes meanwhile', () => {
  const yaml = file('main: {}, fork: { from: main, databases: { notes: { state: absent } } }');
  const allow = ['drop:shop/branches/fork/databases/notes'];
  const withNotes = async (): Promise<Site> => {
    const site = openSite({ seed: world });
    await site.api('POST', `/projects/${ID}/branches/${MAIN}/roles`, { role: { name: 'app' } });
    await site.api('POST', `/projects/${ID}/branches/${MAIN}/databases`, {
      database: { name: 'notes', owner_name: 'app' },
    });
    return site;
  };
  const fork = { branch: { name: 'fork', parent_id: MAIN } };

  it.each([
    [
      'is not what a saved plan makes: nothing of it is dropped',
      async (site: Site) => site.api('POST', `/projects/${ID}/branches`, fork),
      'stale',
    ],
    [
      'is not what a saved plan makes where another plan of ours makes it',
      async (site: Site) => site.apply(file('main: {}, fork: { from: main }')),
      'stale',
    ],
    ['is made by a saved plan where the same plan made it', async (site: Site) => site.apply(yaml, allow), 'converged'],
  ])('%s', async (_, meanwhile, status) => {
    const site = await withNotes();
    const plan = await site.plan(yaml, allow);
    const { body } = await site.api('GET', `/projects/${ID}/branches`);
    await meanwhile(site);
    expect((await site.api('GET', `/projects/${ID}/branches`)).body).not.toEqual(body);
    const { result, writes } = await site.saved(plan);
    expect([result.status, writes]).toEqual([status, []]);
  });
});

describe('a former name that nobody has', () => {
  const TAKEN_OVER = 'roles: { app: {} }, databases: { x: { owner: app }, y: { owner: app, renamed_from: x } }';
  const blocks = async (site: Site, yaml: string, allow: readonly string[] = []): Promise<readonly unknown[]> =>
    (await site.plan(yaml, allow)).changes.flatMap(({ address, blockedBy }) =>
      blockedBy.length === 0 ? [] : [[address, blockedBy]],
    );

  it('does not tell that what is dropped beside it is another one', async () => {
    const site = openSite({ seed: world });
    const drop = ['drop:shop/branches/old'];
    expect(await blocks(site, file('old: { state: absent }, new: { renamed_from: former }'), drop)).toEqual([
      ['shop/branches/new', ['rename_or_create']],
      ['shop/branches/old', ['rename_or_create']],
    ]);
  });

  it.each([
    ['databases', `main: { ${TAKEN_OVER} }`, 'main/databases/x', 'shop/branches/main/roles/app'],
    ['branches', 'y: { renamed_from: x }, x: {}', 'x'],
  ])('is given to a new one only after it: %s', async (_, branches, x, ...more) => {
    const site = openSite({ seed: world });
    const address = `shop/branches/${x}`;
    const { plan } = await site.outcome({ file: file(branches), target: [address, ...more] });
    expect(plan?.changes.find((one) => one.address === address)?.blockedBy).toEqual(['dependency']);
    expect((await site.apply(file(branches))).result.status).toBe('converged');
    expect((await site.plan(file(branches))).steps).toEqual([]);
  });

  it.each([
    ['one that comes with its project', labOf(`main: { default: true, ${TAKEN_OVER} }`)],
    ['one that it takes over, by its id', file(`q: { id: ${OLD} }, old: { renamed_from: q }`)],
    ['its parent', file('main: {}, q: {}, a: { from: q, renamed_from: q }')],
    ['the parent of its parent', file('main: {}, q: { from: main }, a: { from: q }, b: { from: a, renamed_from: q }')],
  ])('is not waited for by %s', async (_, yaml) => {
    const site = openSite({ seed: world });
    expect((await site.apply(yaml, ['create:lab'])).result.status).toBe('converged');
    expect((await site.plan(yaml)).steps).toEqual([]);
  });

  it('and is held by one that is declared as expired with it, which lives on under it', async () => {
    const site = openSite({ seed: world });
    const plan = await site.plan(file('a: { renamed_from: old, expires_at: 2025-01-01 }'));
    expect(plan.changes.map(({ action, resourceId }) => [action, resourceId])).toEqual([['none', OLD]]);
    expect(plan.unmanaged.map(({ id }) => id)).not.toContain(OLD);
  });

  it('is an error that says so where none can be made first', async () => {
    const site = openSite({ seed: world });
    const { diagnostics } = await site.outcome(file('a: { renamed_from: b }, b: { renamed_from: a }'));
    expect(diagnostics.find(({ severity }) => severity === 'error')?.hint).toBe(
      'Remove one of the references or former names (renamed_from), apply, then write the reference again.',
    );
  });

  it('is not claimed by one that expired', async () => {
    const site = openSite({ seed: world });
    const yaml = file('a: { renamed_from: x, expires_at: 2025-01-01 }, x: {}');
    const { planned, result } = await site.apply(yaml);
    expect([planned.length > 0, result.status]).toEqual([true, 'converged']);
    const plan = await site.plan(yaml);
    expect([plan.steps, plan.changes.find(({ address }) => address === 'shop/branches/x')?.action]).toEqual([
      [],
      'none',
    ]);
  });

  it('and had it, and can be brought back, is not made anew without a word for it', async () => {
    const site = openSite({ seed: world });
    await site.api('DELETE', `/projects/${ID}/branches/${OLD}`);
    const yaml = file('new: { renamed_from: old }');
    expect(await blocks(site, yaml)).toEqual([['shop/branches/new', ['vanished']]]);
    expect(await blocks(site, yaml, ['recreate:shop/branches/new'])).toEqual([]);
  });
});
