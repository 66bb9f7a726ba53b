// The restart of a compute that has gone idle or was restarted since the plan was made: it is not woken, nor restarted again, for that.
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../src/base/time/clock.ts';
import type { FaultPlan } from '../../../src/control-plane/index.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { eventSentence } from '../../../src/render/messages/events.ts';
import { createRig, MAIN, PRIMARY, restartStep, runSteps, SHOP, type Outcome, type Rig } from './harness.ts';
import { always } from '../../support/faults.ts';

const RESTART = restartStep('r', PRIMARY, { branch_id: MAIN, type: 'read_write' });

async function restarted(state: 'active' | 'idle'): Promise<Outcome> {
  const computes = [{ id: PRIMARY, branch: 'main', type: 'read_write', current_state: state } as const];
  const rig = createRig({
    seed: { projects: [{ id: SHOP, name: 'shop', branches: [{ id: MAIN, name: 'main' }], computes }] },
  });
  return runSteps(rig, [RESTART]);
}

it('is not sent to one that does not run: its next start satisfies the wish', async () => {
  const run = await restarted('idle');
  expect(run.writes).toEqual([]);
  expect(run.ends).toEqual({ r: 'satisfied' });
  const event = run.events.find(({ type }) => type === 'step_skipped');
  expect(event && eventSentence(event)).toBe(
    `shop/r: not restarted, the compute is not running, and its next start satisfies the restart [id=${PRIMARY}]`,
  );
});

describe('while the log lags behind a restart that is under way', () => {
  const LOG = `/projects/${SHOP}/operations`;
  const PATH = `/projects/${SHOP}/endpoints/${PRIMARY}/restart`;
  const computes = [{ id: PRIMARY, branch: 'main', type: 'read_write', current_state: 'active' } as const];
  const rigOf = (): Rig =>
    createRig({
      operationMs: { min: 1400, max: 1400 },
      seed: { projects: [{ id: SHOP, name: 'shop', branches: [{ id: MAIN, name: 'main' }], computes }] },
    });
  const restarts = ({ plane }: Rig): number => plane.ledger().filter(({ path }) => path.endsWith('/restart')).length;
  const wishOf = (rig: Rig): Step => {
    const times = { since: isoTime(rig.clock.nowMs() - 60_000), planned_at: isoTime(rig.clock.nowMs()) };
    return { ...RESTART, options: { restart: times } };
  };
  const someone = async ({ clock, client }: Rig): Promise<unknown> =>
    clock.run(client.write('POST', PATH, null, { signal: new AbortController().signal }));
  const lagging = (forMs: number): FaultPlan => ({
    rules: [
      always({ method: 'GET', path: LOG, forMs }, { kind: 'list', how: 'empty' }),
      always({ path: `/projects/${SHOP}/endpoints` }, { kind: 'rewrite', at: 'endpoints.*.started_at' }),
    ],
  });

  it('a refused one is judged when the log has caught up', async () => {
    const rig = rigOf();
    const wish = wishOf(rig);
    await someone(rig);
    const run = await runSteps(rig, [wish], { faults: lagging(4000) });
    expect(run.ends).toEqual({ r: 'satisfied' });
    expect(restarts(rig)).toBe(1);
  });
});
