// Write lanes: one, then two, then all; one at a time after a busy answer; fair; and the slots that all lanes share.
import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLanes, type LaneId, type Lanes, type Pass } from '../../../src/apply/run/lanes.ts';

const never = new AbortController().signal;
const wide = (name: string): LaneId => ({ name, isNarrow: false });
setMaxListeners(0, never);
const settle = async (): Promise<void> => setImmediate();

/** Enters `count` times at once; `inside` lists who has been let in, in order. */
function crowd(lanes: Lanes, count: number): { readonly inside: number[]; readonly passes: (Pass | undefined)[] } {
  const inside: number[] = [];
  const passes: (Pass | undefined)[] = [];
  const enter = async (at: number): Promise<void> => {
    const pass = await lanes.enter(wide('p'), 0, never);
    inside.push(at);
    passes[at] = pass;
  };
  for (let at = 0; at < count; at++) void enter(at);
  return { inside, passes };
}

it('a narrow lane takes one at a time, however many were taken before', async () => {
  const lanes = createLanes(10);
  const lane = { name: 'p in turn', isNarrow: true };
  const inside: number[] = [];
  const passes: Pass[] = [];
  const enter = async (at: number): Promise<void> => {
    passes[at] = await lanes.enter(lane, 0, never);
    inside.push(at);
  };
  for (let at = 0; at < 6; at++) void enter(at);
  await settle();
  for (let at = 0; at < 6; at++) {
    expect(inside).toHaveLength(at + 1);
    expect(passes[at]?.alone()).toBe(true);
    passes[at]?.accepted();
    passes[at]?.leave();
    await settle();
  }
});

describe('a lane', () => {
  it('takes the lowest turn first, of equal ones who came first, and who steps back where they stood', async () => {
    const lanes = createLanes(10);
    const lane = { name: 'p in turn', isNarrow: true };
    const inside: string[] = [];
    const passes = new Map<string, Pass>();
    const enter = async (name: string, turn: number): Promise<void> => {
      passes.set(name, await lanes.enter(lane, turn, never));
      inside.push(name);
    };
    const leave = async (name: string): Promise<void> => {
      passes.get(name)?.leave();
      await settle();
    };
    void enter('first', 9);
    void enter('late', 5);
    void enter('early', 1);
    void enter('later', 5);
    await settle();
    await leave('first');
    void enter('earlier', 0);
    await leave('early');
    void enter('last', 5);
    await leave('earlier');
    void passes
      .get('late')
      ?.turnAgain(never)
      .then(() => inside.push('late again'));
    await settle();
    for (const name of ['late', 'later', 'last']) await leave(name);
    expect(inside).toEqual(['first', 'early', 'earlier', 'late', 'late again', 'later', 'last']);
  });

  it('takes one, then twice as many as were accepted', async () => {
    const { inside, passes } = crowd(createLanes(10), 12);
    await settle();
    expect(inside).toHaveLength(1);
    for (const [at, count] of [3, 6, 9, 12].entries()) {
      passes[at]?.accepted();
      passes[at]?.leave();
      await settle();
      expect(inside).toHaveLength(count);
    }
  });

  it('takes one at a time after a busy answer, first come first served', async () => {
    const { inside, passes } = crowd(createLanes(10), 5);
    await settle();
    passes[0]?.accepted();
    passes[0]?.leave();
    await settle();
    const turns: number[] = [];
    for (const at of [2, 1]) {
      passes[at]?.refusedAsBusy();
      void passes[at]?.turnAgain(never).then(() => turns.push(at));
    }
    await settle();
    expect(turns).toEqual([1]);
    expect(passes[1]?.alone()).toBe(true);
    passes[1]?.leave();
    await settle();
    expect(turns).toEqual([1, 2]);
    expect(inside).toEqual([0, 1, 2]);
  });

  it('lets one who must be alone work when all others have left, and keeps the turn for it', async () => {
    const lanes = createLanes(10);
    const { inside, passes } = crowd(lanes, 4);
    await settle();
    passes[0]?.accepted();
    await settle();
    expect(inside).toEqual([0, 1]);
    const calls: string[] = [];
    const working = passes[0]?.exclusively(never, async () => {
      calls.push('begun');
      await settle();
      expect(inside).toEqual([0, 1]);
    });
    await settle();
    expect(calls).toEqual([]);
    passes[1]?.leave();
    await working;
    await settle();
    expect([calls, inside]).toEqual([['begun'], [0, 1, 2]]);
  });

  it('keeps the turn of a narrow lane where the work fails, and lets the next one in when it is left', async () => {
    const lanes = createLanes(10);
    const lane = { name: 'p in turn', isNarrow: true };
    const pass = await lanes.enter(lane, 0, never);
    let isNextInside = false;
    void lanes.enter(lane, 0, never).then(() => (isNextInside = true));
    await expect(pass.exclusively(never, async () => Promise.reject(new Error('unreadable')))).rejects.toThrow(
      'unreadable',
    );
    await settle();
    expect(isNextInside).toBe(false);
    pass.leave();
    await settle();
    expect(isNextInside).toBe(true);
  });

  it('lets nobody wait for a turn that was given up', async () => {
    const lanes = createLanes(10);
    const lane = { name: 'p in turn', isNarrow: true };
    const pass = await lanes.enter(lane, 0, never);
    const stop = new AbortController();
    let isNextInside = false;
    void lanes.enter(lane, 0, never).then(() => (isNextInside = true));
    const working = pass.exclusively(stop.signal, async () => {
      stop.abort(new Error('stopped'));
      await settle();
    });
    await expect(working).rejects.toThrow('stopped');
    pass.leave();
    await settle();
    expect(isNextInside).toBe(true);
  });
});
