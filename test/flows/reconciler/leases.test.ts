// The lease of a branch: renewed by any apply when less than half of it is left, whatever becomes of replies; no difference, no drift.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault } from '../../../src/control-plane/index.ts';
import { always, refuses } from '../../support/faults.ts';
import { ID, shopWith, STAGING } from '../../support/shop.ts';
import { openSite, STATE, type Site, type SiteOptions } from '../../support/site.ts';

const HOUR_MS = 3_600_000;
const PATH = `/projects/${ID}/branches/${STAGING}`;

/** A branch that was leased for two days when the world began. */
function leased(ttl = 'ttl: 2d'): SiteOptions {
  return {
    seed: shopWith(STAGING, 'scratch'),
    file: `version: 1\nprojects:\n  shop:\n    id: ${ID}\n    branches:\n      scratch: { id: ${STAGING}, ${ttl} }\n`,
  };
}

async function afterHours(site: Site, hours: number): Promise<void> {
  const branch = { expires_at: new Date(site.clock.nowMs() + 48 * HOUR_MS).toISOString() };
  expect((await site.api('PATCH', PATH, { branch })).status).toBe(200);
  await site.clock.advance(hours * HOUR_MS);
}

const renewals = ({ seen }: Site): number => seen.filter((request) => request === `PATCH ${PATH}`).length;

describe('a lease', () => {
  it.each([
    ['of which half is left', 23.9, 'ttl: 2d', 0],
    ['of which less is left', 24.1, 'ttl: 2d', 1],
    ['that is all but over', 47.9, 'ttl: 2d', 1],
    ['within a minute of what the service keeps', 24.1, 'ttl: 172830s', 1],
    ['that is an expiry, which is not renewed', 24.1, 'expires_at: 2099-01-01', 0],
  ])('%s', async (_what, hours, written, times) => {
    const file = leased(written === 'expires_at: 2099-01-01' ? 'protected: false' : written);
    const account = openSite(file);
    await afterHours(account, hours);
    const { result } = await account.apply();
    expect(result.status).toBe('converged');
    expect(renewals(account)).toBe(times);
    expect(result.upkeep.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(times ? ['renew done'] : []);
    expect(result.counts).toMatchObject({ done: 0, changed: 0 });
    expect((await account.plan()).upkeep).toEqual([]);
  });

  it.each([
    [-13, 23.9, 0],
    [-13, 24.1, 1],
    [13, 23.9, 0],
    [13, 24.1, 1],
  ])(
    'counts by the clock of the service, where that of this machine is %i days off: %f h later',
    async (days, hours, times) => {
      const account = openSite({ ...leased(), skewMs: days * 24 * HOUR_MS });
      await afterHours(account, hours);
      expect((await account.apply()).result.status).toBe('converged');
      expect(renewals(account)).toBe(times);
      expect((await account.plan()).upkeep).toEqual([]);
    },
  );

  it('is left as it is by a run that is told to stop, which says so', async () => {
    const account = openSite(leased());
    await afterHours(account, 24.1);
    const stop = { soft: AbortSignal.abort(new Error('told to stop')), hard: new AbortController().signal };
    const { result } = await account.apply({ stop });
    expect(renewals(account)).toBe(0);
    expect([result.status, result.upkeep]).toMatchObject(['interrupted', [{ action: 'renew', outcome: 'failed' }]]);
  });

  it('is left as it is where another run works in the folder, and the run says so', async () => {
    const account = openSite(leased());
    await afterHours(account, 24.1);
    const other = { pid: 7, startTime: '', host: 'there', run: 'r9', sinceMs: account.clock.nowMs() };
    account.disk.plant(`${STATE}/lock.1`, JSON.stringify(other));
    const { result } = await account.apply();
    expect(renewals(account)).toBe(0);
    expect([result.status, result.upkeep]).toMatchObject(['incomplete', [{ action: 'renew', outcome: 'failed' }]]);
  });

  it('changes neither hash nor summary of the plan, and is nothing to drift', async () => {
    const account = openSite(leased());
    await afterHours(account, 1);
    const before = await account.plan();
    await account.clock.advance(40 * HOUR_MS);
    const after = await account.plan();
    expect([before.upkeep.length, after.upkeep.length]).toEqual([0, 1]);
    expect(after.planHash).toBe(before.planHash);
    expect(after.summary).toEqual(before.summary);
    expect((await account.drift()).report.status).toBe('in_sync');
  });

  it.each<[string, ExchangeFault, number]>([
    ['lost after it was done', { kind: 'after-commit-before-reply' }, 2],
    ['lost before it was done', { kind: 'after-send-before-commit' }, 2],
    ['that tells the project is busy', { kind: 'locked' }, 2],
  ])('is renewed in spite of a reply %s', async (_what, fault, most) => {
    const account = openSite(leased());
    await afterHours(account, 30);
    account.controlPlane.setFaults({ rules: [{ when: { method: 'PATCH', path: PATH }, times: 1, fault }] });
    expect((await account.apply()).result).toMatchObject({ status: 'converged', upkeep: [{ outcome: 'done' }] });
    expect(renewals(account)).toBeLessThanOrEqual(most);
    expect((await account.plan()).upkeep).toEqual([]);
  });

  it('that the service accepts to renew and does not renew is not reported as renewed', async () => {
    const account = openSite(leased());
    await afterHours(account, 30);
    const when = { method: 'PATCH', path: PATH };
    account.controlPlane.setFaults({ rules: [always(when, { kind: 'pretend' })] });
    const { result } = await account.apply();
    expect([result.status, result.upkeep]).toMatchObject(['incomplete', [{ action: 'renew', outcome: 'failed' }]]);
    expect(result.upkeep[0]?.message).toMatch(/^the service accepted the renewal, but does not show it: ttl 2d, 18h/);
  });

  it('that the service does not renew leaves the run incomplete, and says why', async () => {
    const account = openSite(leased());
    await afterHours(account, 30);
    const rule = refuses({ method: 'PATCH', path: PATH }, 422, '{"message":"no such luck"}');
    account.controlPlane.setFaults({ rules: [rule] });
    const { result } = await account.apply();
    expect([result.status, result.upkeep]).toMatchObject(['incomplete', [{ outcome: 'failed' }]]);
    expect(result.upkeep[0]?.message).toContain('no such luck');
  });
});
