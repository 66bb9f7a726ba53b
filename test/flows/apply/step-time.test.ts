// The time of a step bounds its request too: an answer that does not come is a lost reply, settled by evidence at the deadline.
import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/control-plane/faults/plan.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { createRig, createStep, DEV, runSteps, STAGING, type Outcome, type RunOptions } from './harness.ts';
import { always } from '../../support/faults.ts';

const PRIMARY_OF_STAGING = createStep('a', { branch_id: STAGING, type: 'read_write' });
const REPLICA = createStep('a', { branch_id: DEV, type: 'read_only', name: 'a' });

const silent = (method: string, commit: boolean): FaultRule => always({ method }, { kind: 'black-hole', commit });

async function timed(
  step: Step,
  rule: FaultRule,
  options: RunOptions,
): Promise<{ readonly run: Outcome; readonly ms: number; readonly reason: string }> {
  const rig = createRig();
  const run = await runSteps(rig, [step], { faults: [rule], ...options });
  return { run, ms: rig.clock.monotonicMs(), reason: run.result.steps[0]?.message ?? '' };
}

describe('a request that is never answered', () => {
  it('is given up at the deadline of its step, and what it did is found', async () => {
    const { run, ms } = await timed(PRIMARY_OF_STAGING, silent('POST', true), { stepTimeoutMs: 5000 });
    expect(run.ends).toEqual({ a: 'done' });
    expect(run.writes).toHaveLength(1);
    expect(ms).toBeLessThanOrEqual(5100);
  });

  it('ends unknown, soon after the deadline, when two looks show nothing of it; it is not sent again', async () => {
    for (const step of [PRIMARY_OF_STAGING, REPLICA]) {
      const { run, ms, reason } = await timed(step, silent('POST', false), { stepTimeoutMs: 5000 });
      expect(run.ends).toEqual({ a: 'unknown' });
      expect(run.writes).toHaveLength(1);
      expect(ms).toBeLessThanOrEqual(7100);
      expect(reason).toMatch(
        /the reply was lost .*got no answer: its time was over.*the next plan shows whether the step was carried out/,
      );
    }
  });

  it('and whose traces cannot be read, since lists hang too, ends unknown soon after the deadline', async () => {
    const rig = createRig();
    const lists = silent('GET', false);
    const faults = { rules: [silent('POST', false), { ...lists, when: { ...lists.when, after: 1 } }] };
    for (const step of [PRIMARY_OF_STAGING, REPLICA]) {
      const beganMs = rig.clock.monotonicMs();
      const run = await runSteps(rig, [step], { faults, stepTimeoutMs: 5000 });
      expect(run.ends).toEqual({ a: 'unknown' });
      expect(run.result.steps[0]?.message).toMatch(/the reply was lost .*could not be read again in time/);
      expect(run.writes).toHaveLength(1);
      expect(rig.clock.monotonicMs() - beganMs).toBeLessThanOrEqual(8100);
      rig.plane.setFaults({});
    }
  });
});

describe('a pause that the service asks for', () => {
  it('ends with the time of the step: nothing was done', async () => {
    const rule: FaultRule = always({ method: 'POST' }, { kind: 'rate-limited', retryAfter: '60' });
    const { run, ms } = await timed(REPLICA, rule, { stepTimeoutMs: 5000 });
    expect(run.ends).toEqual({ a: 'failed' });
    expect(run.ledger).toEqual([]);
    expect(ms).toBeLessThanOrEqual(5100);
  });
});
