// Spaces the looks of all projects, so that watching never eats up the budget of requests.
import type { Clock } from '../base/clock.ts';

export interface LookPace {
  /** Resolves when the next look may be made. */
  turn(signal: AbortSignal): Promise<void>;
}

/** At most `looksPerSecond`, evenly spaced; Infinity does not wait at all. */
export function createLookPace(clock: Clock, looksPerSecond: number): LookPace {
  const gapMs = 1000 / looksPerSecond;
  let freeMs = Number.NEGATIVE_INFINITY;
  return {
    async turn(signal) {
      const nowMs = clock.monotonicMs();
      const turnMs = Math.max(nowMs, freeMs);
      freeMs = turnMs + gapMs;
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
    },
  };
}
