// Protects the service from us: the pace of requests, in virtual time.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestBudget, type RequestBudget } from '../../../src/client/retry/request-budget.ts';
import type { Clock } from '../../../src/base/time/clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { NEVER } from './world.ts';

/** Takes `count` turns at once, sends at each, and returns when they came. */
async function turns(clock: VirtualClock, budget: RequestBudget, count: number): Promise<number[]> {
  const atMs: number[] = [];
  const all = Array.from({ length: count }, async () => {
    await budget.take(NEVER);
    budget.sent();
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

  it('spreads those that have to wait over the second: what they wait for can be chosen one by one', async () => {
    const clock = new VirtualClock();
    const atMs = await turns(clock, createRequestBudget({ clock, requestsPerMinute: 600 }), 600);
    const gapsMs = atMs.slice(41).map((turnMs, at) => turnMs - (atMs[at + 40] ?? 0));
    expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(25);
    expect(Math.max(...gapsMs)).toBeLessThan(50);
  });

  it('costs nothing while there is room', () => {
    const budget = createRequestBudget({ clock: new VirtualClock(), requestsPerMinute: 600 });
    expect(budget.take(NEVER)).toBeNull();
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
  it('come in the order of asking', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    const order: number[] = [];
    const all = Array.from({ length: 6 }, async (_, asked) => {
      await budget.take(NEVER);
      budget.sent();
      order.push(asked);
    });
    await clock.run(Promise.all(all));
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('are given up without holding up the next, and reject with the reason', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    const abort = new AbortController();
    expect(budget.take(NEVER)).toBeNull();
    budget.sent();
    const given = budget.take(abort.signal);
    const kept = budget.take(NEVER);
    abort.abort(new Error('interrupted'));
    await expect(given).rejects.toThrow('interrupted');
    await clock.run(kept ?? Promise.resolve());
    expect(clock.monotonicMs()).toBe(1100);
  });

  it('leave no timer behind when all are given up, and start again for the next', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 1 });
    const abort = new AbortController();
    void budget.take(NEVER);
    budget.sent();
    const given = budget.take(abort.signal);
    abort.abort(new Error('interrupted'));
    await expect(given).rejects.toThrow('interrupted');
    await clock.run(budget.take(NEVER) ?? Promise.resolve());
    expect(clock.monotonicMs()).toBe(60_100);
  });

  it('of a small budget are at least one a second', async () => {
    const clock = new VirtualClock();
    const atMs = await turns(clock, createRequestBudget({ clock, requestsPerMinute: 5 }), 6);
    expect(atMs).toEqual([0, 1100, 2200, 3300, 4400, 60_100]);
  });
});

describe('what had its turn and is not sent yet', () => {
  it('counts as about to be sent: nobody else takes its place in the second in which it goes', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    expect(budget.take(NEVER)).toBeNull();
    const next = budget.take(NEVER);
    await clock.advance(5000);
    budget.sent();
    await clock.run(next ?? Promise.resolve());
    expect(clock.monotonicMs()).toBe(6100);
  });

  it('counts from its turn when it has ended and nobody told that it was sent', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    expect(budget.take(NEVER)).toBeNull();
    await clock.advance(400);
    budget.ended();
    await clock.run(budget.take(NEVER) ?? Promise.resolve());
    expect(clock.monotonicMs()).toBe(1100);
  });

  it('does not count any more when it is given back', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    expect(budget.take(NEVER)).toBeNull();
    const next = budget.take(NEVER);
    await clock.advance(300);
    budget.giveBack();
    await clock.run(next ?? Promise.resolve());
    expect(clock.monotonicMs()).toBe(300);
  });

  it('holds nobody up for longer than a minute when it is never heard of again', async () => {
    const clock = new VirtualClock();
    const budget = createRequestBudget({ clock, requestsPerMinute: 15 });
    expect(budget.take(NEVER)).toBeNull();
    await clock.run(budget.take(NEVER) ?? Promise.resolve());
    expect(clock.monotonicMs()).toBe(60_100);
  });
});

/** A clock whose timers fire late, as they do on a busy machine. */
function lateClock(clock: VirtualClock, lateMs: () => number): Clock {
  return {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    after: (ms, act) => clock.after(ms + lateMs(), act),
    sleep: async (ms, signal) => clock.sleep(ms + lateMs(), signal),
  };
}

it('timers that fire late do not add up', async () => {
  const clock = new VirtualClock();
  const budget = createRequestBudget({ clock: lateClock(clock, () => 10), requestsPerMinute: 600 });
  expect((await turns(clock, budget, 590)).at(-1)).toBeLessThan(17_000);
});

it('whatever comes, goes, fires late or travels long, no second and no minute has more than its share, and everyone gets a turn in order', async () => {
  const delayMs = fc.oneof(fc.constant(0), fc.nat({ max: 2500 }));
  const arrival = fc.record({
    afterMs: delayMs,
    untilSentMs: delayMs,
    travelMs: fc.nat({ max: 99 }),
    isComplaint: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(arrival, { maxLength: 120 }),
      fc.array(delayMs, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 120 }),
      async (arrivals, lateness, perMinute) => {
        const clock = new VirtualClock();
        let pauses = 0;
        const late = lateClock(clock, () => lateness[pauses++ % lateness.length] ?? 0);
        const budget = createRequestBudget({ clock: late, requestsPerMinute: perMinute });
        const sentMs: number[] = [];
        const arrivedMs: number[] = [];
        const order: number[] = [];
        const all: Promise<void>[] = [];
        for (const [asked, { afterMs, untilSentMs, travelMs, isComplaint }] of arrivals.entries()) {
          await clock.advance(afterMs);
          if (isComplaint) budget.complain();
          const send = async (): Promise<void> => {
            order.push(asked);
            if (untilSentMs > 0) await clock.sleep(untilSentMs);
            budget.sent();
            sentMs.push(clock.monotonicMs());
            arrivedMs.push(clock.monotonicMs() + travelMs);
          };
          const turn = budget.take(NEVER);
          all.push(turn === null ? send() : turn.then(send));
        }
        await clock.run(Promise.all(all));
        expect(order).toEqual(arrivals.map((_, asked) => asked));
        for (const timesMs of [sentMs, arrivedMs.toSorted((a, b) => a - b)]) {
          expect(densest(timesMs, 1000)).toBeLessThanOrEqual(Math.max(1, Math.floor(perMinute / 15)));
          expect(densest(timesMs, 60_000)).toBeLessThanOrEqual(perMinute);
        }
      },
    ),
    { numRuns: 30 },
  );
});

it('no limit never waits', () => {
  const budget = createRequestBudget({ clock: new VirtualClock(), requestsPerMinute: Number.POSITIVE_INFINITY });
  for (let request = 0; request < 10_000; request++) expect(budget.take(NEVER)).toBeNull();
});
