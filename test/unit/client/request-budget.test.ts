// Protects the service from us: the pace of requests, in virtual time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestBudget, type RequestBudget } from '../../../src/client/pace.ts';
import { runs } from '../../support/property-runs.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { NEVER } from './world.ts';

/** Takes `count` turns at once, sends at each, and returns when they came. */
async function turns(clock: VirtualClock, budget: RequestBudget, count: number): Promise<number[]> {
  const atMs: number[] = [];
  const all = Array.from({ length: count }, async () => {
    await budget.take(NEVER);
    atMs.push(clock.monotonicMs());
  });
  await clock.run(Promise.all(all));
  return atMs;
}

/** The most turns in any window of `windowMs`. */
function densest(atMs: readonly number[], windowMs: number): number {
  let most = 0;
  let from = 0;
  atMs.forEach((turnMs, at) => {
    while (turnMs - (atMs[from] ?? 0) >= windowMs) from++;
    most = Math.max(most, at - from + 1);
  });
  return most;
}

describe('a budget of 600 a minute', () => {
  it('never gives more than 40 in a second nor 600 in a minute, and uses both to the full', async () => {
    const clock = new VirtualClock();
    const atMs = await turns(clock, createRequestBudget({ clock, requestsPerMinute: 600 }), 1500);
    expect(densest(atMs, 1000)).toBe(40);
    expect(densest(atMs, 60_000)).toBe(600);
    expect(atMs.at(39)).toBe(0);
    expect(atMs.at(100)).toBeLessThan(3000);
    expect(atMs.at(-1)).toBeLessThan(130_000);
  });

  it('halves once for complaints that come together, and is whole again after a minute', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 600 });
    for (let answer = 0; answer < 32; answer++) budget.complain();
    const slow = await turns(clock, budget, 21);
    expect(densest(slow, 1000)).toBe(20);
    await clock.advance(120_000);
    expect(densest(await turns(clock, budget, 41), 1000)).toBe(40);
  });

  it('never falls below a sixteenth', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 600 });
    for (let round = 0; round < 20; round++) {
      budget.complain();
      await clock.advance(1000);
    }
    const atMs = await turns(clock, budget, 10);
    expect((atMs.at(-1) ?? 0) - (atMs[0] ?? 0)).toBeLessThan(10_000);
  });
});

describe('turns', () => {
  it('are given up without holding up the next, and reject with the reason', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    const abort = new AbortController();
    await budget.take(NEVER);
    const given = budget.take(abort.signal);
    const kept = budget.take(NEVER);
    abort.abort(new Error('interrupted'));
    await expect(given).rejects.toThrow('interrupted');
    await clock.run(Promise.resolve(kept));
    expect(clock.monotonicMs()).toBe(1100);
  });

  it('of a small budget are at least one a second', async () => {
    const clock = new VirtualClock();
    const atMs = await turns(clock, createRequestBudget({ clock, requestsPerMinute: 5 }), 6);
    expect(atMs).toEqual([0, 1100, 2200, 3300, 4400, 60_100]);
  });
});

const setting = (
  requestsPerMinute = 15,
): { clock: VirtualClock; budget: RequestBudget; until: (asked: unknown) => Promise<number> } => {
  const clock = new VirtualClock();
  const until = async (asked: unknown): Promise<number> => {
    await clock.run(Promise.resolve(asked));
    return clock.monotonicMs();
  };
  return { clock, budget: createRequestBudget({ clock, requestsPerMinute }), until };
};

// 90 requests of 30 writes, each with two reads before it: as long as the budget asks for.

it.each([
  [2, 60],
  [15, 5.5],
  [30, 2.5],
  [60, 1.25],
  [600, 0.06],
])('a turn leaves room for what precedes it: %i a minute take %f minutes', async (perMinute, minutes) => {
  const { budget, until } = setting(perMinute);
  const writes = Array.from({ length: 30 }, async () => {
    await Promise.all(Array.from({ length: 2 }, async () => budget.take(NEVER)));
    await budget.take(NEVER, true);
  });
  expect(await until(Promise.all(writes))).toBeLessThanOrEqual(minutes * 60_000);
});

it('a write that was looked at goes before requests that have no turn yet', async () => {
  const clock = new VirtualClock();
  const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
  const order: string[] = [];
  const send = async (name: string, isLookedAt: boolean): Promise<void> => {
    await budget.take(NEVER, isLookedAt);
    order.push(`${name} at ${clock.monotonicMs()}`);
  };
  await clock.run(Promise.all([send('look', false), send('other', false), send('write', true)]));
  expect(order).toEqual(['look at 0', 'write at 1100', 'other at 2200']);
});

it('whatever comes, goes or travels long, no second and no minute has more than its share, and everyone gets a turn in order', async () => {
  const delayMs = fc.oneof(fc.constant(0), fc.nat({ max: 2500 }));
  const arrival = fc.record({
    afterMs: delayMs,
    isLookedAt: fc.boolean(),
    travelMs: fc.nat({ max: 99 }),
    isComplaint: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(arrival, { maxLength: 120 }),
      fc.integer({ min: 1, max: 120 }),
      async (arrivals, perMinute) => {
        const clock = new VirtualClock();
        const budget = createRequestBudget({ clock, requestsPerMinute: perMinute });
        const sentMs: number[] = [];
        const arrivedMs: number[] = [];
        const order: number[] = [];
        const all: Promise<void>[] = [];
        for (const [asked, { afterMs, travelMs, isLookedAt, isComplaint }] of arrivals.entries()) {
          await clock.advance(afterMs);
          if (isComplaint) budget.complain();
          const send = (): void => {
            if (!isLookedAt) order.push(asked);
            sentMs.push(clock.monotonicMs());
            arrivedMs.push(clock.monotonicMs() + travelMs);
          };
          all.push(budget.take(NEVER, isLookedAt).then(send));
        }
        await clock.run(Promise.all(all));
        expect(order).toEqual(arrivals.flatMap(({ isLookedAt }, asked) => (isLookedAt ? [] : [asked])));
        for (const timesMs of [sentMs, arrivedMs.toSorted((a, b) => a - b)]) {
          expect(densest(timesMs, 1000)).toBeLessThanOrEqual(Math.max(1, Math.floor(perMinute / 15)));
          expect(densest(timesMs, 60_000)).toBeLessThanOrEqual(perMinute);
        }
      },
    ),
    runs(30),
  );
});

it('no limit never waits', async () => {
  const budget = createRequestBudget({ clock: new VirtualClock(), requestsPerMinute: Number.POSITIVE_INFINITY });
  for (let request = 0; request < 10_000; request++) await expect(budget.take(NEVER)).resolves.toBeUndefined();
});
