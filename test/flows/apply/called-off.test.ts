// A write that was refused for now and waits to be sent again: a stop calls it off, as if it had never had its turn.
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/model/outcome/plan.ts';
import type { Fault } from '../../../src/control-plane/faults/plan.ts';
import { createRig, createStep, DEV, runSteps, STAGING, type Outcome, type Rig } from './harness.ts';
import { always } from '../../support/faults.ts';

const never = new AbortController().signal;
const REPLICAS = ['a', 'b', 'c', 'd', 'e'].map((id) => createStep(id, { branch_id: DEV, type: 'read_only' }));

function oneAtATime(): Rig {
  return createRig({
    switches: { locking: 'project', availabilityChecks: 'off' },
    operationMs: { min: 20_000, max: 20_000 },
  });
}

/** A run of which `soft` is aborted at `ms`; `late` are the writes sent after that. */
async function stopped(
  rig: Rig,
  ms: number,
  options: Partial<Parameters<typeof runSteps>[2]> & { readonly steps?: readonly Step[] } = {},
): Promise<{ readonly run: Outcome; readonly late: number }> {
  const { steps = REPLICAS, ...rest } = options;
  const soft = new AbortController();
  let before = 0;
  const writes = (): number => rig.wire.filter((line) => !line.startsWith('GET')).length;
  soft.signal.addEventListener('abort', () => void (before = writes()));
  void rig.clock.sleep(ms).then(() => soft.abort());
  const run = await runSteps(rig, steps, { stop: { soft: soft.signal, hard: never }, ...rest });
  return { run, late: run.writes.length - before };
}

describe('a soft stop', () => {
  it('calls off what a busy project refused and what waits for its turn; the write that was taken is waited for', async () => {
    const { run, late } = await stopped(oneAtATime(), 5000);
    expect(run.report.halted).toBe('interrupted');
    expect(late).toBe(0);
    expect(run.ledger).toHaveLength(1);
    expect(Object.values(run.ends).toSorted()).toEqual(['done', ...Array<string>(4).fill('not_started')]);
  });

  it('calls off what waits for the pause that the service asked for', async () => {
    for (const fault of [
      { kind: 'rate-limited', retryAfter: '60' },
      { kind: 'reply', commit: false, status: 503, headers: { 'retry-after': '60' } },
    ] satisfies readonly Fault[]) {
      const rig = createRig();
      const steps = [createStep('a', { branch_id: STAGING, type: 'read_write' })];
      const faults = { rules: [{ when: { method: 'POST' }, fault, times: 1 }] };
      const { run, late } = await stopped(rig, 5000, { steps, faults });
      expect(run.ends).toEqual({ a: 'not_started' });
      expect([late, run.ledger.length]).toEqual([0, 0]);
      expect(rig.clock.monotonicMs()).toBe(5000);
    }
  });

  it('calls off the look before the first write, when lists hang', async () => {
    const rig = createRig();
    const hanging = always({ method: 'GET' }, { kind: 'black-hole', commit: false });
    const steps = [createStep('a', { branch_id: STAGING, type: 'read_write' })];
    const { run } = await stopped(rig, 5000, { steps, faults: [hanging] });
    expect([run.ends, run.writes]).toEqual([{ a: 'not_started' }, []]);
    expect(run.report.halted).toBe('interrupted');
    expect(rig.clock.monotonicMs()).toBe(5000);
  });

  it('lets a lost reply be settled: what was refused on its second attempt may have been done by the first', async () => {
    const rig = oneAtATime();
    const steps = [createStep('a', { branch_id: STAGING, type: 'read_write' })];
    const faults = {
      rules: [
        { when: { method: 'POST', nth: 1 }, fault: { kind: 'after-send-before-commit' } },
        { when: { method: 'POST', nth: 2 }, fault: { kind: 'locked' } },
      ] as const,
    };
    const { run } = await stopped(rig, 2001, { steps, faults });
    expect(run.ends).toEqual({ a: 'done' });
  });
});
