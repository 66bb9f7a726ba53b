// The members of a set on the built engine: made, kept, deleted and cleared by the list of keys, whatever happens on the way.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { CONTENTS, ID, MAIN, MAIN_BRANCH, shopWorld } from '../../support/shop.ts';
import { openSite, type Site, type SiteOptions } from '../../support/site.ts';

const MINUTE_MS = 60_000;
const BRANCHES = `/projects/${ID}/branches`;

const SEED = shopWorld({ branches: [{ ...MAIN_BRANCH, ...CONTENTS }] });

function fileOf(keys: string, more = ''): string {
  return `version: 1
projects:
  shop:
    branches: { main: {} }
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

const OPTIONS: SiteOptions = {
  seed: SEED,
  file: fileOf('[1, 2]'),
  reconciler: { sinks: new Map(['preview-*', 'pass-*'].map((name) => [name, '/vault'])) },
};

const branchesOf = async (site: Site): Promise<readonly JsonObject[]> =>
  ((await site.api('GET', BRANCHES)).body as { readonly branches: readonly JsonObject[] }).branches;
const namesOf = async (site: Site): Promise<readonly string[]> =>
  (await branchesOf(site)).map(({ name }) => String(name)).sort();

const wait = async ({ clock }: Site, minutes: number): Promise<void> => clock.advance(minutes * MINUTE_MS);

describe('a set', () => {
  it.each([
    ['compute', ['preview-1']],
    ['branch', ['pass-1', 'preview-1']],
  ])('fills a sink that does not show its content again when a run creates its %s anew', async (what, filled) => {
    const account = openSite(OPTIONS);
    await account.apply(fileOf('[1]'));
    // From now on, the program only says that it holds something.
    for (const name of account.vault.keys()) account.vault.set(name, '');
    const id = String((await branchesOf(account)).find(({ name }) => name === 'preview/pr-1')?.['id']);
    const [compute] = account.controlPlane.truth.computes(ID).filter(({ branchId }) => branchId === id);
    const path = what === 'branch' ? `branches/${id}` : `endpoints/${compute?.id}`;
    await account.api('DELETE', `/projects/${ID}/${path}`);
    await wait(account, 1);
    expect((await account.apply(fileOf('[1]'))).result.status).toBe('converged');
    expect([...account.vault].flatMap(([name, held]) => (held === '' ? [] : [name])).sort()).toEqual(filled);
    expect((await account.apply(fileOf('[1]'))).result.upkeep).toEqual([]);
  });

  it('clears no sink of a member whose deletion is blocked, and none that another declaration names', async () => {
    const account = openSite(OPTIONS);
    await account.apply(fileOf('[1, 2]'));
    await wait(account, 11);
    const blocked = await account.apply(fileOf('[]'));
    expect(blocked.result.status).toBe('blocked');
    expect(await namesOf(account)).toHaveLength(3);
    expect(account.vault.size).toBe(4);

    const kept =
      '\n  other: { id: shop-2, branches: { main: { id: br-other, connections: { app: { role: app, database: orders, secret: { exec: preview-2 } } } } } }\n';
    const { plan } = await account.apply({ file: fileOf('[1]', kept), target: ['shop'] });
    expect(plan.changes.filter(({ action }) => action === 'delete')).toHaveLength(1);
    expect(account.vault.has('preview-2')).toBe(true);
    expect(account.vault.has('pass-2')).toBe(false);
  });

  it.each([
    ['a protection of all declared branches', 'shop/branches/**', 'converged'],
    ['a protection of the compute that has the name of theirs', 'shop/primary', 'converged'],
    ['a protection of the set', 'shop/previews/**', 'blocked'],
    ['a protection of the project', 'shop/*', 'blocked'],
  ])('deletes a member under %s as its address says', async (_name, pattern, status) => {
    const account = openSite(OPTIONS);
    const guarded = (keys: string): string => `${fileOf(keys)}safety: { protect: ["${pattern}"] }\n`;
    await account.apply(guarded('[1, 2]'));
    await wait(account, 11);
    expect((await account.apply(guarded('[1]'))).result.status).toBe(status);
  });

  it('warns once that its members keep the passwords of a parent that is not protected', async () => {
    const { plan } = await openSite(OPTIONS).apply(fileOf('[1, 2]'));
    const warned = plan.diagnostics.filter(({ code }) => code === 'shared_password');
    expect(warned.map(({ message }) => message)).toEqual([expect.stringContaining('shop/previews/pr copies')]);
  });

  it('renews the TTL of a listed key, and leaves that of others alone', async () => {
    const account = openSite(OPTIONS);
    await account.apply(fileOf('[1, 2]').replace('gone: delete', 'gone: expire'));
    await wait(account, 4 * 24 * 60);
    const { result } = await account.apply(fileOf('[1]').replace('gone: delete', 'gone: expire'));
    expect(result.upkeep.filter(({ action }) => action === 'renew').map(({ address }) => address)).toEqual([
      'shop/previews/pr/1',
    ]);
    await wait(account, 4 * 24 * 60);
    expect(await namesOf(account)).toEqual(['main', 'preview/pr-1']);
  });

  it('resets a member to its parent once after each push, without a consent', async () => {
    const account = openSite(OPTIONS);
    // A role that the parent lacks would be gone after the reset.
    const set = fileOf('[1, 2]').replace(/ +roles:.*\n/, '');
    await account.apply(set);
    await wait(account, 60);
    const pushed = new Date(account.clock.nowMs() - 5 * MINUTE_MS).toISOString();
    const file = set.replace('max: 9', `max: 9\n        reset_on: { 2: ${pushed} }`);
    const { result, writes } = await account.apply({ file, consent: 'unattended' });
    expect(result.status).toBe('converged');
    const ids = result.steps.map(({ address, resourceId }) => [address, resourceId]);
    expect(writes).toEqual([`POST ${BRANCHES}/${String(ids[0]?.[1])}/restore`]);
    expect(ids.map(([address]) => address)).toEqual(['shop/previews/pr/2']);
    expect((await account.apply(file)).plan.steps).toEqual([]);
  });

  it('lets a member expire earlier only by a consent, also beside a reset, and then does both', async () => {
    const account = openSite(OPTIONS);
    const set = fileOf('[1]').replace(/ +roles:.*\n/, '');
    await account.apply(set);
    await account.clock.advance(60 * MINUTE_MS + 900);
    const file = (): string => {
      const pushed = new Date(account.clock.nowMs() - 5 * MINUTE_MS).toISOString();
      return set.replace('max: 9', `max: 9\n        reset_on: { 1: ${pushed} }`).replace('ttl: 7d', 'ttl: 2h');
    };
    const blocked = await account.apply(file());
    expect(blocked.plan.changes.flatMap(({ blockedBy }) => blockedBy)).toEqual(['allowance']);
    expect(blocked.writes.filter((request) => request.startsWith('PATCH'))).toEqual([]);
    await wait(account, 10);
    const { result } = await account.apply(file(), ['expire:shop/previews/pr/1']);
    expect(result.status).toBe('converged');
    expect(result.steps.map(({ outcome }) => outcome)).toEqual(['done', 'done']);
  });

  it('keeps a member whose child only a run with due changes deletes', async () => {
    const member = { id: 'br-1', name: 'preview/pr-1', parent_id: MAIN, created_at: '-20d' };
    const child = { id: 'br-late', name: 'preview/late', parent_id: 'br-1', created_at: '-10d' };
    const marked = { ...member, annotation_value: { 'trueup.set': `${ID}/pr` } };
    const seed = shopWorld({ branches: [{ ...MAIN_BRANCH, ...CONTENTS }, marked, child] });
    const rule = 'old: { match: ["preview/*"], older_than: 1d, idle_for: 1h, max: 9 }';
    const file = fileOf('[]', `    retention: { ${rule} }\n`).replace('max: 9', 'max: 9\n        closed: [1]');
    const account = openSite({ ...OPTIONS, seed, file });
    const allow = ['drop:shop/retention/old/**', 'drop:shop/previews/pr/**'];
    const { plan, writes } = await account.apply(file, allow);
    expect(plan.changes.find(({ resourceId }) => resourceId === 'br-1')?.blockedBy).toEqual(['refused']);
    expect(writes.filter((request) => request.startsWith('DELETE'))).toEqual([]);
    await account.apply({ file, allow, due: true });
    expect(await namesOf(account)).toEqual(['main']);
  });

  it('loses a member to its TTL during a run, which then misses no primary', async () => {
    const account = openSite(OPTIONS);
    await account.apply(fileOf('[1]'));
    await wait(account, 7 * 24 * 60 - 1);
    const file = fileOf('[2]').replace('gone: delete', 'gone: expire');
    const { result } = await account.apply({ file, between: async () => account.clock.sleep(5 * MINUTE_MS) });
    expect(await namesOf(account)).toEqual(['main', 'preview/pr-2']);
    expect(result.vacated).toEqual([]);
  });

  it('has the same hash until its members change, and a saved plan removes what was shown', async () => {
    const account = openSite(OPTIONS);
    await account.apply(fileOf('[1, 2]'));
    await wait(account, 11);
    const plan = await account.plan(fileOf('[1]'));
    await wait(account, 30);
    expect((await account.plan(fileOf('[1]'))).planHash).toBe(plan.planHash);
    const { result } = await account.saved(plan);
    expect(result.status).toBe('converged');
    expect(await namesOf(account)).toEqual(['main', 'preview/pr-1']);
  });
});
