// The lease of a branch: renewed by any apply when less than half of it is left, whatever becomes of replies; no difference, no drift.
import { describe, expect, it } from 'vitest';
import { acquireLock } from '../../../src/apply/journal/lock.ts';
import type { RunProgram } from '../../../src/apply/sinks/index.ts';
import { memoryFiles } from '../../unit/apply/memory-files.ts';
import type { ExchangeFault } from '../../../src/control-plane/index.ts';
import type { Account, AccountOptions } from './account.ts';
import { withAccount } from './fleet.ts';

const HOUR_MS = 3_600_000;
const BRANCH = 'br-calm-sea-220011';
const PATCH = `PATCH /projects/shop-1/branches/${BRANCH}`;

/** A branch that was leased for two days when the world began. */
function leased(ttl = 'ttl: 2d'): AccountOptions {
  return {
    seed: {
      version: 1,
      projects: [
        {
          name: 'shop',
          id: 'shop-1',
          branches: [
            { id: 'br-wispy-meadow-118737', name: 'main', default: true },
            { id: BRANCH, name: 'scratch', parent_id: 'br-wispy-meadow-118737' },
          ],
        },
      ],
    },
    file: `version: 1\nprojects:\n  shop:\n    id: shop-1\n    branches:\n      scratch: { id: ${BRANCH}, ${ttl} }\n`,
    reconciler: { requestsPerMinute: Infinity },
  };
}

async function afterHours(account: Account, hours: number): Promise<void> {
  const body = { branch: { expires_at: new Date(account.clock.nowMs() + 48 * HOUR_MS).toISOString() } };
  await account.clock.run(account.reconciler.client.write('PATCH', PATCH.slice(6), body, {}));
  await account.clock.run(account.clock.sleep(hours * HOUR_MS));
}

const renewals = ({ seen }: Account): number => seen.filter((request) => request === PATCH).length - 1;

describe('a lease', () => {
  it.each([
    ['of which half is left', 23.9, 'ttl: 2d', 0],
    ['of which less is left', 24.1, 'ttl: 2d', 1],
    ['that is all but over', 47.9, 'ttl: 2d', 1],
    ['within a minute of what the service keeps', 24.1, 'ttl: 172830s', 1],
    ['that is an expiry, which is not renewed', 24.1, 'expires_at: 2099-01-01', 0],
  ])('%s', async (_what, hours, written, times) => {
    const file = leased(written === 'expires_at: 2099-01-01' ? 'protected: false' : written);
    await withAccount(file, async (account) => {
      await afterHours(account, hours);
      const { result } = await account.apply();
      expect(result.status).toBe('converged');
      expect(renewals(account)).toBe(times);
      expect(result.upkeep.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(times ? ['renew done'] : []);
      expect(result.counts).toMatchObject({ done: 0, changed: 0 });
      expect((await account.plan()).upkeep).toEqual([]);
    });
  });

  it.each([-13, 13])('counts by the clock of the service, where that of this machine is %i days off', async (days) => {
    const skewMs = days * 24 * HOUR_MS;
    for (const [hours, times] of [
      [23.9, 0],
      [24.1, 1],
    ] as const)
      await withAccount({ ...leased(), skewMs }, async (account) => {
        await afterHours(account, hours);
        const { result } = await account.apply();
        expect(result.status).toBe('converged');
        expect(renewals(account)).toBe(times);
        expect((await account.plan()).upkeep).toEqual([]);
      });
  });

  it('is left as it is by a run that is told to stop, which says so', async () => {
    await withAccount(leased(), async (account) => {
      await afterHours(account, 24.1);
      const stop = { soft: AbortSignal.abort(new Error('told to stop')), hard: new AbortController().signal };
      const { result } = await account.apply(undefined, { stop });
      expect(renewals(account)).toBe(0);
      expect([result.status, result.upkeep]).toMatchObject(['interrupted', [{ action: 'renew', outcome: 'failed' }]]);
    });
  });

  it('is left as it is where another run works in the folder, and the run says so', async () => {
    const held = { self: { pid: 1, startTime: '1', host: 'here' }, isAlive: () => true };
    const runProgram: RunProgram = async () => ({ end: 'exited', code: 0, stderr: '', problem: null });
    const files = memoryFiles();
    const folder = { type: 'folder', mode: 0o700 } as const;
    const facts: typeof files.facts = async (path) => (path.endsWith('/state') ? folder : files.facts(path));
    const fileSystem = { ...files, facts };
    const options = leased();
    const reconciler = { ...options.reconciler, machine: { fileSystem, processes: held, runProgram } };
    await withAccount({ ...options, reconciler }, async (account) => {
      await afterHours(account, 24.1);
      const other = { ...held, self: { pid: 2, startTime: '2', host: 'here' } };
      const path = `${account.cwd}/state/lock`;
      const { state } = await acquireLock({ fileSystem, path, run: 'r2', processes: other, clock: account.clock });
      expect(state).toBe('acquired');
      const { result } = await account.apply();
      expect(renewals(account)).toBe(0);
      expect([result.status, result.upkeep]).toMatchObject(['incomplete', [{ action: 'renew', outcome: 'failed' }]]);
    });
  });

  it('changes neither hash nor summary of the plan, and is nothing to drift', async () => {
    await withAccount(leased(), async (account) => {
      await afterHours(account, 1);
      const before = await account.plan();
      await account.clock.run(account.clock.sleep(40 * HOUR_MS));
      const after = await account.plan();
      expect([before.upkeep.length, after.upkeep.length]).toEqual([0, 1]);
      expect(after.planHash).toBe(before.planHash);
      expect(after.summary).toEqual(before.summary);
      const { report } = await account.clock.run(account.reconciler.drift({ desired: account.desired }));
      expect(report?.status).toBe('in_sync');
    });
  });

  it.each<[string, ExchangeFault, number]>([
    ['lost after it was done', { kind: 'after-commit-before-reply' }, 2],
    ['lost before it was done', { kind: 'after-send-before-commit' }, 2],
    ['that tells the project is busy', { kind: 'locked' }, 2],
  ])('is renewed in spite of a reply %s', async (_what, fault, most) => {
    await withAccount(leased(), async (account) => {
      await afterHours(account, 30);
      account.controlPlane.setFaults({
        rules: [{ when: { method: 'PATCH', path: PATCH.slice(6) }, times: 1, fault }],
      });
      expect((await account.apply()).result).toMatchObject({ status: 'converged', upkeep: [{ outcome: 'done' }] });
      expect(renewals(account)).toBeLessThanOrEqual(most);
      expect((await account.plan()).upkeep).toEqual([]);
    });
  });

  it('that the service accepts to renew and does not renew is not reported as renewed', async () => {
    await withAccount(leased(), async (account) => {
      await afterHours(account, 30);
      account.controlPlane.setFaults({
        rules: [{ when: { method: 'PATCH', path: PATCH.slice(6) }, times: 'always', fault: { kind: 'pretend' } }],
      });
      const { result } = await account.apply();
      expect([result.status, result.upkeep]).toMatchObject(['incomplete', [{ action: 'renew', outcome: 'failed' }]]);
      expect(result.upkeep[0]?.message).toMatch(
        /^the service accepted the renewal, but does not show it: ttl 2d, 18h left/,
      );
    });
  });

  it('that the service does not renew leaves the run incomplete, and says why', async () => {
    await withAccount(leased(), async (account) => {
      await afterHours(account, 30);
      const refused = { kind: 'reply', commit: false, status: 422, body: '{"message":"no such luck"}' } as const;
      account.controlPlane.setFaults({
        rules: [{ when: { method: 'PATCH', path: PATCH.slice(6) }, times: 'always', fault: refused }],
      });
      const { result } = await account.apply();
      expect(result.status).toBe('incomplete');
      expect(result.upkeep[0]).toMatchObject({
        outcome: 'failed',
        message: expect.stringContaining('no such luck') as string,
      });
    });
  });
});
