// A clock of one's own: it follows another, is set forward, stops, goes on, and never steps back.
import { describe, expect, it } from 'vitest';
import { OwnClock } from '../../../src/base/time/own-clock.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const BEGIN = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;

describe('a clock of its own', () => {
  it('goes as the one that it follows, ahead of it by what it was set forward', async () => {
    const followed = new VirtualClock(BEGIN);
    const clock = new OwnClock(followed);
    expect(clock.state).toEqual({ now: '2026-01-01T00:00:00.000Z', ahead_ms: 0, frozen: false });
    clock.setForward(BEGIN + DAY);
    await followed.advance(1000);
    expect(clock.state).toEqual({ now: '2026-01-02T00:00:01.000Z', ahead_ms: DAY, frozen: false });
    expect(clock.monotonicMs()).toBe(1000);
  });

  it('stands still while it is frozen, can be set then, and goes on from there', async () => {
    const followed = new VirtualClock(BEGIN);
    const clock = new OwnClock(followed);
    clock.freeze();
    await followed.advance(5000);
    expect(clock.nowMs()).toBe(BEGIN);
    clock.setForward(BEGIN + 2000);
    clock.freeze(false);
    await followed.advance(1000);
    expect(clock.nowMs()).toBe(BEGIN + 3000);
    expect(clock.state.ahead_ms).toBe(-3000);
  });

  it('begins no earlier than it is told', () => {
    const followed = new VirtualClock(BEGIN);
    expect(new OwnClock(followed, BEGIN + DAY).nowMs()).toBe(BEGIN + DAY);
    expect(new OwnClock(followed, BEGIN - DAY).nowMs()).toBe(BEGIN);
  });

  it.each([BEGIN - 1, NaN, Infinity, Date.UTC(10_000, 0, 1)])('is not set to %s', (toMs) => {
    const clock = new OwnClock(new VirtualClock(BEGIN));
    expect(() => clock.setForward(toMs)).toThrow(RangeError);
    expect(clock.nowMs()).toBe(BEGIN);
  });
});
