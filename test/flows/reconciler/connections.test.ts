// Connections and their places: rewritten when any part of them changes, let go of when they shall be gone, whatever becomes of the run.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import type { Account, AccountOptions } from './account.ts';
import { withAccount } from './fleet.ts';
import { BRANCH, kept, keptWorld, nowhereElse, passwordOf, placeOf, writesOf } from './kept.ts';

const CONNECTION = 'role: owner, database: orders, secret: { file: app.json }';
const world = (connection: string, more: Parameters<typeof keptWorld>[1] = {}, roles = ''): AccountOptions =>
  keptWorld(roles, more, `, connections: { app: { ${connection} } }`);
/** What the program was given; nothing where it was given nothing. */
function inVault({ vault }: Account, name = 'vault'): unknown {
  const text = vault.get(name) ?? '';
  return JSON.parse(text === '' ? '{}' : text);
}

const HOST = 'ep-main-1.us-east-2.aws.db.localhost';

const forked: AccountOptions = {
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
    await withAccount(world(`${CONNECTION}${more}`), async (account) => {
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
  });

  it('is rewritten, once, where a run makes the password of its role, though its place does not tell what it holds', async () => {
    await withAccount(SILENT, async (account) => {
      const { result } = await account.apply();
      expect(result.upkeep).toMatchObject([{ action: 'refill', outcome: 'done', sinks: ['exec:vault'] }]);
      const password = await passwordOf(account, 'owner');
      expect(inVault(account)).toMatchObject({ password });
      expect((await account.apply()).result.upkeep).toEqual([]);
      // Other runs of the folder, which clear its journal up.
      for (let runs = 0; runs < 2; runs++) {
        account.disk.erase(placeOf(account, 'app.json'));
        expect((await account.apply()).result.upkeep).toMatchObject([{ sinks: ['file:app.json'] }]);
      }
      expect((await account.plan()).upkeep).toEqual([]);
    });
  });

  it.each([
    ['a program that is not declared', 'exec: nothere', /no program is declared/],
    ['a file that holds something else', 'file: app.json', /not a secret record/],
  ])('that cannot be delivered leaves the run incomplete: %s', async (_what, secret, words) => {
    await withAccount(world(`role: owner, database: orders, secret: { ${secret} }`), async (account) => {
      account.disk.plant(placeOf(account, 'app.json'), 'notes');
      const { result } = await account.apply();
      expect(result).toMatchObject({ status: 'incomplete', upkeep: [{ action: 'refill', outcome: 'failed' }] });
      expect(result.upkeep[0]?.message).toMatch(words);
    });
  });

  it.each([
    ['that is reset', RESET, 'owner'],
    ['that is created', 'app: {}', 'app'],
  ])('whose sink cannot be used keeps its role %s from getting a password', async (_what, roles, role) => {
    const connection = `role: ${role}, database: orders, secret: { file: uri.json }`;
    await withAccount(world(connection, {}, roles), async (account) => {
      const { clock, reconciler, desired } = account;
      const { plan, reading } = await clock.run(reconciler.plan({ desired }));
      account.disk.plant(placeOf(account, 'uri.json'), 'notes');
      if (plan === null || reading === null) throw new Error('no plan');
      const { result } = await account.apply(undefined, { plan, reading });
      expect([result.status, writesOf(account)]).toEqual(['incomplete', []]);
      expect(result.steps.map(({ message }) => message).join()).toMatch(/file:uri\.json.*not a secret record/);
      const blocks = (await account.plan()).changes.map(({ address, blockedBy }) => [address, blockedBy]);
      expect(blocks).toContainEqual([`shop/branches/main/roles/${role}`, ['sink_unusable']]);
      account.disk.erase(placeOf(account, 'uri.json'));
      expect((await account.apply()).result.status).toBe('converged');
      expect(kept(account, 'uri.json')['password']).toBe(await passwordOf(account, role));
    });
  });

  it('that cannot go into one of its places goes into the others, and the run is incomplete', async () => {
    const two = 'role: owner, database: orders, secret: [{ file: app.json }, { exec: vault }]';
    await withAccount(world(two), async (account) => {
      account.disk.plant(placeOf(account, 'app.json'), 'notes');
      expect((await account.apply()).result.status).toBe('incomplete');
      expect(inVault(account)).toMatchObject({ role: 'owner' });
      account.disk.erase(placeOf(account, 'app.json'));
      expect((await account.apply()).result.status).toBe('converged');
      expect(kept(account, 'app.json')).toMatchObject({ role: 'owner' });
    });
  });

  it('that shall be gone, but cannot be had out of one of its places, leaves the run incomplete until it can', async () => {
    const gone = 'state: absent, secret: [{ exec: vault }, { exec: spare }]';
    await withAccount(world(gone, TWO), async (account) => {
      account.sealed.add('spare');
      for (const sinks of [['exec:vault', 'exec:spare'], ['exec:spare']]) {
        const { result } = await account.apply();
        expect(result).toMatchObject({
          status: 'incomplete',
          upkeep: [{ action: 'forget', outcome: 'failed', sinks }],
        });
        expect(result.upkeep[0]?.message).toBe('exec:spare cannot be used: check exited with code 1: sealed');
        expect([...account.vault.keys()]).toEqual(['spare']);
      }
      account.sealed.clear();
      expect((await account.apply()).result.status).toBe('converged');
      expect(account.vault.size).toBe(0);
      expect((await account.plan()).upkeep).toEqual([]);
    });
  });

  it('is rewritten when another compute has become the primary', async () => {
    await withAccount(world(CONNECTION), async (account) => {
      await account.apply();
      const path = '/projects/shop-1/endpoints';
      const { client } = account.reconciler;
      await account.clock.run(client.write('DELETE', `${path}/ep-main-1`, null, {}));
      await account.clock.run(account.clock.sleep(60_000));
      await account.clock.run(client.write('POST', path, { endpoint: { branch_id: BRANCH, type: 'read_write' } }, {}));
      await account.clock.run(account.clock.sleep(60_000));
      expect((await account.apply()).result.status).toBe('converged');
      expect(kept(account, 'app.json')['host']).not.toBe(HOST);
    });
  });

  it('is told as outdated while its branch has no primary: its host may serve another branch by now', async () => {
    await withAccount(world(CONNECTION), async (account) => {
      await account.apply();
      const { client } = account.reconciler;
      await account.clock.run(client.write('DELETE', '/projects/shop-1/endpoints/ep-main-1', null, {}));
      await account.clock.run(account.clock.sleep(60_000));
      const { upkeep } = await account.plan();
      expect(upkeep).toMatchObject([{ action: 'refill', kind: 'connection', isPending: true }]);
      expect(upkeep[0]?.reasons.join()).toMatch(/app\.json holds an older secret.*waits for a primary compute/);
      const { result } = await account.apply();
      expect(result.status).toBe('incomplete');
      expect(result.upkeep[0]?.message).toMatch(/a primary compute of its branch; declare them, or write/);
    });
  });

  it.each([
    [
      'the project cannot be planned any more',
      world(CONNECTION),
      'PATCH',
      '/databases/orders',
      'incomplete',
      'unknown_referent',
    ],
    ['its role has not come along', forked, 'DELETE', '/roles/app', 'incomplete', 'changed_meanwhile'],
  ] as const)('of a saved plan is not kept up where %s', async (_, options, method, path, status, code) => {
    await withAccount(options, async (account) => {
      const { clock, reconciler, desired } = account;
      const { plan, reading } = await clock.run(reconciler.plan({ desired }));
      if (plan === null) throw new Error('no plan');
      const { client } = account.reconciler;
      const body = method === 'PATCH' ? { database: { name: 'sold' } } : null;
      await account.clock.run(client.write(method, `/projects/shop-1/branches/${BRANCH}${path}`, body, {}));
      await account.clock.run(account.clock.sleep(60_000));
      const result = await clock.run(reconciler.apply({ plan, desired, reading, isSaved: true, request: {} }));
      expect(result).toMatchObject({ status, upkeep: [] });
      expect(result.diagnostics.map((one) => one.code)).toContain(code);
    });
  });

  it('that shall be gone is let go of by a file and by a program, and by nothing twice', async () => {
    const gone = 'state: absent, secret: [{ file: app.json }, { exec: vault }]';
    await withAccount(world(gone, { stored: ['vault'] }), async (account) => {
      account.disk.plant(
        placeOf(account, 'app.json'),
        '{"uri":"postgresql://a:b@h/d","host":"h","pooled_host":"p","database":"d","role":"a","password":"b","updated_at":"t"}',
      );
      expect((await account.plan()).upkeep).toMatchObject([
        { action: 'forget', sinks: ['file:app.json', 'exec:vault'] },
      ]);
      expect((await account.apply()).result).toMatchObject({ status: 'converged', upkeep: [{ outcome: 'done' }] });
      expect(account.disk.text(placeOf(account, 'app.json'))).toBeNull();
      expect(account.vault.size).toBe(0);
      expect((await account.plan()).upkeep).toEqual([]);
    });
  });
});

describe('a connection in a project in which the service keeps no passwords', () => {
  const ROLE = 'shop/branches/main/roles/app';
  const OF_APP = 'role: app, database: orders, secret: { file: uri.json }';
  const OWN = 'app: { password: { file: app.json } }';
  const unkept = async (roles: string, work: (account: Account) => Promise<void>, of = OF_APP): Promise<void> =>
    withAccount(world(of, { storePasswords: false }, roles), work);
  const blocks = ({ changes }: Plan): readonly unknown[] =>
    changes.flatMap(({ action, address, blockedBy }) => (action === 'none' ? [] : [[action, address, blockedBy]]));
  const applyWith = async (account: Account, ...words: readonly string[]): Promise<RunResult> => {
    const { clock, reconciler, desired } = account;
    const allow = words.map((action) => ({ action, address: ROLE }));
    const { plan, reading } = await clock.run(reconciler.plan({ desired, allow }));
    if (plan === null) throw new Error('no plan');
    return (await account.apply(undefined, { plan, reading, request: { allow } })).result;
  };
  const holdsTheNewest = async (account: Account): Promise<void> => {
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
    await unkept(roles, async (account) => {
      const { result, events } = await account.apply();
      expect(result).toMatchObject({ status: 'converged', upkeep: [{ action: 'refill', outcome: 'done' }] });
      await holdsTheNewest(account);
      nowhereElse(account, kept(account, 'uri.json')['password'] ?? '', [result, events]);
    });
  });

  it.each([
    ['that has a place itself', OWN, ['restart'], ['sink_unfillable']],
    ['that has none', 'app: {}', ['restart', 'access'], ['allowance', 'sink_unfillable']],
  ])(
    'is a difference while its place holds nothing, until the reset of a role %s is consented to',
    async (_, roles, allow, blockedBy) => {
      await unkept(roles, async (account) => {
        await account.apply();
        account.disk.erase(placeOf(account, 'uri.json'));
        account.disk.plant(placeOf(account, 'other.json'), '{}');
        const plan = await account.plan();
        expect(blocks(plan)).toEqual([['rotate', ROLE, blockedBy]]);
        expect(plan.changes.find(({ address }) => address === ROLE)?.reasons).toEqual([
          'shop/branches/main/connections/app: file:uri.json holds nothing',
        ]);
        const { result } = await account.apply();
        expect([result.status, result.upkeep]).toEqual(['blocked', []]);
        expect((await applyWith(account, ...allow)).status).toBe('converged');
        await holdsTheNewest(account);
      });
    },
  );

  it('is a difference, which only declaring the role can end, where no file declares its role', async () => {
    await unkept(
      '',
      async (account) => {
        account.disk.plant(placeOf(account, 'other.json'), '{}');
        const plan = await account.plan();
        expect(blocks(plan)).toEqual([['update', 'shop/branches/main/connections/app', ['sink_unfillable']]]);
        const { result } = await account.apply();
        expect([result.status, result.upkeep]).toEqual(['blocked', []]);
      },
      'role: owner, database: orders, secret: { file: uri.json }',
    );
  });
});
