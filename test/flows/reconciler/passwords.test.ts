// Passwords of roles and their places: kept filled without a rotation, reset when asked, whatever becomes of replies, stores and the run.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault } from '../../../src/control-plane/index.ts';
import { dirname, join } from 'node:path';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import { Life } from '../../simulation/world/life.ts';
import type { Account, AccountOptions } from './account.ts';
import { withAccount } from './fleet.ts';
import { BRANCH, kept, keptWorld, nowhereElse, passwordOf, placeOf, resetElsewhere, writesOf } from './kept.ts';

const FILE = 'app: { password: { file: app.json } }';
const ROLES = `/projects/shop-1/branches/${BRANCH}/roles`;
const OWNER = 'owner: { password: { file: app.json } }';

/** What is told, and what is asked for, never holds a password; a plan reads none. */
const reveals = ({ seen }: Account): number => seen.filter((request) => request.includes('reveal_password')).length;

async function holdsThePassword(account: Account, role = 'app'): Promise<void> {
  const record = kept(account, 'app.json');
  expect(record).toMatchObject({ project: 'shop-1', branch: BRANCH, role });
  expect(record['password']).toBe(await passwordOf(account, role));
}

describe('the password of a role', () => {
  it('that is made is in its place when the step is done, and nowhere else', async () => {
    await withAccount(keptWorld(FILE), async (account) => {
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
  });

  it('that lives is stored by an apply, without a rotation; no plan and no drift reads it', async () => {
    await withAccount(keptWorld(OWNER), async (account) => {
      const plan = await account.plan();
      expect(plan.upkeep).toMatchObject([{ action: 'refill', sinks: ['file:app.json'], isPending: false }]);
      await account.clock.run(account.reconciler.drift({ desired: account.desired }));
      expect(reveals(account)).toBe(0);
      const { result, events } = await account.apply();
      expect(result).toMatchObject({ status: 'converged', upkeep: [{ action: 'refill', outcome: 'done' }] });
      expect(writesOf(account)).toEqual([]);
      await holdsThePassword(account, 'owner');
      const after = await account.plan();
      expect([after.upkeep, after.planHash]).toEqual([[], plan.planHash]);
      nowhereElse(account, kept(account, 'app.json')['password'] ?? '', [plan, result, events, after]);
    });
  });

  it('that somebody else has reset is stored anew', async () => {
    await withAccount(keptWorld(OWNER), async (account) => {
      await account.apply();
      await resetElsewhere(account, 'owner');
      expect((await account.plan()).upkeep).toMatchObject([{ reasons: ['file:app.json holds an older secret'] }]);
      expect((await account.apply()).result.status).toBe('converged');
      await holdsThePassword(account, 'owner');
    });
  });

  it.each([
    ['notes', /not a secret record/],
    ['{"project":"shop-1","branch":"br-x","role":"other","password":"p","updated_at":"x"}', /holds the secret of/],
  ])('is not written over what is not its own, and the run is not done: %s', async (text, words) => {
    await withAccount(keptWorld(OWNER), async (account) => {
      account.disk.plant(placeOf(account, 'app.json'), text);
      const { result } = await account.apply();
      expect(account.disk.text(placeOf(account, 'app.json'))).toBe(text);
      expect(result.status).toBe('incomplete');
      expect(result.upkeep).toMatchObject([
        { action: 'refill', outcome: 'failed', message: expect.stringMatching(words) as unknown },
      ]);
      const { diagnostics } = await account.plan();
      expect(diagnostics.map(({ code }) => code)).toContain('sink_broken');
    });
  });

  it('goes into every place of a list, and again into one that has lost it', async () => {
    const both = 'owner: { password: [{ file: app.json }, { exec: vault }] }';
    await withAccount(keptWorld(both), async (account) => {
      expect((await account.apply()).result.status).toBe('converged');
      expect(JSON.parse(account.vault.get('vault') ?? '')).toEqual(kept(account, 'app.json'));
      account.vault.clear();
      expect((await account.plan()).upkeep).toMatchObject([{ sinks: ['exec:vault'] }]);
      await account.apply();
      expect(JSON.parse(account.vault.get('vault') ?? '')).toEqual(kept(account, 'app.json'));
    });
  });

  describe('in a project in which the service keeps none', () => {
    const ADDRESS = 'shop/branches/main/roles/app';
    const blocks = ({ changes }: Plan): readonly unknown[] =>
      changes.flatMap(({ action, blockedBy }) => (action === 'none' ? [] : [[action, blockedBy]]));
    const BLOCKED = [['rotate', ['sink_unfillable']]];
    /** As `apply --allow restart:ADDRESS` does. */
    const applyWithReset = async (account: Account): Promise<RunResult['status']> => {
      const { clock, reconciler, desired } = account;
      const allow = [{ action: 'restart', address: ADDRESS }];
      const { plan, reading } = await clock.run(reconciler.plan({ desired, allow }));
      if (plan === null) throw new Error('no plan');
      return (await account.apply(undefined, { plan, reading, request: { allow } })).result.status;
    };
    const holdsTheNewest = async (account: Account): Promise<void> => {
      expect(kept(account, 'app.json')['role']).toBe('app');
      expect(blocks(await account.plan())).toEqual([]);
    };
    const unkept = async (work: (account: Account) => Promise<void>): Promise<void> =>
      withAccount(keptWorld(FILE, { storePasswords: false }), work);

    it.each(['creation', 'reset'])('is a difference where the reply to its %s was lost', async (which) => {
      await unkept(async (account) => {
        const lose = (path: string): void => {
          const fault = { kind: 'after-commit-before-reply' } as const;
          account.controlPlane.setFaults({ rules: [{ when: { method: 'POST', path }, times: 1, fault }] });
        };
        if (which === 'creation') lose(ROLES);
        expect((await account.apply()).result.status).toBe(which === 'creation' ? 'incomplete' : 'converged');
        if (which === 'reset') {
          account.disk.erase(placeOf(account, 'app.json'));
          lose(`${ROLES}/app/reset_password`);
          expect(await applyWithReset(account)).toBe('incomplete');
        }
        expect(blocks(await account.plan())).toEqual(BLOCKED);
        // What this machine remembers of the run takes no part in it.
        account.disk.erase(join(account.cwd, 'state/journal.jsonl'));
        expect(blocks(await account.plan())).toEqual(BLOCKED);
        expect(await applyWithReset(account)).toBe('converged');
        await holdsTheNewest(account);
      });
    });

    it('is a difference where its place is empty or holds an older secret, until a reset is consented to', async () => {
      await unkept(async (account) => {
        await account.apply();
        await resetElsewhere(account, 'app');
        const plan = await account.plan();
        expect([blocks(plan), plan.upkeep]).toEqual([BLOCKED, []]);
        account.disk.erase(placeOf(account, 'app.json'));
        expect(blocks(await account.plan())).toEqual(BLOCKED);
        expect((await account.apply()).result.status).toBe('blocked');
        const writes = writesOf(account).length;
        expect(await applyWithReset(account)).toBe('converged');
        expect(writesOf(account)).toHaveLength(writes + 1);
        await holdsTheNewest(account);
      });
    });

    it('is not compared where the secrets folder does not exist, as on a fresh runner', async () => {
      await unkept(async (account) => {
        await account.apply();
        const folder = dirname(placeOf(account, 'app.json'));
        for (const path of [placeOf(account, 'app.json'), folder]) account.disk.erase(path);
        const plan = await account.plan();
        expect([blocks(plan), plan.upkeep]).toEqual([[], []]);
        const report = await account.clock.run(account.reconciler.drift({ desired: account.desired }));
        expect(report.report?.notCompared.map(({ address }) => address)).toEqual([ADDRESS]);
      });
    });
  });
});

describe('a rotation', () => {
  const rotated = (rotate: string, password = 'password: { file: app.json }, '): string =>
    `owner: { ${password}rotate: { ${rotate} } }`;

  it('without a place for the new one locks people out: only its own consent allows that', async () => {
    await withAccount(keptWorld(rotated('not_before: 2025-12-31', '')), async (account) => {
      const held = await account.plan();
      expect(held.changes.find(({ action }) => action === 'rotate')).toMatchObject({
        impact: ['drops_connections', 'access_changes'],
        blockedBy: ['allowance'],
      });
      const allow = [{ action: 'access', address: 'shop/branches/main/roles/owner' }];
      const { plan } = await account.clock.run(account.reconciler.plan({ desired: account.desired, allow }));
      expect(plan?.steps).toHaveLength(1);
    });
  });

  it.each<[string, ExchangeFault, number]>([
    ['after it was done', { kind: 'after-commit-before-reply' }, 1],
    ['within its body', { kind: 'mid-body' }, 1],
    ['before it was done', { kind: 'after-send-before-commit' }, 1],
    ['and is late', { kind: 'late-commit', delayMs: 500 }, 1],
  ])('of which the reply is lost %s is decided by its time, then read', async (_what, fault, resets) => {
    await withAccount(keptWorld(rotated('not_before: 2025-12-31')), async (account) => {
      const path = `${ROLES}/owner/reset_password`;
      account.controlPlane.setFaults({ rules: [{ when: { method: 'POST', path }, times: 1, fault }] });
      expect((await account.apply()).result.status).toBe('converged');
      await holdsThePassword(account, 'owner');
      expect(writesOf(account)).toHaveLength(resets);
      expect((await account.plan()).upkeep).toEqual([]);
    });
  });

  /** Fills the places, rotates as another process that dies as soon as the password is reset, and goes on with `then` as a third one. */
  const afterDeath = async (file: AccountOptions, then: (account: Account) => Promise<void>): Promise<void> => {
    const rotate = async (account: Account, life: Life): Promise<void> => {
      await account.apply();
      const { plan } = await account.clock.run(account.reconciler.plan({ desired: account.desired, due: true }));
      account.restart(life);
      const due = { ...(plan === null ? {} : { plan }), request: { due: true } };
      const running = account.apply(undefined, due).catch(() => undefined);
      await account.clock.run(Promise.race([running, life.death]));
    };
    const clean = new Life(3, null);
    await withAccount(file, async (account) => rotate(account, clean));
    const call = clean.calls.findIndex((name) => name.startsWith('POST') && name.includes('reset_password')) + 1;
    expect(call).toBeGreaterThan(0);
    await withAccount(file, async (account) => {
      await rotate(account, new Life(3, { call, when: 'after' }));
      account.restart();
      await then(account);
    });
  };

  it('whose storing nobody confirmed is read again, and then no more', async () => {
    await afterDeath(keptWorld(rotated('every: 30d')), async (account) => {
      expect((await account.plan()).upkeep).toMatchObject([
        { reasons: ['file:app.json may not hold the newest secret'] },
      ]);
      expect((await account.apply()).result.status).toBe('converged');
      await holdsThePassword(account, 'owner');
      expect((await account.plan()).upkeep).toEqual([]);
    });
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
    await withAccount(keptWorld(FILE), async (account) => {
      account.controlPlane.setFaults({ rules: [{ when: { method: 'POST', path: ROLES }, times: 1, fault }] });
      expect((await account.apply()).result.status).toBe('converged');
      expect(writesOf(account)).toEqual(['POST role app']);
      await holdsThePassword(account);
    });
  });

  it('is made only when its place can take the password', async () => {
    await withAccount(keptWorld(FILE), async (account) => {
      account.disk.plant(placeOf(account, 'app.json'), 'notes');
      const { result } = await account.apply();
      expect([result.counts.blocked, writesOf(account)]).toEqual([1, []]);
    });
  });
});
