// Connections and their places: rewritten when any part of them changes, let go of when they shall be gone, whatever becomes of the run.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { openSite, type Site, type SiteOptions } from '../../support/site.ts';
import { BRANCH, kept, keptWorld, nowhereElse, passwordOf, placeOf, writesOf } from './kept.ts';

const CONNECTION = 'role: owner, database: orders, secret: { file: app.json }';
const world = (connection: string, more: Parameters<typeof keptWorld>[1] = {}, roles = ''): SiteOptions =>
  keptWorld(roles, more, `, connections: { app: { ${connection} } }`);
/** What the program was given; nothing where it was given nothing. */
function inVault({ vault }: Site, name = 'vault'): unknown {
  const text = vault.get(name) ?? '';
  return JSON.parse(text === '' ? '{}' : text);
}

const HOST = 'ep-main-1.us-east-2.aws.db.localhost';

const forked: SiteOptions = {
  ...keptWorld('', { roles: ['owner', 'app'] }),
  file: 'version: 1\nprojects: { shop: { id: shop-1, branches: { main: {}, fork: { from: main, roles: { app: { password: { file: app.json } } } } } } }\n',
};

/** Two programs that hold something and do not tell what. */
const TWO: Parameters<typeof keptWorld>[1] = {
  stored: ['vault', 'spare'],
  reconciler: { sinks: new Map(['vault', 'spare'].map((name) => [name, '/vault'])) },
};

/** A role whose password the run makes anew. */
const RESET = 'owner: { password: { file: app.json }, rotate: { not_before: 2025-12-31 } }';

/** Such a role, and a connection of it in a program that holds something and does not tell what. */
const SILENT = world('role: owner, database: orders, secret: { exec: vault }', { stored: ['vault'] }, RESET);

describe('a connection', () => {
  it.each([
    ['to the compute itself', '', HOST],
    ['to its pooler', ', pooled: true', HOST.replace('.', '-pooler.')],
  ])('%s is kept whole, and told nowhere else', async (_what, more, host) => {
    const account = openSite(world(`${CONNECTION}${more}`));
    const before = await account.plan();
    expect(before.upkeep).toMatchObject([{ action: 'refill', kind: 'connection', isPending: false }]);
    expect(before.changes.find(({ kind }) => kind === 'connection')).toMatchObject({ action: 'none' });
    expect(account.seen.some((request) => /connection_uri|reveal/.test(request))).toBe(false);
    const { result, events } = await account.apply();
    expect(result.status).toBe('converged');
    const record = kept(account, 'app.json');
    const password = await passwordOf(account, 'owner');
    expect(Object.keys(record)).toEqual(['uri', 'host', 'pooled_host', 'database', 'role', 'password', 'updated_at']);
    expect(record).toMatchObject({ host: HOST, pooled_host: HOST.replace('.', '-pooler.'), password });
    expect(record).toMatchObject({ database: 'orders', role: 'owner' });
    expect(record['uri']).toBe(`postgresql://owner:${password}@${host}/orders?sslmode=require`);
    const after = await account.plan();
    expect([after.upkeep, after.planHash]).toEqual([[], before.planHash]);
    nowhereElse(account, password, [before, result, events, after]);
  });

  it('is rewritten, once, where a run makes the password of its role, though its place does not tell what it holds', async () => {
    const account = openSite(SILENT);
    const { result } = await account.apply();
    expect(result.upkeep).toMatchObject([{ action: 'refill', outcome: 'done', sinks: ['exec:vault'] }]);
    const password = await passwordOf(account, 'owner');
    expect(inVault(account)).toMatchObject({ password });
    expect((await account.apply()).result.upkeep).toEqual([]);
    // Other runs of the folder, which clear its journal up.
    for (let runs = 0; runs < 2; runs++) {
      account.disk.erase(placeOf('app.json'));
      expect((await account.apply()).result.upkeep).toMatchObject([{ sinks: ['file:app.json'] }]);
    }
    expect((await account.plan()).upkeep).toEqual([]);
  });

  it.each([
    ['a program that is not declared', 'exec: nothere', /no program is declared/],
    ['a file that holds something else', 'file: app.json', /not a secret record/],
  ])('that cannot be delivered leaves the run incomplete: %s', async (_what, secret, words) => {
    const account = openSite(world(`role: owner, database: orders, secret: { ${secret} }`));
    account.disk.plant(placeOf('app.json'), 'notes');
    const { result } = await account.apply();
    expect(result).toMatchObject({ status: 'incomplete', upkeep: [{ action: 'refill', outcome: 'failed' }] });
    expect(result.upkeep[0]?.message).toMatch(words);
  });

  it.each([
    ['that is reset', RESET, 'owner'],
    ['that is created', 'app: {}', 'app'],
  ])('whose sink cannot be used keeps its role %s from getting a password', async (_what, roles, role) => {
    const connection = `role: ${role}, database: orders, secret: { file: uri.json }`;
    const account = openSite(world(connection, {}, roles));
    const between = (): void => account.disk.plant(placeOf('uri.json'), 'notes');
    const { result } = await account.apply({ between });
    expect([result.status, writesOf(account)]).toEqual(['incomplete', []]);
    expect(result.steps.map(({ message }) => message).join()).toMatch(/file:uri\.json.*not a secret record/);
    const blocks = (await account.plan()).changes.map(({ address, blockedBy }) => [address, blockedBy]);
    expect(blocks).toContainEqual([`shop/branches/main/roles/${role}`, ['sink_unusable']]);
    account.disk.erase(placeOf('uri.json'));
    expect((await account.apply()).result.status).toBe('converged');
    expect(kept(account, 'uri.json')['password']).toBe(await passwordOf(account, role));
  });

  it('that cannot go into one of its places goes into the others, and the run is incomplete', async () => {
    const two = 'role: owner, database: orders, secret: [{ file: app.json }, { exec: vault }]';
    const account = openSite(world(two));
    account.disk.plant(placeOf('app.json'), 'notes');
    expect((await account.apply()).result.status).toBe('incomplete');
    expect(inVault(account)).toMatchObject({ role: 'owner' });
    account.disk.erase(placeOf('app.json'));
    expect((await account.apply()).result.status).toBe('converged');
    expect(kept(account, 'app.json')).toMatchObject({ role: 'owner' });
  });

  it('that shall be gone, but cannot be had out of one of its places, leaves the run incomplete until it can', async () => {
    const gone = 'state: absent, secret: [{ exec: vault }, { exec: spare }]';
    const account = openSite(world(gone, TWO));
    account.sealed.add('spare');
    for (const sinks of [['exec:vault', 'exec:spare'], ['exec:spare']]) {
      const { result } = await account.apply();
      expect(result).toMatchObject({ status: 'incomplete', upkeep: [{ action: 'forget', outcome: 'failed', sinks }] });
      expect(result.upkeep[0]?.message).toBe('exec:spare cannot be used: check exited with code 1: sealed');
      expect([...account.vault.keys()]).toEqual(['spare']);
    }
    account.sealed.clear();
    expect((await account.apply()).result.status).toBe('converged');
    expect(account.vault.size).toBe(0);
    expect((await account.plan()).upkeep).toEqual([]);
  });

  it('is rewritten when another compute has become the primary', async () => {
    const account = openSite(world(CONNECTION));
    await account.apply();
    const path = '/projects/shop-1/endpoints';
    await account.api('DELETE', `${path}/ep-main-1`);
    await account.clock.advance(60_000);
    await account.api('POST', path, { endpoint: { branch_id: BRANCH, type: 'read_write' } });
    await account.clock.advance(60_000);
    expect((await account.apply()).result.status).toBe('converged');
    expect(kept(account, 'app.json')['host']).not.toBe(HOST);
  });

  it('is told as outdated while its branch has no primary: its host may serve another branch by now', async () => {
    const account = openSite(world(CONNECTION));
    await account.apply();
    await account.api('DELETE', '/projects/shop-1/endpoints/ep-main-1');
    await account.clock.advance(60_000);
    const { upkeep } = await account.plan();
    expect(upkeep).toMatchObject([{ action: 'refill', kind: 'connection', isPending: true }]);
    expect(upkeep[0]?.reasons.join()).toMatch(/app\.json holds an older secret.*waits for a primary compute/);
    const { result } = await account.apply();
    expect(result.status).toBe('incomplete');
    expect(result.upkeep[0]?.message).toMatch(/a primary compute of its branch; declare them, or write/);
  });

  it.each([
    ['its project is not planned', world(CONNECTION), 'PATCH', '/databases/orders', 'incomplete', 'unknown_referent'],
    ['its role has not come along', forked, 'DELETE', '/roles/app', 'incomplete', 'not_planned'],
  ] as const)('of a saved plan is not kept up where %s', async (_, options, method, path, status, code) => {
    const account = openSite(options);
    const plan = await account.plan();
    const body = method === 'PATCH' ? { database: { name: 'sold' } } : undefined;
    await account.api(method, `/projects/shop-1/branches/${BRANCH}${path}`, body);
    await account.clock.advance(60_000);
    const { result } = await account.saved(plan);
    expect(result).toMatchObject({ status, upkeep: [] });
    expect(result.diagnostics.map((one) => one.code)).toContain(code);
  });

  it('that shall be gone is let go of by a file and by a program, and by nothing twice', async () => {
    const gone = 'state: absent, secret: [{ file: app.json }, { exec: vault }]';
    const account = openSite(world(gone, { stored: ['vault'] }));
    account.disk.plant(
      placeOf('app.json'),
      '{"uri":"postgresql://a:b@h/d","host":"h","pooled_host":"p","database":"d","role":"a","password":"b","updated_at":"t"}',
    );
    expect((await account.plan()).upkeep).toMatchObject([{ action: 'forget', sinks: ['file:app.json', 'exec:vault'] }]);
    expect((await account.apply()).result).toMatchObject({ status: 'converged', upkeep: [{ outcome: 'done' }] });
    expect(account.disk.text(placeOf('app.json'))).toBeNull();
    expect(account.vault.size).toBe(0);
    expect((await account.plan()).upkeep).toEqual([]);
  });
});

describe('a connection in a project in which the service keeps no passwords', () => {
  const ROLE = 'shop/branches/main/roles/app';
  const OF_APP = 'role: app, database: orders, secret: { file: uri.json }';
  const OWN = 'app: { password: { file: app.json } }';
  const unkept = (roles: string, of = OF_APP): Site => openSite(world(of, { storePasswords: false }, roles));
  const blocks = ({ changes }: Plan): readonly unknown[] =>
    changes.flatMap(({ action, address, blockedBy }) => (action === 'none' ? [] : [[action, address, blockedBy]]));
  const holdsTheNewest = async (account: Site): Promise<void> => {
    const { password = '', uri = '' } = kept(account, 'uri.json');
    expect(new URL(uri).password).toBe(password);
    expect(password).not.toBe('');
    const plan = await account.plan();
    expect([blocks(plan), plan.upkeep]).toEqual([[], []]);
  };

  it.each([
    ['that has a place itself', OWN],
    ['that has none', 'app: {}'],
  ])('is filled when the run makes its role, %s', async (_what, roles) => {
    const account = unkept(roles);
    const { result, events } = await account.apply();
    expect(result).toMatchObject({ status: 'converged', upkeep: [{ action: 'refill', outcome: 'done' }] });
    await holdsTheNewest(account);
    nowhereElse(account, kept(account, 'uri.json')['password'] ?? '', [result, events]);
  });

  it.each([
    ['that has a place itself', OWN, ['restart'], ['sink_unfillable']],
    ['that has none', 'app: {}', ['restart', 'access'], ['allowance', 'sink_unfillable']],
  ])(
    'is a difference while its place holds nothing, until the reset of a role %s is consented to',
    async (_, roles, allow, blockedBy) => {
      const account = unkept(roles);
      await account.apply();
      account.disk.erase(placeOf('uri.json'));
      account.disk.plant(placeOf('other.json'), '{}');
      const plan = await account.plan();
      expect(blocks(plan)).toEqual([['rotate', ROLE, blockedBy]]);
      expect(plan.changes.find(({ address }) => address === ROLE)?.reasons).toEqual([
        'shop/branches/main/connections/app: file:uri.json holds nothing',
      ]);
      const { result } = await account.apply();
      expect([result.status, result.upkeep]).toEqual(['blocked', []]);
      expect((await account.apply({ allow: allow.map((word) => `${word}:${ROLE}`) })).result.status).toBe('converged');
      await holdsTheNewest(account);
    },
  );

  it('is a difference, which only declaring the role can end, where no file declares its role', async () => {
    const account = unkept('', 'role: owner, database: orders, secret: { file: uri.json }');
    account.disk.plant(placeOf('other.json'), '{}');
    const plan = await account.plan();
    expect(blocks(plan)).toEqual([['update', 'shop/branches/main/connections/app', ['sink_unfillable']]]);
    const { result } = await account.apply();
    expect([result.status, result.upkeep]).toEqual(['blocked', []]);
  });
});
