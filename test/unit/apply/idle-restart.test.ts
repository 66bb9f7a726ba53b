// The restart of a compute that has gone idle since the plan was made: it is not woken for that.
import { expect, it } from 'vitest';
import { eventSentence } from '../../../src/render/messages/events.ts';
import { createRig, MAIN, PRIMARY, restartStep, runSteps, SHOP } from './harness.ts';
import type { Outcome } from './harness.ts';

const RESTART = restartStep('r', PRIMARY, { branch_id: MAIN, type: 'read_write' });

async function restarted(state: 'active' | 'idle', fresh: boolean): Promise<Outcome> {
  const computes = [{ id: PRIMARY, branch: 'main', type: 'read_write', current_state: state } as const];
  const rig = createRig({
    seed: { projects: [{ id: SHOP, name: 'shop', branches: [{ id: MAIN, name: 'main' }], computes }] },
  });
  return runSteps(rig, [RESTART], { fresh });
}

it('of a saved plan is not sent: its next start satisfies the wish', async () => {
  for (const fresh of [false, true]) {
    const run = await restarted('idle', fresh);
    expect(run.writes).toEqual([]);
    expect(run.ends).toEqual({ r: 'satisfied' });
    const event = run.events.find(({ type }) => type === 'step_skipped');
    expect(event && eventSentence(event)).toBe(
      `shop/r: not restarted, it is not running, and its next start satisfies that by itself [id=${PRIMARY}]`,
    );
  }
});

it('is sent to one that runs', async () => {
  const run = await restarted('active', false);
  expect(run.ends).toEqual({ r: 'done' });
  expect(run.writes).toHaveLength(1);
});
