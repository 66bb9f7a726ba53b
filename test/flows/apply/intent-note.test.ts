// When the intent of a write is noted: right before the write is sent, and taken back where it is not.
import { describe, expect, it } from 'vitest';
import { noJournal, type Journal } from '../../../src/apply/journal/journal.ts';
import type { ApiClient } from '../../../src/client/types.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { idOf, worldOf } from '../reconciler/fleet.ts';
import { createRig, createStep, runSteps, type Outcome, type RunOptions } from './harness.ts';

interface Noted {
  readonly run: Outcome;
  /** What was noted and sent, in order. */
  readonly order: readonly string[];
  /** How old the newest intent of each write was when it was sent. */
  readonly agesMs: readonly number[];
}

/** Six replicas, each in a project of its own, in one slot; each write answered after `answerMs`. */
async function runNoting(
  answerMs: number,
  options: Partial<RunOptions> = {},
  whenNoted: (id: string) => void = () => undefined,
): Promise<Noted> {
  const rig = createRig({ seed: worldOf(6) });
  const order: string[] = [];
  const agesMs: number[] = [];
  const notedMs = new Map<string, number>();
  let started = '';
  const journal: Journal = {
    ...noJournal,
    intent: async ({ id }) => {
      order.push(`intent ${id}`);
      notedMs.set(id, rig.clock.monotonicMs());
      whenNoted(id);
    },
    note: async ({ id }, state) => {
      if (state === 'failed') order.push(`dropped ${id}`);
      if (state === 'failed') notedMs.delete(id);
    },
  };
  const write: ApiClient['write'] = async (...args) => {
    order.push(`sent ${started}`);
    agesMs.push(rig.clock.monotonicMs() - (notedMs.get(started) ?? -Infinity));
    await rig.clock.sleep(answerMs);
    return rig.client.write(...args);
  };
  const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id, at): Step => ({
    ...createStep(id, { branch_id: `br-${idOf(at)}`, type: 'read_only' }),
    projectId: idOf(at),
    path: `/projects/${idOf(at)}/endpoints`,
  }));
  const run = await runSteps(rig, steps, {
    parallelism: 1,
    journal,
    client: { ...rig.client, write },
    emit: (event) => {
      if (event.type === 'apply_start') started = event.step;
    },
    ...options,
  });
  return { run, order, agesMs };
}

describe('an intent', () => {
  it('is noted once, right before the write', async () => {
    const { order, agesMs } = await runNoting(20);
    expect(order.slice(0, 4)).toEqual(['intent a', 'sent a', 'intent b', 'sent b']);
    expect(order).toHaveLength(12);
    expect(agesMs).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it('of a write that is not sent after all is taken back', async () => {
    const soft = new AbortController();
    const stop = { soft: soft.signal, hard: new AbortController().signal };
    const { order, run } = await runNoting(20, { stop }, (id) => {
      if (id === 'c') soft.abort();
    });
    expect(run.report.halted).toBe('interrupted');
    expect(order).toEqual(['intent a', 'sent a', 'intent b', 'sent b', 'intent c', 'dropped c']);
  });
});
