// What was acknowledged is looked for until it shows, within a bound; and a reply that names no operation does not prove that there is none.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/index.ts';
import { SETTLE_PAUSES_MS } from '../../../src/model/operations/timing.ts';
import type { Account, AccountOptions } from './account.ts';
import { idOf, runningCompute, withAccount } from './fleet.ts';

const ID = idOf(0);
const LISTS = `/projects/${ID}/endpoints`;
const BOUND_MS = SETTLE_PAUSES_MS.reduce((sum, pause) => sum + pause, 0);

/** A compute that runs, and what is declared of it and beside it. */
function account(wish: string, others = ''): AccountOptions {
  return {
    ...runningCompute(wish, others, { updated_at: '-30d' }),
    operationMs: { min: 200, max: 200 },
    reconciler: { requestsPerMinute: Infinity },
  };
}
const REPLICA = `      reader: { branch_id: br-${ID}, type: read_only }\n`;

/** From the second list on, so long, lists show what the first one did. */
const lagging = (forMs: number): { rules: FaultRule[] } => ({
  rules: [
    {
      when: { method: 'GET', path: LISTS, after: 1, forMs },
      times: 'always',
      fault: { kind: 'list', how: 'stale', back: 9 },
    },
  ],
});
const writes = ({ controlPlane }: Account): readonly string[] =>
  controlPlane
    .ledger()
    .filter(({ kind }) => kind === 'compute')
    .map(({ verb }) => verb);

describe('a list that lags', () => {
  it.each([2500, 5000, 9000])('%i ms behind a create is read again: one was made, and it is found', async (forMs) => {
    await withAccount(account('', REPLICA), async (opened) => {
      opened.controlPlane.setFaults(lagging(forMs));
      expect((await opened.apply()).result.status).toBe('converged');
      expect((await opened.apply()).result.status).toBe('converged');
      expect(writes(opened)).toEqual(['POST']);
    });
  });

  it('behind a change is read again', async () => {
    await withAccount(account('pooler_enabled: true'), async (opened) => {
      opened.controlPlane.setFaults(lagging(5000));
      expect((await opened.apply()).result.status).toBe('converged');
      expect(writes(opened)).toEqual(['PATCH']);
    });
  });

  it('longer than the bound is told as it is', async () => {
    await withAccount(account('', REPLICA), async (opened) => {
      opened.controlPlane.setFaults(lagging(3_600_000));
      const { result } = await opened.apply();
      expect(result.status).toBe('incomplete');
      expect(result.diagnostics.map(({ code }) => code)).toContain('not_listed');
      expect(result.seconds * 1000).toBeGreaterThan(BOUND_MS);
      expect(result.seconds * 1000).toBeLessThan(BOUND_MS + 5000);
    });
  });

  it('is waited for no longer than the run may take, and not at all when the first look shows everything', async () => {
    await withAccount(account('', REPLICA), async (opened) => {
      opened.controlPlane.setFaults(lagging(3_600_000));
      const { result } = await opened.apply(undefined, { timeoutMs: 4000 });
      expect(result.status).toBe('incomplete');
      expect(result.seconds).toBeLessThan(4.5);
    });
    await withAccount(account('', REPLICA), async (opened) => {
      const { result } = await opened.apply();
      expect(result.status).toBe('converged');
      expect(result.seconds).toBeLessThan(1);
    });
  });
});

describe('what an earlier run of the folder made and the list does not show', () => {
  it('is not made again: it is waited for, and else its project is left alone', async () => {
    await withAccount(account('', REPLICA), async (opened) => {
      opened.controlPlane.setFaults(lagging(60_000));
      expect((await opened.apply()).result.status).toBe('incomplete');
      const second = await opened.clock.run(opened.reconciler.plan({ desired: opened.desired }));
      expect(second.plan?.steps).toEqual([]);
      expect(second.plan?.unread).toMatchObject([
        { projectId: ID, reason: expect.stringContaining('it exists') as string },
      ]);
      await opened.clock.advance(60_000);
      expect((await opened.apply()).result.status).toBe('converged');
      expect(writes(opened)).toEqual(['POST']);
    });
  });

  it('is said before it is waited for, once; and nothing is where nothing is waited for', async () => {
    const said: string[] = [];
    const told = { ...account('', REPLICA), reconciler: { onPause: (words: string) => void said.push(words) } };
    await withAccount(told, async (opened) => {
      expect((await opened.apply()).result.status).toBe('converged');
      await opened.plan();
      expect(said).toEqual([]);
      const made = opened.controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only')?.id;
      await opened.clock.run(opened.reconciler.client.write('DELETE', `${LISTS}/${made}`, null));
      await opened.plan();
      expect(said).toEqual([
        `waiting up to 16s: a recent run created ${opened.desired.projects[0]?.label}/reader (${made}), which the service does not list; the list may lag, or somebody renamed or deleted it`,
      ]);
    });
  });

  it('is found by waiting when the list catches up meanwhile', async () => {
    await withAccount(account('', REPLICA), async (opened) => {
      opened.controlPlane.setFaults(lagging(20_000));
      expect((await opened.apply()).result.status).toBe('incomplete');
      expect((await opened.apply()).result.status).toBe('converged');
      expect(writes(opened)).toEqual(['POST']);
    });
  });

  it.each([
    ['an hour later, at once', 3_600_000, 0],
    ['a moment later, once that is sure', 1000, 30_000 - 1000],
  ])('is made again where somebody has deleted it, %s', async (_, laterMs, waitsMs) => {
    await withAccount(account('', REPLICA), async (opened) => {
      const { clock, controlPlane, reconciler, apply } = opened;
      expect((await apply()).result.status).toBe('converged');
      const made = controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only');
      await clock.run(reconciler.client.write('DELETE', `${LISTS}/${made?.id}`, null));
      await clock.advance(laterMs);
      const fromMs = clock.nowMs();
      expect((await apply()).result.status).toBe('converged');
      expect(clock.nowMs() - fromMs).toBeLessThan(waitsMs + 1000);
      expect(writes(opened)).toEqual(['POST', 'DELETE', 'POST']);
    });
  });

  describe('nor the service itself, asked for it', () => {
    /** For so long neither list nor single look shows what was made; `log` answers for the log. */
    const hidden = (...ids: readonly string[]): { rules: FaultRule[] } => ({
      rules: [
        ...ids.map((id): FaultRule => ({
          when: { method: 'GET', path: `${LISTS}/${id}` },
          times: 'always',
          fault: { kind: 'reply', commit: false, status: 404, body: '{}' },
        })),
        { when: { method: 'GET', path: LISTS }, times: 'always', fault: { kind: 'list', how: 'stale', back: 99 } },
      ],
    });
    const madeIn = ({ controlPlane }: Account): string =>
      controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only')?.id ?? '';
    const refusal = [{ projectId: ID, reason: expect.stringContaining('is not listed, and may exist') as string }];

    /** A replica was made that no list has shown. */
    async function made(opened: Account): Promise<void> {
      opened.controlPlane.setFaults(lagging(3_600_000));
      expect((await opened.apply()).result.status).toBe('incomplete');
      opened.controlPlane.setFaults(hidden(madeIn(opened)));
    }

    it.each([60_000, 240_000, 3_600_000])(
      '%i ms later is not made again, by a new plan or a saved one',
      async (laterMs) => {
        await withAccount(account('', REPLICA), async (opened) => {
          const { desired } = opened;
          const { plan: before, reading } = await opened.clock.run(opened.reconciler.plan({ desired }));
          if (before === null) throw new Error('no plan');
          await made(opened);
          await opened.clock.advance(laterMs);
          const again = await opened.plan();
          expect(again.steps).toEqual([]);
          expect(again.unread).toMatchObject(refusal);
          const saved = await opened.clock.run(
            opened.reconciler.apply({ plan: before, desired, reading, isSaved: true, request: {} }),
          );
          expect(saved.status).toBe('incomplete');
          expect(saved.steps).toMatchObject([{ outcome: 'failed', message: refusal[0]?.reason }]);
          expect(writes(opened)).toEqual(['POST']);
          opened.controlPlane.setFaults({ rules: [] });
          expect((await opened.apply()).result.status).toBe('converged');
          expect(writes(opened)).toEqual(['POST']);
        });
      },
    );

    it('is not made again by a service that has no route for a single one either', async () => {
      await withAccount(account('', REPLICA), async (opened) => {
        await made(opened);
        opened.controlPlane.setFaults(hidden('*'));
        await opened.clock.advance(60_000);
        expect((await opened.plan()).unread).toMatchObject(refusal);
      });
    });

    it.each([
      ['where the log tells that it was removed', 60_000],
      ['a day later', 86_400_000],
    ])('is made again %s', async (_, laterMs) => {
      await withAccount(account('', REPLICA), async (opened) => {
        const { clock, controlPlane, reconciler } = opened;
        controlPlane.setFaults(lagging(3_600_000));
        expect((await opened.apply()).result.status).toBe('incomplete');
        await clock.run(reconciler.client.write('DELETE', `${LISTS}/${madeIn(opened)}`, null));
        controlPlane.setFaults({ rules: [] });
        await clock.advance(laterMs);
        expect((await opened.apply()).result.status).toBe('converged');
        expect(writes(opened)).toEqual(['POST', 'DELETE', 'POST']);
      });
    });

    it.each([
      [60_000, []],
      [900_000, ['POST', 'POST']],
    ] as const)('%i ms later, where a log that was read to its end does not know it', async (laterMs, made) => {
      await withAccount(account('', REPLICA), async (opened) => {
        const { clock, controlPlane } = opened;
        controlPlane.setFaults(lagging(3_600_000));
        expect((await opened.apply()).result.status).toBe('incomplete');
        const log: FaultRule = {
          when: { method: 'GET', path: `/projects/${ID}/operations` },
          times: 'always',
          fault: { kind: 'reply', commit: false, status: 200, body: '{"operations":[]}' },
        };
        controlPlane.setFaults({ rules: [...hidden(madeIn(opened)).rules, log] });
        await clock.advance(laterMs);
        const plan = await opened.plan();
        expect(plan.steps.map(({ method }) => method)).toEqual(made.length === 0 ? [] : ['POST']);
      });
    });
  });

  it('is made again by a service that has no route for a single one, once lists have agreed for long enough', async () => {
    await withAccount(account('', REPLICA), async (opened) => {
      const { clock, controlPlane, reconciler, apply } = opened;
      expect((await apply()).result.status).toBe('converged');
      const made = controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only');
      await clock.run(reconciler.client.write('DELETE', `${LISTS}/${made?.id}`, null));
      const fault = { kind: 'reply', commit: false, status: 404, body: '{}' } as const;
      controlPlane.setFaults({ rules: [{ when: { method: 'GET', path: `${LISTS}/*` }, times: 'always', fault }] });
      await clock.advance(3_600_000);
      expect((await apply()).result.status).toBe('converged');
      expect(writes(opened)).toEqual(['POST', 'DELETE', 'POST']);
    });
  });

  it('is made again though the log does not know it yet, since a list has shown it before', async () => {
    await withAccount(account('', REPLICA), async (opened) => {
      const { clock, controlPlane, reconciler, apply, plan } = opened;
      expect((await apply()).result.status).toBe('converged');
      const made = controlPlane.truth.computes(ID).find(({ type }) => type === 'read_only');
      await clock.run(reconciler.client.write('DELETE', `${LISTS}/${made?.id}`, null));
      const when = { method: 'GET', path: `/projects/${ID}/operations` };
      const fault = { kind: 'list', how: 'empty' } as const;
      controlPlane.setFaults({ rules: [{ when, times: 'always', fault }] });
      await clock.advance(60_000);
      expect((await plan()).steps.map(({ method }) => method)).toEqual(['POST']);
    });
  });
});

describe('a change whose reply names no operation', () => {
  const silent = (...more: FaultRule[]): { rules: FaultRule[] } => ({
    rules: [
      { when: { method: 'PATCH' }, times: 'always', fault: { kind: 'garble', how: 'empty-operations' } },
      ...more,
    ],
  });
  const fails: FaultRule = { when: { action: 'apply_config' }, times: 1, fault: { on: 'operation', kind: 'fail' } };
  const slow: FaultRule = {
    when: { action: 'apply_config' },
    times: 1,
    fault: { on: 'operation', kind: 'slow', durationMs: 30_000 },
  };

  it.each([
    ['and fails at once', [fails]],
    ['and fails while it is looked for', [{ ...fails, fault: { on: 'operation', kind: 'fail', applied: true } }]],
  ] as readonly (readonly [string, FaultRule[]])[])('%s is not called done', async (_, rules) => {
    await withAccount(account('autoscaling_limit_max_cu: 2'), async (opened) => {
      opened.controlPlane.setFaults(silent(...rules));
      expect((await opened.apply()).result.status).toBe('incomplete');
      expect((await opened.apply()).result.status).toBe('converged');
    });
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
    await withAccount(account('autoscaling_limit_max_cu: 2'), async (opened) => {
      const rest = [says('endpoint.current_state', 'idle'), says('endpoint.pending_state')];
      const applied: FaultRule = { ...fails, fault: { on: 'operation', kind: 'fail', applied: true } };
      opened.controlPlane.setFaults(silent(...rest, applied));
      expect((await opened.apply(undefined, how)).result.status).toBe('incomplete');
    });
  });

  it('is waited for while the log shows it under way', async () => {
    await withAccount(account('autoscaling_limit_max_cu: 2'), async (opened) => {
      opened.controlPlane.setFaults(silent(slow));
      const { result } = await opened.apply();
      expect(result.status).toBe('converged');
      expect(result.seconds).toBeGreaterThan(30);
    });
  });

  it('is done at once where nothing runs and nothing fails', async () => {
    await withAccount(account('pooler_enabled: true'), async (opened) => {
      opened.controlPlane.setFaults(silent());
      const { result } = await opened.apply();
      expect(result.status).toBe('converged');
      expect(result.seconds).toBeLessThan(1);
    });
  });
});

describe('a log that lags behind a change whose reply names no operation', () => {
  const slowly = { ...account('autoscaling_limit_max_cu: 2'), operationMs: { min: 4000, max: 4000 } };
  const lags = (ms: number): FaultRule => ({
    when: { method: 'GET', path: `/projects/${ID}/operations`, forMs: ms },
    times: 'always',
    fault: { kind: 'list', how: 'empty' },
  });
  const unreported: Readonly<Record<string, FaultRule>> = {
    'names none': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'garble', how: 'empty-operations' } },
    'is silent': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'garble', how: 'no-operations' } },
    'is lost': { when: { method: 'PATCH' }, times: 1, fault: { kind: 'after-commit-before-reply' } },
    'is refused': {
      when: { method: 'PATCH' },
      times: 1,
      fault: { kind: 'reply', commit: true, status: 503, body: '{}' },
    },
  };
  const failing: FaultRule = {
    when: { action: 'apply_config' },
    times: 1,
    fault: { on: 'operation', kind: 'fail', applied: true },
  };

  for (const [how, reply] of Object.entries(unreported))
    it.each([300, 1000, 2500])(`that ${how}: one that fails is not called done, %i ms`, async (ms) => {
      await withAccount(slowly, async (opened) => {
        opened.controlPlane.setFaults({ rules: [reply, lags(ms), failing] });
        expect((await opened.apply()).result.status).toBe('incomplete');
        opened.controlPlane.setFaults({});
        await opened.clock.advance(60_000);
        expect((await opened.apply()).result.status).toBe('converged');
        expect((await opened.apply()).result.steps).toEqual([]);
      });
    });

  it('one that was cancelled by the time it is shown is not called done', async () => {
    const cancelled = { ...failing, fault: { on: 'operation', kind: 'status', status: 'cancelled', applied: true } };
    await withAccount(account('autoscaling_limit_max_cu: 2'), async (opened) => {
      opened.controlPlane.setFaults({ rules: [unreported['names none'], lags(1000), cancelled] as FaultRule[] });
      expect((await opened.apply()).result.steps.map(({ outcome }) => outcome)).toEqual(['failed']);
    });
  });

  it('one that is shown late and ends well is waited for', async () => {
    await withAccount(slowly, async (opened) => {
      opened.controlPlane.setFaults({ rules: [unreported['names none'] as FaultRule, lags(2500)] });
      const { result } = await opened.apply();
      expect(result.status).toBe('converged');
      expect(result.steps[0]?.operations.map(({ action }) => action)).toContain('apply_config');
    });
  });
});
