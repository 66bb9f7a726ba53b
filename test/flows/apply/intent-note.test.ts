// When the intent of a write is noted: ahead of its slot where slots are quick, and never long before the write is sent.
import { describe, expect, it } from 'vitest';
import { noJournal, type Journal } from '../../../src/apply/journal/journal.ts';
import { NOTED_AHEAD_MS } from '../../../src/apply/journal/orphans.ts';
import type { ApiClient } from '../../../src/client/types.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { idOf, worldOf } from '../reconciler/fleet.ts';
import { createRig, createStep, runSteps, type Outcome, type Rig, type RunOptions } from './harness.ts';

interface Noted {
  readonly run: Outcome;
  /** What was noted and sent, in order. */
  readonly order: readonly string[];
  /** How old the newest intent of each write was when it was sent. */
  readonly agesMs: readonly number[];
}

/** Six replicas, each in a project of its own, in one slot; each write answered after `answerMs`. */
async function runNoting(answerMs: number, options: (rig: Rig) => RunOptions = () => ({})): Promise<Noted> {
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
    fresh: false,
    parallelism: 1,
    journal,
    client: { ...rig.client, write },
    emit: (event) => {
      if (event.type === 'apply_start') started = event.step;
    },
    ...options(rig),
  });
  return { run, order, agesMs };
}

describe('an intent', () => {
  it('is noted once, while the write before it is answered', async () => {
    const { order, agesMs } = await runNoting(20);
    expect(order.slice(0, 5)).toEqual(['intent a', 'intent b', 'sent a', 'intent c', 'sent b']);
    expect(order.filter((line) => line.startsWith('intent'))).toHaveLength(6);
    expect(agesMs.filter((ageMs) => ageMs === 20).length).toBeGreaterThan(0);
  });

  it('is never older than a later run reckons: where writes take long, none is noted ahead any more', async () => {
    const { order, agesMs } = await runNoting(NOTED_AHEAD_MS + 1);
    expect(agesMs).toHaveLength(6);
    expect(Math.max(...agesMs)).toBeLessThanOrEqual(NOTED_AHEAD_MS);
    // Those that were noted ahead before that was known are taken back, and noted again.
    expect(order.filter((line) => line.startsWith('dropped'))).toEqual(['dropped b', 'dropped c']);
    expect(order.filter((line) => line.startsWith('intent'))).toHaveLength(8);
  });

  it('of a write that is not sent after all is taken back', async () => {
    const soft = new AbortController();
    const { order, run } = await runNoting(20, () => ({
      stop: { soft: soft.signal, hard: new AbortController().signal },
      reach: (point) => {
        if (point === 'answered') queueMicrotask(() => soft.abort());
      },
    }));
    const last = order
      .filter((line) => line.startsWith('intent'))
      .at(-1)
      ?.slice(-1);
    const sent = order.filter((line) => line.startsWith('sent')).map((line) => line.slice(-1));
    const noted = new Set(order.filter((line) => line.startsWith('intent')).map((line) => line.slice(-1)));
    const dropped = order.filter((line) => line.startsWith('dropped')).map((line) => line.slice(-1));
    expect(run.report.halted).toBe('interrupted');
    expect(last).toBeDefined();
    expect([...noted].filter((id) => !sent.includes(id))).toEqual(dropped);
  });
});
