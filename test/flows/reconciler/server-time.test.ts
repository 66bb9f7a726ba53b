// Rules of time go by the service's clock: plan, apply and the next plan agree, however wrong this machine's is; an unknown time holds.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { openSite, type Site, type SiteOptions } from '../../support/site.ts';
import { runningCompute } from './fleet.ts';
import { always } from '../../support/faults.ts';

const HOUR = 3_600_000;
/** When the worlds begin. */
const START = Date.UTC(2026, 0, 1);
const iso = (ms: number): string => new Date(ms).toISOString();

/** A compute that has run for thirty days, and what is wished of it. */
function account(wish: string, { file = '', reconciler, ...more }: Partial<SiteOptions> = {}): SiteOptions {
  return {
    ...runningCompute(wish, file, { started_at: '-30d' }),
    reconciler: { requestsPerMinute: Infinity, ...reconciler },
    ...more,
  };
}

const restarts = ({ controlPlane }: Site): number =>
  controlPlane.ledger().filter(({ verb, path }) => verb === 'POST' && path.endsWith('/restart')).length;
const actions = ({ changes }: Plan): readonly string[] =>
  changes.flatMap(({ action, blockedBy }) => (action === 'none' ? [] : [[action, ...blockedBy].join(' ')]));

/** Ahead of the service's clock and behind it. */
const SKEWS = [2 * HOUR, -2 * HOUR, 20 * HOUR, -20 * HOUR, 0];

describe('a restart that a time asks for', () => {
  it.each(SKEWS)('is done once and no more with a clock that is off by %i ms', async (skewMs) => {
    const opened = openSite(account(`restart: { not_before: "${iso(START - HOUR / 2)}" }`, { skewMs }));
    for (let run = 0; run < 4; run++) {
      expect((await opened.apply()).result.status).toBe('converged');
      await opened.clock.advance(HOUR / 4);
    }
    expect(restarts(opened)).toBe(1);
    expect(actions(await opened.plan())).toEqual([]);
  });

  it.each(SKEWS)('waits for its time at the service with a clock that is off by %i ms', async (skewMs) => {
    const opened = openSite(account(`restart: { not_before: "${iso(START + HOUR)}" }`, { skewMs }));
    expect(actions(await opened.plan())).toEqual([]);
    await opened.clock.advance(HOUR + 2000);
    expect(actions(await opened.plan())).toEqual(['restart']);
    expect((await opened.apply()).result.status).toBe('converged');
    expect((await opened.apply()).result.status).toBe('converged');
    expect(restarts(opened)).toBe(1);
  });

  it.each<[string, Partial<SiteOptions>]>([
    ['no reply tells the time', { faults: { rules: [always({}, { kind: 'date' })] } }],
    ['its clock is a week ahead', { skewMs: -7 * 24 * HOUR }],
    ['its clock is a year behind', { skewMs: 365 * 24 * HOUR }],
    [
      'its replies contradict each other',
      {
        faults: {
          rules: [always({ path: '/projects/*/endpoints' }, { kind: 'date', byMs: 3 * HOUR })],
        },
      },
    ],
  ])('is held where %s', async (_, more) => {
    const opened = openSite(account(`restart: { not_before: "${iso(START - 9 * 24 * HOUR)}" }`, more));
    const plan = await opened.plan();
    expect(plan.diagnostics).toMatchObject([{ severity: 'warning', code: 'clock_unknown' }]);
    expect(actions(plan)).toEqual(['restart clock_unknown']);
    expect((await opened.apply()).result.counts.done).toBe(0);
    expect(restarts(opened)).toBe(0);
  });
});

describe('while nobody knows the time at the service', () => {
  const WEEK = 7 * 24 * HOUR;
  const key = (rotate: string): Partial<SiteOptions> => ({
    file: `api_keys: { ci: { secret: { exec: vault }, rotate: { ${rotate} } } }\n`,
  });
  const withKeys = (keys: readonly object[], rotate: string): SiteOptions => {
    const { seed, ...options } = account('type: read_write', key(rotate));
    return { ...options, seed: { ...(seed as object), api_keys: keys } as never, stored: ['vault'] };
  };
  const ci = (id: number, createdAt: string): object => ({
    name: 'ci',
    id,
    created_at: createdAt,
    ...(id === 902 ? { last_used_at: '-1h' } : {}),
  });
  const hold = `autoscaling_limit_max_cu: 8, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 0.25, until: "${iso(START + HOUR)}", reason: x }] }`;
  const resize = account('autoscaling_limit_max_cu: 8');

  /** What is wished, and what is held. */
  const CASES: readonly [string, SiteOptions, readonly string[]][] = [
    ['restart.max_age', account('restart: { max_age: 1h }'), ['restart clock_unknown']],
    ['restart.not_before', account(`restart: { not_before: "${iso(START - HOUR)}" }`), ['restart clock_unknown']],
    ['rotate.every that is over', withKeys([ci(901, '-90d')], 'every: 30d'), ['rotate clock_unknown']],
    ['rotate.not_before', withKeys([ci(901, '-90d')], `not_before: "${iso(START - HOUR)}"`), ['rotate clock_unknown']],
    ...['after_overlap', 'when_unused'].flatMap((revoke): [string, SiteOptions, string[]][] => [
      [
        `an overlap that is over, ${revoke}`,
        withKeys([ci(901, '-90d'), ci(902, '-9d')], `overlap: 7d, revoke: ${revoke}`),
        ['revoke clock_unknown'],
      ],
    ]),
    ['a hold', account(hold), []],
    [
      'a window',
      { ...resize, file: `${resize.file}safety: { windows: ["00:00-23:59 UTC"] }\n` },
      ['update clock_unknown window'],
    ],
  ];

  describe.each([
    ['since its clock is a week ahead', -WEEK],
    ['since its clock is a week behind', WEEK],
  ])('%s', (_words, skewMs) => {
    it.each(CASES)('%s is held', async (_name, options, held) => {
      const opened = openSite({ ...options, skewMs });
      const plan = await opened.plan();
      expect(actions(plan).map((words) => words.replace(' allowance', ''))).toEqual(held);
      expect(plan.diagnostics.map(({ code }) => code)).toContain('clock_unknown');
      expect(plan.changes.some(({ held: holds, blockedBy }) => holds.length + blockedBy.length > 0)).toBe(true);
      expect((await opened.apply()).result.counts.done).toBe(0);
    });
  });
});
