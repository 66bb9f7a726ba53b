// The executor on the real control plane: what is sent, in which order, how it ends and what the events say.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/faults/plan.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { somebody } from '../../support/site.ts';
import {
  createRig,
  createStep,
  DEV,
  MAIN,
  PRIMARY,
  restartStep,
  runningRig,
  runSteps,
  SHOP,
  STAGING,
  updateStep,
  type Rig,
} from './harness.ts';

const PRIMARY_OF_MAIN = { branch_id: MAIN, type: 'read_write' };
const ON_STAGING = { branch_id: STAGING, type: 'read_write' };

describe('failures are local', () => {
  it('skips what needs the failed step and goes on with the rest', async () => {
    const rig = createRig();
    const run = await runSteps(
      rig,
      [
        createStep('bad', { branch_id: STAGING, type: 'read_write' }),
        restartStep('after', PRIMARY, PRIMARY_OF_MAIN, ['bad']),
        createStep('other', { branch_id: DEV, type: 'read_write' }),
      ],
      {
        faults: [
          {
            when: { method: 'POST', nth: 1 },
            fault: { kind: 'reply', commit: false, status: 422, body: '{"code":"","message":"no"}' },
          },
        ],
      },
    );
    expect(run.ends).toEqual({ bad: 'failed', after: 'not_started', other: 'done' });
    const skipped = run.events.find(({ type }) => type === 'step_skipped');
    expect(skipped).toMatchObject({ reason: 'depends on create of shop/bad, which failed' });
  });
});

describe('a revoked credential', () => {
  it('stops all new work and leaves each step with its own outcome', async () => {
    const rig = createRig();
    const run = await runSteps(
      rig,
      [createStep('a', ON_STAGING), createStep('b', { branch_id: DEV, type: 'read_write' })],
      { faults: [{ when: { method: 'POST' }, fault: { kind: 'reply', commit: false, status: 401, body: '{}' } }] },
    );
    expect(run.report.halted).toBe('unauthorized');
    expect(run.ends).toEqual({ a: 'failed', b: 'not_started' });
    expect(run.ledger).toEqual([]);
  });
});

describe('a step that no longer fits', () => {
  it('keeps those from starting that wait, where somebody changed it in the middle of the run', async () => {
    const rig = createRig();
    const meanwhile = rig.clock
      .sleep(500)
      .then(async () => somebody(rig.plane, 'DELETE', `/projects/${SHOP}/endpoints/${PRIMARY}`));
    const run = await runSteps(
      rig,
      [
        createStep('a', { branch_id: STAGING, type: 'read_write' }),
        updateStep('b', PRIMARY, PRIMARY_OF_MAIN, { autoscaling_limit_max_cu: 4 }, ['a']),
        restartStep('c', PRIMARY, PRIMARY_OF_MAIN, ['a']),
      ],
      { parallelism: 1 },
    );
    expect((await meanwhile).status).toBe(200);
    expect(run.ends).toEqual({ a: 'done', b: 'failed', c: 'not_started' });
    expect(run.report.halted).toBe('stale');
  });
});

describe('a busy project', () => {
  it('fails with nothing done when the project stays busy until the deadline', async () => {
    const rig = createRig();
    const run = await runSteps(rig, [createStep('a', { branch_id: STAGING, type: 'read_write' })], {
      stepTimeoutMs: 30_000,
      faults: { lockedProjects: [SHOP] },
    });
    expect(run.ends).toEqual({ a: 'failed' });
    expect(run.result.steps[0]?.message).toMatch(/^the project was busy until the deadline: POST \S+ was answered 423/);
    expect(run.ledger).toEqual([]);
    expect(rig.clock.monotonicMs()).toBeLessThan(60_000);
    expect(rig.wire.length).toBeLessThan(40);
  });
});

describe('a restart', () => {
  /** Of a compute that has run for ten seconds, planned now. */
  async function planned(): Promise<{ readonly rig: Rig; readonly step: Step }> {
    const rig = await runningRig();
    const now = new Date(rig.clock.nowMs()).toISOString();
    const step = restartStep('r', PRIMARY, PRIMARY_OF_MAIN);
    return { rig, step: { ...step, options: { restart: { since: now, planned_at: now } } } };
  }

  it('is not done a second time when the log shows it done since', async () => {
    const { rig, step } = await planned();
    const first = await runSteps(rig, [step]);
    const again = await runSteps(rig, [step]);
    expect([first.ends['r'], again.ends['r']]).toEqual(['done', 'satisfied']);
    expect(again.writes).toEqual([]);
  });

  it('joins one that is under way, whoever asked for it', async () => {
    const { rig, step } = await planned();
    await rig.clock.run(rig.client.write('POST', step.path, null));
    const run = await runSteps(rig, [step]);
    expect(run.ends).toEqual({ r: 'satisfied' });
    expect(run.writes).toEqual([]);
  });
});

describe('operations of others', () => {
  const slow: FaultRule = {
    when: { action: 'start_compute', nth: 1 },
    fault: { on: 'operation', kind: 'slow', durationMs: 20_000 },
  };

  it('on the target of a restart are each waited for, also where one of them has failed', async () => {
    const rig = await runningRig({ switches: { locking: 'off' } });
    const now = new Date(rig.clock.nowMs()).toISOString();
    const step = restartStep('r', PRIMARY, PRIMARY_OF_MAIN);
    const endpoint = `/projects/${SHOP}/endpoints/${PRIMARY}`;
    const cancelled: FaultRule = {
      when: { action: 'apply_config', nth: 1 },
      fault: { on: 'operation', kind: 'status', status: 'cancelled' },
    };
    const faults = { rules: [slow, cancelled] };
    rig.plane.setFaults(faults);
    await rig.clock.run(rig.client.write('PATCH', endpoint, { endpoint: { suspend_timeout_seconds: 900 } }));
    await rig.clock.run(rig.client.write('POST', step.path, null));
    const options = { restart: { since: now, planned_at: now } };
    const run = await runSteps(rig, [{ ...step, options }], { faults });
    expect([run.ends, run.writes]).toEqual([{ r: 'satisfied' }, []]);
  });
});

describe('stopping', () => {
  it('hides no bug: what breaks while the plan is checked is thrown, stopped or not', async () => {
    const soft = new AbortController();
    const rig = createRig();
    const run = runSteps(rig, [createStep('a', { branch_id: DEV, type: 'read_only' })], {
      stop: { soft: soft.signal, hard: new AbortController().signal },
      planAgain: async () => {
        soft.abort();
        return Promise.reject(new TypeError('a slip of ours'));
      },
    });
    await expect(run).rejects.toThrow('a slip of ours');
  });
});
