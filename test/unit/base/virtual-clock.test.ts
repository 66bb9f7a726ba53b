// The clock of the tests itself: what is stuck is told, and what only takes long in real time is not taken for stuck.
import { describe, expect, it } from 'vitest';
import { systemClock, type Clock } from '../../../src/base/time/clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** Real time that runs by ten seconds whenever it is asked for. */
function rushingClock(): Clock {
  let atMs = 0;
  return { ...systemClock, nowMs: () => atMs, monotonicMs: () => (atMs += 10_000), sleep: async () => undefined };
}

/** Work that goes on until it is ended. */
function handle(): { readonly work: Promise<void>; readonly end: () => void } {
  let end = (): void => undefined;
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work, end: () => end() };
}

describe('a run in virtual time', () => {
  it('is stuck when nothing is left to wake and nothing real is under way', async () => {
    const clock = new VirtualClock(0, () => false, rushingClock());
    const { work } = handle();
    await expect(clock.run(work)).rejects.toThrow('deadlock: nothing left to wake at t=0 ms');
  });

  it('is not stuck however long a file takes', async () => {
    let looks = 0;
    const { work, end } = handle();
    const isBusy = (): boolean => {
      if (++looks === 50) end();
      return looks < 50;
    };
    await new VirtualClock(0, isBusy, rushingClock()).run(work);
    expect(looks).toBe(50);
  });
});
