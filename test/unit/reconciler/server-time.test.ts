// Rules of time go by the service's clock: plan, apply and the next plan agree, however wrong this machine's is; an unknown time holds.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/index.ts';
import type { Plan } from '../../../src/model/plan.ts';
import type { Account, AccountOptions } from './account.ts';
import { runningCompute, withAccount } from './fleet.ts';

const HOUR = 3_600_000;
/** When the worlds begin. */
const START = Date.UTC(2026, 0, 1);
const iso = (ms: number): string => new Date(ms).toISOString();

/** A compute that has run for thirty days, and what is wished of it. */
function account(wish: string, { file = '', reconciler, ...more }: Partial<AccountOptions> = {}): AccountOptions {
  return {
    ...runningCompute(wish, file, { started_at: '-30d' }),
    reconciler: { requestsPerMinute: Infinity, ...reconciler },
    ...more,
  };
}

const restarts = ({ controlPlane }: Account): number =>
  controlPlane.ledger().filter(({ verb, path }) => verb === 'POST' && path.endsWith('/restart')).length;
const actions = ({ changes }: Plan): readonly string[] =>
  changes.flatMap(({ action, blockedBy }) => (action === 'none' ? [] : [[action, ...blockedBy].join(' ')]));
const always = (fault: FaultRule['fault']): { rules: FaultRule[] } => ({ rules: [{ times: 'always', fault }] });

/** Ahead of the service's clock and behind it. */
const SKEWS = [2 * HOUR, -2 * HOUR, 20 * HOUR, -20 * HOUR, 0];

describe('a restart that a time asks for', () => {
  it.each(SKEWS)('is done once and no more with a clock that is off by %i ms', async (skewMs) => {
    await withAccount(account(`restart: { not_before: "${iso(START - HOUR / 2)}" }`, { skewMs }), async (opened) => {
      for (let run = 0; run < 4; run++) {
        expect((await opened.apply()).result.status).toBe('converged');
        await opened.clock.advance(HOUR / 4);
      }
      expect(restarts(opened)).toBe(1);
      expect(actions(await opened.plan())).toEqual([]);
    });
  });

  it.each(SKEWS)('waits for its time at the service with a clock that is off by %i ms', async (skewMs) => {
    await withAccount(account(`restart: { not_before: "${iso(START + HOUR)}" }`, { skewMs }), async (opened) => {
      expect(actions(await opened.plan())).toEqual([]);
      await opened.clock.advance(HOUR + 2000);
      expect(actions(await opened.plan())).toEqual(['restart']);
      expect((await opened.apply()).result.status).toBe('converged');
      expect((await opened.apply()).result.status).toBe('converged');
      expect(restarts(opened)).toBe(1);
    });
  });

  it('is done once by a folder although the service dates its operations by another clock than its replies', async () => {
    const more = { skewMs: 2 * HOUR, faults: always({ kind: 'date', byMs: 2 * HOUR }) };
    await withAccount(account(`restart: { not_before: "${iso(START + HOUR)}" }`, more), async (opened) => {
      for (let run = 0; run < 4; run++) {
        expect((await opened.apply()).result.status).toBe('converged');
        expect(actions(await opened.plan())).toEqual([]);
        await opened.clock.advance(60_000);
      }
      expect(restarts(opened)).toBe(1);
    });
  });

  it.each<[string, Partial<AccountOptions>]>([
    ['no reply tells the time', { faults: always({ kind: 'date' }) }],
    ['its clock is a week ahead', { skewMs: -7 * 24 * HOUR }],
    ['its clock is a year behind', { skewMs: 365 * 24 * HOUR }],
    [
      'its replies contradict each other',
      {
        faults: {
          rules: [
            { when: { path: '/projects/*/endpoints' }, times: 'always', fault: { kind: 'date', byMs: 3 * HOUR } },
          ],
        },
      },
    ],
  ])('is held where %s', async (_, more) => {
    await withAccount(account(`restart: { not_before: "${iso(START - 9 * 24 * HOUR)}" }`, more), async (opened) => {
      const plan = await opened.plan();
      expect(plan.diagnostics).toMatchObject([{ severity: 'warning', code: 'clock_unknown' }]);
      expect(actions(plan)).toEqual(['restart clock_unknown']);
      expect((await opened.apply()).result.counts.done).toBe(0);
      expect(restarts(opened)).toBe(0);
    });
  });
});
