// What a run has cost so far, also one that never comes to a result.
import type { Clock } from '../base/clock.ts';
import type { RunResult } from '../model/result.ts';

export type Spent = Pick<RunResult, 'requests' | 'seconds'>;

export interface Spending {
  /** Told how many requests were sent, once there is something to send them with. */
  readonly onConnected: (requests: () => number) => void;
  readonly spent: () => Spent;
}

/** From now on; nothing is sent before there is a connection. */
export function startSpending(clock: Clock): Spending {
  const startedAtMs = clock.monotonicMs();
  let requests = (): number => 0;
  return {
    onConnected: (count) => void (requests = count),
    spent: () => ({ requests: requests(), seconds: Math.round(clock.monotonicMs() - startedAtMs) / 1000 }),
  };
}
