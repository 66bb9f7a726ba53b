// The one door to time: everything that waits or dates something is given a Clock.
import type { Json } from '../json.ts';
import { onAbort } from './on-abort.ts';

/** A source of time. Durations are measured with `monotonicMs`, dates are written with `nowMs`. */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. */
  nowMs(): number;
  /** A clock that never steps back, milliseconds since an arbitrary start. */
  monotonicMs(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  async sleep(ms, signal) {
    signal?.throwIfAborted();
    // Node's own promise of a timer makes an error with a stack for each sleep that is given up.
    await new Promise<void>((resolve, reject) => {
      let stopListening = (): void => undefined;
      const timer = setTimeout(
        () => {
          stopListening();
          resolve();
        },
        Math.max(0, ms),
      );
      if (signal === undefined) return;
      stopListening = onAbort(signal, () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    });
  },
};

/** The clock's wall time as ISO 8601 in UTC with milliseconds. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Resolves when everything that this turn of the event loop has brought is worked off. Takes no time that a clock would tell. */
export async function turnOver(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Milliseconds since the epoch; null for what is no time. */
export function millisecondsOf(at: Json | undefined): number | null {
  const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
