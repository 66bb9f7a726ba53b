// What a run says of itself is true: when a step began, how long it took, what was sent again and why.
import { describe, expect, it } from 'vitest';
import type { ApplyEvent } from '../../../src/model/outcome/event.ts';
import { createRig, createStep, MAIN, runSteps, STAGING, type Outcome } from './harness.ts';
import { always } from '../../support/faults.ts';

const replica = (id: string): ReturnType<typeof createStep> => createStep(id, { branch_id: MAIN, type: 'read_only' });
const primary = (id: string, branch: string): ReturnType<typeof createStep> =>
  createStep(id, { branch_id: branch, type: 'read_write' });
const slowPosts = { rules: [always({ method: 'POST' }, { kind: 'latency', ms: 1000 })] } as const;

function eventsOf<T extends ApplyEvent['type']>(
  { events }: Outcome,
  type: T,
): readonly Extract<ApplyEvent, { readonly type: T }>[] {
  return events.filter((event): event is Extract<ApplyEvent, { readonly type: T }> => event.type === type);
}

describe('the time of a step', () => {
  it('begins when its request is sent, not when it begins to wait for its turn', async () => {
    const rig = createRig();
    const run = await runSteps(rig, [replica('a'), replica('b'), replica('c')], { faults: slowPosts });
    const begun = new Map(eventsOf(run, 'apply_start').map(({ step, atMs }) => [step, atMs]));
    expect(new Set(begun.values()).size).toBe(2);
    for (const { step, atMs, elapsedMs } of eventsOf(run, 'apply_complete'))
      expect(elapsedMs, step).toBe(atMs - (begun.get(step) ?? 0));
  });

  it('does not run out while it waits for its turn', async () => {
    const rig = createRig();
    const steps = Array.from({ length: 40 }, (_, at) => replica(`r${at}`));
    const run = await runSteps(rig, steps, { faults: slowPosts, stepTimeoutMs: 4000 });
    expect(rig.clock.monotonicMs()).toBeGreaterThan(5000);
    expect(run.result.counts).toMatchObject({ done: 40, timedOut: 0 });
  });
});

describe('what is sent again', () => {
  const refusedOnce = (fault: object): object => ({ rules: [{ when: { method: 'POST' }, times: 1, fault }] });

  it.each([
    { name: 'a busy project', fault: { kind: 'locked' }, cause: /423/ },
    { name: 'a limit of requests', fault: { kind: 'rate-limited' }, cause: /429/ },
    {
      name: 'a lost reply',
      fault: { kind: 'after-send-before-commit' },
      cause: /the reply was lost, and two checks show no effect of the request/,
    },
  ])('after $name is told with its step and its number', async ({ fault, cause }) => {
    const run = await runSteps(createRig(), [primary('a', STAGING)], { faults: refusedOnce(fault) });
    expect(eventsOf(run, 'retry')).toMatchObject([
      { step: 'a', address: 'shop/a', method: 'POST', attempt: 2, cause: expect.stringMatching(cause) as string },
    ]);
    expect(run.result.steps).toMatchObject([{ outcome: 'done', attempts: 2 }]);
  });
});

describe('a wait that ends at its deadline', () => {
  it('names the operation once', async () => {
    const slow = { rules: [{ fault: { on: 'operation', kind: 'slow', durationMs: 60_000 } }] } as const;
    const run = await runSteps(createRig(), [primary('a', STAGING)], { faults: slow, stepTimeoutMs: 20_000 });
    const [unknown] = eventsOf(run, 'step_unknown');
    expect(unknown?.timedOut).toBe(true);
    expect(unknown?.reason).toMatch(/^start_compute [0-9a-f-]{36} is running$/);
  });
});
