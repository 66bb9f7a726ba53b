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

  it('lets one who must be alone go first, when all have left', async () => {
    const lanes = createLanes(10);
    const { inside, passes } = crowd(lanes, 3);
    await settle();
    let alone = false;
    const work = lanes.exclusively(wide('p'), never, async () => {
      alone = true;
      await settle();
      expect(inside).toEqual([0]);
    });
    await settle();
    expect(alone).toBe(false);
    passes[0]?.leave();
    await work;
    await settle();
    expect(inside).toEqual([0, 1]);
  });
});

describe('slots', () => {
  it('bound the writes of all lanes together, whether they end well or not', async () => {
    const lanes = createLanes(2);
    let running = 0;
    let most = 0;
    const work = async (at: number): Promise<void> => {
      most = Math.max(most, ++running);
      await settle();
      running--;
      if (at % 3 === 0) throw new Error('no');
    };
    await Promise.allSettled(
      Array.from({ length: 9 }, async (_, at) => lanes.inSlot(wide('p'), never, async () => work(at))),
    );
    expect(most).toBe(2);
    expect(running).toBe(0);
  });

  it('are a quarter while requests wait for their turns', async () => {
    let isPaced = true;
    const lanes = createLanes(8, () => isPaced);
    let inside = 0;
    const enter = (): void =>
      void lanes.inSlot(wide('p'), never, async () => {
        inside++;
        await new Promise<void>(() => {});
      });
    for (let at = 0; at < 9; at++) enter();
    await settle();
    expect(inside).toBe(2);
    isPaced = false;
    enter();
    await settle();
    expect(inside).toBe(8);
  });
});
