// The members of a set on the built engine: made, kept, deleted and cleared by the list of keys, whatever happens on the way.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { PlanRequest } from '../../../src/reconciler/types.ts';
import { desiredOf } from '../../support/files.ts';
import type { Account, AccountOptions, Applied } from './account.ts';
import { withAccount } from './fleet.ts';

const MINUTE_MS = 60_000;
const BRANCHES = '/projects/shop-1/branches';

const SEED: AccountOptions['seed'] = {
  version: 1,
  projects: [
    {
      name: 'shop',
      id: 'shop-1',
      branches: [
        {
          id: 'br-main',
          name: 'main',
          default: true,
          roles: ['app'],
          databases: [{ name: 'orders', owner_name: 'app' }],
        },
      ],
    },
  ],
};

function fileOf(keys: string, more = ''): string {
  return `version: 1
projects:
  shop:
    id: shop-1
    branches: { main: br-main }
    previews:
      pr:
        each: ${keys}
        name: preview/pr-{key}
        from: main
        ttl: 7d
        max: 9
        gone: delete
        computes: { primary: {} }
        roles: { tester: { password: { exec: "pass-{key}" } } }
        connections: { app: { role: app, database: orders, secret: { exec: "preview-{key}" } } }
${more}`;
}

const OPTIONS: AccountOptions = {
  seed: SEED,
  file: fileOf('[1, 2]'),
  reconciler: {
    requestsPerMinute: Infinity,
    sinks: new Map([
      ['preview-*', '/vault'],
      ['pass-*', '/vault'],
      ['vault', '/vault'],
    ]),
  },
};

/** Plans and applies a file with these keys. */
async function applied(
  account: Account,
  file: string,
  asked: Partial<PlanRequest> = {},
  more: Parameters<Account['apply']>[1] = {},
): Promise<Applied & { readonly plan: Plan }> {
  const desired = await desiredOf(file);
  const { plan, reading, diagnostics } = await account.clock.run(account.reconciler.plan({ desired, ...asked }));
  if (plan === null || reading === null) throw new Error(JSON.stringify(diagnostics));
  const done = await account.apply(undefined, { plan, desired, reading, request: asked, ...more });
  return { ...done, plan };
}

async function branchesOf({ clock, reconciler }: Account): Promise<readonly string[]> {
  const { branches } = await clock.run(
    reconciler.client.get<{ readonly branches: readonly JsonObject[] }>(BRANCHES, 'BranchListing', {}),
  );
  return branches.map(({ name }) => String(name)).sort();
}

/** The path of the branch itself, or of its only compute. */
async function goneBy({ clock, reconciler }: Account, what: 'branch' | 'compute', path: string): Promise<string> {
  if (what === 'branch') return path;
  const { endpoints } = await clock.run(
    reconciler.client.get<{ readonly endpoints: readonly JsonObject[] }>(path, 'EndpointList', {}),
  );
  return `/projects/shop-1/endpoints/${String(endpoints[0]?.['id'])}`;
}

const wait = async ({ clock }: Account, minutes: number): Promise<void> => clock.run(clock.sleep(minutes * MINUTE_MS));

describe('a set', () => {
  it.each([
    ['compute', 'DELETE', (id: string) => `/projects/shop-1/branches/${id}/endpoints`, ['preview-1']],
    ['branch', 'DELETE', (id: string) => `${BRANCHES}/${id}`, ['pass-1', 'preview-1']],
  ] as const)(
    'fills a sink that does not show its content again when a run creates its %s anew',
    async (what, method, pathOf, filled) => {
      await withAccount(OPTIONS, async (account) => {
        await applied(account, fileOf('[1]'));
        // From now on, the program only says that it holds something.
        for (const name of account.vault.keys()) account.vault.set(name, '');
        const { clock, reconciler } = account;
        const { branches } = await clock.run(
          reconciler.client.get<{ readonly branches: readonly JsonObject[] }>(BRANCHES, 'BranchListing', {}),
        );
        const id = String(branches.find(({ name }) => name === 'preview/pr-1')?.['id']);
        await clock.run(reconciler.client.write(method, await goneBy(account, what, pathOf(id)), null, {}));
        await wait(account, 1);
        expect((await applied(account, fileOf('[1]'))).result.status).toBe('converged');
        expect([...account.vault].flatMap(([name, held]) => (held === '' ? [] : [name])).sort()).toEqual(filled);
        expect((await applied(account, fileOf('[1]'))).result.upkeep).toEqual([]);
      });
    },
  );

  it('clears no sink of a member whose deletion is blocked, and none that another declaration names', async () => {
    await withAccount(OPTIONS, async (account) => {
      await applied(account, fileOf('[1, 2]'));
      await wait(account, 11);
      const blocked = await applied(account, fileOf('[]'));
      expect(blocked.result.status).toBe('blocked');
      expect(await branchesOf(account)).toHaveLength(3);
      expect(account.vault.size).toBe(4);

      const kept =
        '\n  other: { id: shop-2, branches: { main: { id: br-other, connections: { app: { role: app, database: orders, secret: { exec: preview-2 } } } } } }\n';
      const { plan } = await applied(account, fileOf('[1]', kept), { target: ['shop'] });
      expect(plan.changes.filter(({ action }) => action === 'delete')).toHaveLength(1);
      expect(account.vault.has('preview-2')).toBe(true);
      expect(account.vault.has('pass-2')).toBe(false);
    });
  });

  it.each([
    ['a protection of all declared branches', 'shop/branches/**', 'converged'],
    ['a protection of the compute that has the name of theirs', 'shop/primary', 'converged'],
    ['a protection of the set', 'shop/previews/**', 'blocked'],
    ['a protection of the project', 'shop/*', 'blocked'],
  ])('deletes a member under %s as its address says', async (_name, pattern, status) => {
    await withAccount(OPTIONS, async (account) => {
      const guarded = (keys: string): string => `${fileOf(keys)}safety: { protect: ["${pattern}"] }\n`;
      await applied(account, guarded('[1, 2]'));
      await wait(account, 11);
      expect((await applied(account, guarded('[1]'))).result.status).toBe(status);
    });
  });

  it('renews the TTL of a listed key, and leaves that of others alone', async () => {
    await withAccount(OPTIONS, async (account) => {
      await applied(account, fileOf('[1, 2]').replace('gone: delete', 'gone: expire'));
      await wait(account, 4 * 24 * 60);
      const { result } = await applied(account, fileOf('[1]').replace('gone: delete', 'gone: expire'));
      expect(result.upkeep.filter(({ action }) => action === 'renew').map(({ address }) => address)).toEqual([
        'shop/previews/pr/1',
      ]);
      await wait(account, 4 * 24 * 60);
      expect(await branchesOf(account)).toEqual(['main', 'preview/pr-1']);
    });
  });

  it('resets a member to its parent once after each push, without a consent', async () => {
    await withAccount(OPTIONS, async (account) => {
      // A role that the parent lacks would be gone after the reset.
      const set = fileOf('[1, 2]').replace(/ +roles:.*\n/, '');
      await applied(account, set);
      await wait(account, 60);
      const pushed = new Date(account.clock.nowMs() - 5 * MINUTE_MS).toISOString();
      const file = set.replace('max: 9', `max: 9\n        reset_on: { 2: ${pushed} }`);
      const { result, after } = await applied(account, file, { consent: 'unattended' });
      expect(result.status).toBe('converged');
      const ids = result.steps.map(({ address, resourceId }) => [address, resourceId]);
      expect(after.filter((request) => request.startsWith('POST'))).toEqual([
        `POST ${BRANCHES}/${String(ids[0]?.[1])}/restore`,
      ]);
      expect(ids.map(([address]) => address)).toEqual(['shop/previews/pr/2']);
      expect((await applied(account, file)).plan.steps).toEqual([]);
    });
  });

  it('lets a member expire earlier only by a consent, also beside a reset, and then does both', async () => {
    await withAccount(OPTIONS, async (account) => {
      const set = fileOf('[1]').replace(/ +roles:.*\n/, '');
      await applied(account, set);
      await account.clock.run(account.clock.sleep(60 * MINUTE_MS + 900));
      const file = (): string => {
        const pushed = new Date(account.clock.nowMs() - 5 * MINUTE_MS).toISOString();
        return set.replace('max: 9', `max: 9\n        reset_on: { 1: ${pushed} }`).replace('ttl: 7d', 'ttl: 2h');
      };
      const blocked = await applied(account, file());
      expect(blocked.plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual(['allowance']);
      expect(blocked.after.filter((request) => request.startsWith('PATCH'))).toEqual([]);
      await wait(account, 10);
      const allow = [{ action: 'expire', address: 'shop/previews/pr/1' }];
      const { result } = await applied(account, file(), { allow });
      expect(result.status).toBe('converged');
      expect(result.steps.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
    });
  });

  it('keeps a member whose child only a run with due changes deletes', async () => {
    const member = { id: 'br-1', name: 'preview/pr-1', parent_id: 'br-main', created_at: '-20d' };
    const child = { id: 'br-late', name: 'preview/late', parent_id: 'br-1', created_at: '-10d' };
    const seed = structuredClone(SEED);
    const branches = seed?.projects?.[0]?.branches;
    branches?.push({ ...member, annotation_value: { 'trueup.set': 'shop-1/pr' } }, child);
    const rule = 'old: { match: ["preview/*"], older_than: 1d, idle_for: 1h, max: 9 }';
    const file = fileOf('[]', `    retention: { ${rule} }\n`).replace('max: 9', 'max: 9\n        closed: [1]');
    await withAccount({ ...OPTIONS, seed, file }, async (account) => {
      const allow = ['retention/old', 'previews/pr'].map((rule) => ({ action: 'drop', address: `shop/${rule}/**` }));
      const asked = { allow };
      const { plan, after } = await applied(account, file, asked);
      expect(plan.changes.find(({ resourceId }) => resourceId === 'br-1')?.blockedBy).toEqual(['refused']);
      expect(after.filter((request) => request.startsWith('DELETE'))).toEqual([]);
      await applied(account, file, { ...asked, due: true });
      expect(await branchesOf(account)).toEqual(['main']);
    });
  });

  it.each([
    ['[9]', '[1, 2]', ['main', 'preview/pr-1', 'preview/pr-2', 'preview/pr-9']],
    ['[7, 8, 9]', '[1, 2, 3, 4]', ['main', ...[1, 2, 3, 4].map((key) => `preview/pr-${key}`)]],
  ])('is not replaced by a list %s that has nothing of %s', async (keys, before, left) => {
    await withAccount(OPTIONS, async (account) => {
      await applied(account, fileOf(before));
      await wait(account, 11);
      expect((await applied(account, fileOf(keys))).result.status).toBe('blocked');
      expect([...(await branchesOf(account))].sort()).toEqual(left);
    });
  });

  it('loses a member to its TTL during a run, which then misses no primary', async () => {
    await withAccount(OPTIONS, async (account) => {
      await applied(account, fileOf('[1]'));
      await wait(account, 7 * 24 * 60 - 1);
      const { plan, reading } = await account.clock.run(
        account.reconciler.plan({ desired: await desiredOf(fileOf('[2]').replace('gone: delete', 'gone: expire')) }),
      );
      await wait(account, 5);
      if (plan === null || reading === null) throw new Error('no plan');
      const { result } = await account.apply(undefined, { plan, reading });
      expect(await branchesOf(account)).toEqual(['main', 'preview/pr-2']);
      expect(result.vacated).toEqual([]);
    });
  });

  it('has the same hash until its members change, and a saved plan removes what was shown', async () => {
    await withAccount(OPTIONS, async (account) => {
      await applied(account, fileOf('[1, 2]'));
      await wait(account, 11);
      const desired = await desiredOf(fileOf('[1]'));
      const { plan, reading } = await account.clock.run(account.reconciler.plan({ desired }));
      await wait(account, 30);
      const again = await account.clock.run(account.reconciler.plan({ desired }));
      expect(again.plan?.planHash).toBe(plan?.planHash);
      if (plan === null || reading === null) throw new Error('there is no plan');
      const { result } = await account.apply(undefined, { plan, desired, reading, request: {}, isSaved: true });
      expect(result.status).toBe('converged');
      expect(await branchesOf(account)).toEqual(['main', 'preview/pr-1']);
    });
  });
});
