// The clocks themselves: a timer rings once, at its time, however far away that is, and not at all once it is taken back.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock, waitAtMost } from '../../../src/base/time/clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const MOST_MS = 2 ** 31 - 1;

describe("a timer of the machine's clock", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([1, 1000, MOST_MS, MOST_MS + 1, 3 * MOST_MS])('of %d ms rings then, and once', (ms) => {
    let rung = 0;
    systemClock.after(ms, () => rung++);
    vi.advanceTimersByTime(ms - 1);
    expect(rung).toBe(0);
    vi.advanceTimersByTime(1 + 2 * MOST_MS);
    expect(rung).toBe(1);
  });

  it.each([1, MOST_MS + 1])('of %d ms does not ring once it is taken back, at any time', (ms) => {
    for (const waitedMs of [0, ms - 1]) {
      let rung = 0;
      const takeBack = systemClock.after(ms, () => rung++);
      vi.advanceTimersByTime(waitedMs);
      takeBack();
      vi.advanceTimersByTime(2 * MOST_MS);
      expect(rung).toBe(0);
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of for ever never rings', () => {
    let rung = 0;
    const takeBack = systemClock.after(Infinity, () => rung++);
    vi.advanceTimersByTime(5 * MOST_MS);
    takeBack();
    expect([rung, vi.getTimerCount()]).toEqual([0, 0]);
  });
});

it('a wait for an event leaves no timer behind, whether it comes, fails or is too late', async () => {
  const clock = new VirtualClock();
  await waitAtMost(clock, 1000, Promise.resolve());
  await expect(waitAtMost(clock, 1000, Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect([clock.openTimers, clock.monotonicMs()]).toEqual([0, 0]);
  await clock.run(waitAtMost(clock, 1000, new Promise(() => {})));
  expect([clock.openTimers, clock.monotonicMs()]).toEqual([0, 1000]);
});
