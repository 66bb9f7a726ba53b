// Passwords of roles and their places: kept filled without a rotation, reset when asked, whatever becomes of replies, stores and the run.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault } from '../../../src/control-plane/index.ts';
import { dirname } from 'node:path';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import type { CrashPoint } from '../../simulation/world/life.ts';
import { openSite, STATE, type Site } from '../../support/site.ts';
import { BRANCH, kept, keptWorld, nowhereElse, passwordOf, placeOf, resetElsewhere, writesOf } from './kept.ts';

const FILE = 'app: { password: { file: app.json } }';
const ROLES = `/projects/shop-1/branches/${BRANCH}/roles`;
const OWNER = 'owner: { password: { file: app.json } }';

/** What is told, and what is asked for, never holds a password; a plan reads none. */
const reveals = ({ seen }: Site): number => seen.filter((request) => request.includes('reveal_password')).length;

async function holdsThePassword(account: Site, role = 'app'): Promise<void> {
  const record = kept(account, 'app.json');
  expect(record).toMatchObject({ project: 'shop-1', branch: BRANCH, role });
  expect(record['password']).toBe(await passwordOf(account, role));
}

describe('the password of a role', () => {
  it('that is made is in its place when the step is done, and nowhere else', async () => {
    const account = openSite(keptWorld(FILE));
    const { result, events } = await account.apply();
    expect(result.status).toBe('converged');
    expect(result.upkeep).toEqual([]);
    const record = kept(account, 'app.json');
    expect(Object.keys(record)).toEqual(['project', 'branch', 'role', 'password', 'updated_at']);
    await holdsThePassword(account);
    expect(reveals(account)).toBe(0);
    const plan = await account.plan();
    expect(plan.upkeep).toEqual([]);
    nowhereElse(account, record['password'] ?? '', [result, events, plan]);
  });

  it('that lives is stored by an apply, without a rotation; no plan and no drift reads it', async () => {
    const account = openSite(keptWorld(OWNER));
    const plan = await account.plan();
    expect(plan.upkeep).toMatchObject([{ action: 'refill', sinks: ['file:app.json'], isPending: false }]);
    await account.drift();
    expect(reveals(account)).toBe(0);
    const { result, events } = await account.apply();
    expect(result).toMatchObject({ status: 'converged', upkeep: [{ action: 'refill', outcome: 'done' }] });
    expect(writesOf(account)).toEqual([]);
    await holdsThePassword(account, 'owner');
    const after = await account.plan();
    expect([after.upkeep, after.planHash]).toEqual([[], plan.planHash]);
    nowhereElse(account, kept(account, 'app.json')['password'] ?? '', [plan, result, events, after]);
  });

  it('that somebody else has reset is stored anew', async () => {
    const account = openSite(keptWorld(OWNER));
    await account.apply();
    await resetElsewhere(account, 'owner');
    expect((await account.plan()).upkeep).toMatchObject([{ reasons: ['file:app.json holds an older secret'] }]);
    expect((await account.apply()).result.status).toBe('converged');
    await holdsThePassword(account, 'owner');
  });

  it.each([
    ['notes', /not a secret record/],
    ['{"project":"shop-1","branch":"br-x","role":"other","password":"p","updated_at":"x"}', /holds the secret of/],
  ])('is not written over what is not its own, and the run is not done: %s', async (text, words) => {
    const account = openSite(keptWorld(OWNER));
    account.disk.plant(placeOf('app.json'), text);
    const { result } = await account.apply();
    expect(account.disk.text(placeOf('app.json'))).toBe(text);
    expect(result.status).toBe('incomplete');
    expect(result.upkeep).toMatchObject([
      { action: 'refill', outcome: 'failed', message: expect.stringMatching(words) as unknown },
    ]);
    const { diagnostics } = await account.plan();
    expect(diagnostics.map(({ code }) => code)).toContain('sink_broken');
  });

  it('goes into every place of a list, and again into one that has lost it', async () => {
    const both = 'owner: { password: [{ file: app.json }, { exec: vault }] }';
    const account = openSite(keptWorld(both));
    expect((await account.apply()).result.status).toBe('converged');
    expect(JSON.parse(account.vault.get('vault') ?? '')).toEqual(kept(account, 'app.json'));
    account.vault.clear();
    expect((await account.plan()).upkeep).toMatchObject([{ sinks: ['exec:vault'] }]);
    await account.apply();
    expect(JSON.parse(account.vault.get('vault') ?? '')).toEqual(kept(account, 'app.json'));
  });

  describe('in a project in which the service keeps none', () => {
    const ADDRESS = 'shop/branches/main/roles/app';
    const blocks = ({ changes }: Plan): readonly unknown[] =>
      changes.flatMap(({ action, blockedBy }) => (action === 'none' ? [] : [[action, blockedBy]]));
    const BLOCKED = [['rotate', ['sink_unfillable']]];
    const applyWithReset = async (account: Site): Promise<RunResult['status']> =>
      (await account.apply({ allow: [`restart:${ADDRESS}`] })).result.status;
    const holdsTheNewest = async (account: Site): Promise<void> => {
      expect(kept(account, 'app.json')['role']).toBe('app');
      expect(blocks(await account.plan())).toEqual([]);
    };
    const unkept = (): Site => openSite(keptWorld(FILE, { storePasswords: false }));

    it.each(['creation', 'reset'])('is a difference where the reply to its %s was lost', async (which) => {
      const account = unkept();
      const lose = (path: string): void => {
        const fault = { kind: 'after-commit-before-reply' } as const;
        account.controlPlane.setFaults({ rules: [{ when: { method: 'POST', path }, times: 1, fault }] });
      };
      if (which === 'creation') lose(ROLES);
      expect((await account.apply()).result.status).toBe(which === 'creation' ? 'incomplete' : 'converged');
      if (which === 'reset') {
        account.disk.erase(placeOf('app.json'));
        lose(`${ROLES}/app/reset_password`);
        expect(await applyWithReset(account)).toBe('incomplete');
      }
      expect(blocks(await account.plan())).toEqual(BLOCKED);
      // What this machine remembers of the run takes no part in it.
      account.disk.erase(`${STATE}/journal.jsonl`);
      expect(blocks(await account.plan())).toEqual(BLOCKED);
      expect(await applyWithReset(account)).toBe('converged');
      await holdsTheNewest(account);
    });

    it('is a difference where its place is empty or holds an older secret, until a reset is consented to', async () => {
      const account = unkept();
      await account.apply();
      await resetElsewhere(account, 'app');
      const plan = await account.plan();
      expect([blocks(plan), plan.upkeep]).toEqual([BLOCKED, []]);
      account.disk.erase(placeOf('app.json'));
      expect(blocks(await account.plan())).toEqual(BLOCKED);
      expect((await account.apply()).result.status).toBe('blocked');
      const writes = writesOf(account).length;
      expect(await applyWithReset(account)).toBe('converged');
      expect(writesOf(account)).toHaveLength(writes + 1);
      await holdsTheNewest(account);
    });

    it('is not compared where the secrets folder does not exist, as on a fresh runner', async () => {
      const account = unkept();
      await account.apply();
      const folder = dirname(placeOf('app.json'));
      for (const path of [placeOf('app.json'), folder]) account.disk.erase(path);
      const plan = await account.plan();
      expect([blocks(plan), plan.upkeep]).toEqual([[], []]);
      const { report } = await account.drift();
      expect(report.notCompared.map(({ address }) => address)).toEqual([ADDRESS]);
    });
  });
});

describe('a rotation', () => {
  const rotated = (rotate: string, password = 'password: { file: app.json }, '): string =>
    `owner: { ${password}rotate: { ${rotate} } }`;

  it('without a place for the new one locks people out: only its own consent allows that', async () => {
    const account = openSite(keptWorld(rotated('not_before: 2025-12-31', '')));
    const held = await account.plan();
    expect(held.changes.find(({ action }) => action === 'rotate')).toMatchObject({
      impact: ['drops_connections', 'access_changes'],
      blockedBy: ['allowance'],
    });
    const plan = await account.plan({ allow: ['access:shop/branches/main/roles/owner'] });
    expect(plan.steps).toHaveLength(1);
  });

  it.each<[string, ExchangeFault, number]>([
    ['after it was done', { kind: 'after-commit-before-reply' }, 1],
    ['within its body', { kind: 'mid-body' }, 1],
    ['before it was done', { kind: 'after-send-before-commit' }, 1],
    ['and is late', { kind: 'late-commit', delayMs: 500 }, 1],
  ])('of which the reply is lost %s is decided by its time, then read', async (_what, fault, resets) => {
    const account = openSite(keptWorld(rotated('not_before: 2025-12-31')));
    const path = `${ROLES}/owner/reset_password`;
    account.controlPlane.setFaults({ rules: [{ when: { method: 'POST', path }, times: 1, fault }] });
    expect((await account.apply()).result.status).toBe('converged');
    await holdsThePassword(account, 'owner');
    expect(writesOf(account)).toHaveLength(resets);
    expect((await account.plan()).upkeep).toEqual([]);
  });

  it('whose storing nobody confirmed, since its process died, is read again, and then no more', async () => {
    const file = keptWorld(rotated('every: 30d'));
    const rotate = async (
      crash: CrashPoint | null,
    ): Promise<{ readonly site: Site; readonly calls: readonly string[] }> => {
      const site = openSite(file);
      await site.apply();
      return { site, calls: (await site.live({ due: true }, crash)).calls };
    };
    const { calls } = await rotate(null);
    const call = calls.findIndex((name) => name.startsWith('POST') && name.includes('reset_password')) + 1;
    expect(call).toBeGreaterThan(0);
    const { site: account } = await rotate({ call, when: 'after' });
    expect((await account.plan()).upkeep).toMatchObject([
      { reasons: ['file:app.json may not hold the newest secret'] },
    ]);
    expect((await account.apply()).result.status).toBe('converged');
    await holdsThePassword(account, 'owner');
    expect((await account.plan()).upkeep).toEqual([]);
  });
});

describe('a role that is made', () => {
  it.each<[string, ExchangeFault]>([
    ['lost after it was done', { kind: 'after-commit-before-reply' }],
    ['lost before it was done', { kind: 'after-send-before-commit' }],
    ['cut', { kind: 'mid-body' }],
    ['without its body', { kind: 'garble', how: 'empty' }],
    ['that tells the project is busy', { kind: 'locked' }],
  ])('by a reply %s is there once, its password in its place', async (_what, fault) => {
    const account = openSite(keptWorld(FILE));
    account.controlPlane.setFaults({ rules: [{ when: { method: 'POST', path: ROLES }, times: 1, fault }] });
    expect((await account.apply()).result.status).toBe('converged');
    expect(writesOf(account)).toEqual(['POST role app']);
    await holdsThePassword(account);
  });

  it('is made only when its place can take the password', async () => {
    const account = openSite(keptWorld(FILE));
    account.disk.plant(placeOf('app.json'), 'notes');
    const { result } = await account.apply();
    expect([result.counts.blocked, writesOf(account)]).toEqual([1, []]);
  });
});
