// Every way in which an operation can go wrong: the step's outcome, and that nothing is ever sent a second time for it.
import { describe, expect, it } from 'vitest';
import type { OperationFault } from '../../../src/control-plane/faults/plan.ts';
import {
  createRig,
  createStep,
  deleteStep,
  MAIN,
  PRIMARY,
  runningRig,
  runSteps,
  SHOP,
  STAGING,
  updateStep,
} from './harness.ts';
import { always } from '../../support/faults.ts';

const CASES: readonly (readonly [string, OperationFault, string])[] = [
  ['failed for good', { kind: 'fail' }, 'failed'],
  ['failed, though the change is made', { kind: 'fail', applied: true }, 'failed'],
  ['failed twice, then finished', { kind: 'fail-then-finish', failures: 2, retryAfterMs: 4000 }, 'done'],
  ['scheduled for ever', { kind: 'hang', status: 'scheduling' }, 'timed_out'],
  ['running for ever', { kind: 'hang', status: 'running' }, 'timed_out'],
  ['gone from the log', { kind: 'vanish' }, 'unknown'],
  ['finished without effect', { kind: 'lie' }, 'done'],
  ['skipped', { kind: 'status', status: 'skipped', applied: true }, 'done'],
  ['cancelled', { kind: 'status', status: 'cancelled' }, 'failed'],
  ['error', { kind: 'status', status: 'error' }, 'failed'],
  ['a word that nobody knows', { kind: 'status', status: 'pondering' }, 'timed_out'],
  ['slow', { kind: 'slow', durationMs: 120_000 }, 'done'],
];

describe('a creation whose operation is', () => {
  it.each(CASES)('%s', async (_, fault, expected) => {
    const rig = createRig();
    const run = await runSteps(rig, [createStep('a', { branch_id: STAGING, type: 'read_write' })], {
      stepTimeoutMs: 300_000,
      faults: [always({ action: 'start_compute' }, { on: 'operation', ...fault })],
    });
    expect(run.ends).toEqual({ a: expected });
    if (expected === 'failed') expect(run.result.steps[0]?.message).toMatch(/start_compute .* ended as \w+/);
    expect(run.writes).toHaveLength(1);
    expect(rig.clock.monotonicMs()).toBeLessThanOrEqual(301_000);
  });
});

describe('a start that fails at the end of a change', () => {
  it('fails the step, although the resource reads as it was asked for', async () => {
    const rig = await runningRig();
    const before = (await rig.clock.run(rig.list()))[0]?.spec ?? {};
    const run = await runSteps(
      rig,
      [updateStep('a', PRIMARY, before, { autoscaling_limit_max_cu: 3, autoscaling_limit_min_cu: 3 })],
      { faults: [always({ action: 'start_compute' }, { on: 'operation', kind: 'fail' })] },
    );
    expect(run.ends).toEqual({ a: 'failed' });
  });

  it('of a deletion does not bring the resource back', async () => {
    const rig = await runningRig();
    const run = await runSteps(rig, [deleteStep('a', PRIMARY, { branch_id: MAIN })], {
      faults: [always({ action: 'suspend_compute' }, { on: 'operation', kind: 'fail' })],
    });
    expect(run.ends).toEqual({ a: 'done' });
    expect(rig.plane.truth.computes(SHOP)).toEqual([]);
  });
});
