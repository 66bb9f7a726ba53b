// What was acknowledged is looked for until it shows, within a bound; and a reply that names no operation does not prove that there is none.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/index.ts';
import { LIST_LAG_MS, SETTLE_PAUSES_MS } from '../../../src/model/operations/timing.ts';
import { always, fails } from '../../support/faults.ts';
import { openSite, type Site, type SiteOptions } from '../../support/site.ts';
import { idOf, runningCompute } from './fleet.ts';

const ID = idOf(0);
const LISTS = `/projects/${ID}/endpoints`;
const BOUND_MS = SETTLE_PAUSES_MS.reduce((sum, pause) => sum + pause, 0);

/** A compute that runs, and what is declared of it and beside it. */
function account(wish: string, others = ''): SiteOptions {
  return { ...runningCompute(wish, others, { updated_at: '-30d' }), operationMs: { min: 200, max: 200 } };
}
const REPLICA = `      reader: { branch_id: br-${ID}, type: read_only }\n`;

/** From the second list on, so long, lists show what the first one did. */
const lagging = (forMs: number): { rules: FaultRule[] } => ({
  rules: [always({ method: 'GET', path: LISTS, after: 1, forMs }, { kind: 'list', how: 'stale', back: 9 })],
});
const writes = ({ controlPlane }: Site): readonly string[] =>
  controlPlane
    .ledger()
    .filter(({ kind }) => kind === 'compute')
    .map(({ verb }) => verb);

describe('a list that lags', () => {
  it.each([2500, 5000, 9000])('%i ms behind a create is read again: one was made, and it is found', async (forMs) => {
    const opened = openSite(account('', REPLICA));
    opened.controlPlane.setFaults(lagging(forMs));
    expect((await opened.apply()).result.status).toBe('converged');
    expect((await opened.apply()).result.status).toBe('converged');
    expect(writes(opened)).toEqual(['POST']);
  });

  it('longer than the bound is told as it is', async () => {
    const opened = openSite(account('', REPLICA));
    opened.controlPlane.setFaults(lagging(3_600_000));
    const { result } = await opened.apply();
    expect(result.status).toBe('incomplete');
    expect(result.diagnostics.map(({ code }) => code)).toContain('not_listed');
    expect(result.seconds * 1000).toBeGreaterThan(BOUND_MS);
    expect(result.seconds * 1000).toBeLessThan(BOUND_MS + 5000);
  });

  it('is waited for no longer than the run may take', async () => {
    const opened = openSite(account('', REPLICA));
    opened.controlPlane.setFaults(lagging(3_600_000));
    const { result } = await opened.apply({ timeoutMs: 4000 });
    expect(result.status).toBe('incomplete');
    expect(result.seconds).toBeLessThan(4.5);
  });

  it('is not waited for when the first look shows everything', async () => {
    const { result } = await openSite(account('', REPLICA)).apply();
    expect(result.status).toBe('converged');
    expect(result.seconds).toBeLessThan(1);
  });
});

describe('what an earlier run of the folder made and the list does not show', () => {
  it('is waited for as long as a list may lag, and not longer', async () => {
    const opened = openSite(account('', REPLICA));
    opened.controlPlane.setFaults(lagging(3_600_000));
    const fromMs = opened.clock.nowMs();
    expect((await opened.apply()).result.status).toBe('incomplete');
    expect((await opened.plan()).steps.map(({ method }) => method)).toEqual(['POST']);
    const waitedMs = opened.clock.nowMs() - fromMs;
    expect(waitedMs).toBeGreaterThan(LIST_LAG_MS - 1000);
    expect(waitedMs).toBeLessThan(LIST_LAG_MS + 5000);
  });

  it('is said before it is waited for, once; and nothing is where nothing is waited for', async () => {
    const said: string[] = [];
    const told = { ...account('', REPLICA), reconciler: { onPause: (words: string) => void said.push(words) } };
    const opened = openSite(told);
    expect((await opened.apply()).result.status).toBe('converged');
    await opened.plan();
    expect(said).toEqual([]);
    const made = opened.controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only')?.id;
    await opened.api('DELETE', `${LISTS}/${made}`);
    await opened.plan();
    expect(said).toEqual([
      expect.stringMatching(new RegExp(`^waiting up to [23]\\ds: a recent run asked for ${ID}/reader, `)),
    ]);
  });

  it.each([
    ['an hour later, at once', 3_600_000, 0],
    ['a moment later, once that is sure', 1000, 30_000 - 1000],
  ])('is made again where somebody has deleted it, %s', async (_, laterMs, waitsMs) => {
    const opened = openSite(account('', REPLICA));
    const { api, clock, controlPlane, apply } = opened;
    expect((await apply()).result.status).toBe('converged');
    const made = controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only');
    await api('DELETE', `${LISTS}/${made?.id}`);
    await clock.advance(laterMs);
    const fromMs = clock.nowMs();
    expect((await apply()).result.status).toBe('converged');
    expect(clock.nowMs() - fromMs).toBeLessThan(waitsMs + 1000);
    expect(writes(opened)).toEqual(['POST', 'DELETE', 'POST']);
  });
});

describe('a change whose reply names no operation', () => {
  const silent = (...more: FaultRule[]): { rules: FaultRule[] } => ({
    rules: [always({ method: 'PATCH' }, { kind: 'garble', how: 'empty-operations' }), ...more],
  });
  const when = { action: 'apply_config' };
  const undone: FaultRule = { when, times: 1, fault: { on: 'operation', kind: 'fail' } };
  const slow: FaultRule = { when, times: 1, fault: { on: 'operation', kind: 'slow', durationMs: 30_000 } };

  it.each([
    ['and fails at once', undone],
    ['and fails while it is looked for', { ...fails('apply_config'), times: 1 }],
  ])('%s is not called done', async (_, rule) => {
    const opened = openSite(account('autoscaling_limit_max_cu: 2'));
    opened.controlPlane.setFaults(silent(rule));
    expect((await opened.apply()).result.status).toBe('incomplete');
    expect((await opened.apply()).result.status).toBe('converged');
  });

  it.each([
    ['a fresh plan', {}],
    ['a saved plan', { isSaved: true }],
  ] as const)('and says that nothing runs, while something does and fails, is not called done: %s', async (_, how) => {
    const says = (at: string, value?: string): FaultRule => ({
      when: { method: 'PATCH' },
      times: 1,
      fault: { kind: 'rewrite', at, ...(value === undefined ? {} : { value }) },
    });
    const opened = openSite(account('autoscaling_limit_max_cu: 2'));
    const rest = [says('endpoint.current_state', 'idle'), says('endpoint.pending_state')];
    opened.controlPlane.setFaults(silent(...rest, { ...fails('apply_config'), times: 1 }));
    expect((await opened.apply(how)).result.status).toBe('incomplete');
  });

  it('is waited for while the log shows it under way', async () => {
    const opened = openSite(account('autoscaling_limit_max_cu: 2'));
    opened.controlPlane.setFaults(silent(slow));
    const { result } = await opened.apply();
    expect(result.status).toBe('converged');
    expect(result.seconds).toBeGreaterThan(30);
  });
});

describe('a log that lags behind a change whose reply names no operation', () => {
  const slowly = { ...account('autoscaling_limit_max_cu: 2'), operationMs: { min: 4000, max: 4000 } };
  const lags = (ms: number): FaultRule =>
    always({ method: 'GET', path: `/projects/${ID}/operations`, forMs: ms }, { kind: 'list', how: 'empty' });
  const unreported: Readonly<Record<string, FaultRule>> = {
    'names none': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'garble', how: 'empty-operations' } },
    'is silent': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'garble', how: 'no-operations' } },
    'is lost': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'after-commit-before-reply' } },
    'is refused': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'reply', commit: true, status: 503 } },
  };
  const failing: FaultRule = { ...fails('apply_config'), times: 1 };

  for (const [how, reply] of Object.entries(unreported))
    it.each([300, 1000, 2500])(`that ${how}: one that fails is not called done, %i ms`, async (ms) => {
      const opened = openSite(slowly);
      opened.controlPlane.setFaults({ rules: [reply, lags(ms), failing] });
      expect((await opened.apply()).result.status).toBe('incomplete');
      opened.controlPlane.setFaults({});
      await opened.clock.advance(60_000);
      expect((await opened.apply()).result.status).toBe('converged');
      expect((await opened.apply()).result.steps).toEqual([]);
    });
});
