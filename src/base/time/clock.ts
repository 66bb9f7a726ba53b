// The only source of time: everything that waits or writes a date gets a Clock.
import type { Json } from '../json.ts';
import { onAbort } from './on-abort.ts';
import { parseWrittenTimeMs } from './instant.ts';

export interface Clock {
  /** Wall-clock time for dates, in milliseconds since the epoch. */
  nowMs(): number;
  /** Time for durations, in milliseconds since an arbitrary start; it never steps back. */
  monotonicMs(): number;
  /** Calls `act` once after `ms`, or never for `Infinity`. The returned function cancels the call; after the call it does nothing. */
  after(ms: number, act: () => void): () => void;
  /** Resolves after `ms`; rejects with the signal's reason if the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Node.js fires a longer timer at once, so a longer wait is split. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(ms, act) {
    const next = (leftMs: number): NodeJS.Timeout =>
      leftMs <= LONGEST_TIMER_MS
        ? setTimeout(act, Math.max(0, leftMs))
        : setTimeout(() => (timer = next(leftMs - LONGEST_TIMER_MS)), LONGEST_TIMER_MS);
    let timer = next(ms);
    return () => clearTimeout(timer);
  },
  sleep: async (ms, signal) => sleepOn(systemClock, ms, signal),
};

/** Implements `sleep` for every clock, because Node's own timer promise creates an error with a stack for each cancelled sleep. */
export async function sleepOn(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    let stopListening = (): void => undefined;
    const takeBack = clock.after(ms, () => {
      stopListening();
      resolve();
    });
    if (signal === undefined) return;
    stopListening = onAbort(signal, () => {
      takeBack();
      reject(signal.reason as Error);
    });
  });
}

export async function waitAtMost(clock: Clock, ms: number, event: Promise<unknown>): Promise<void> {
  let stopTimer = (): void => undefined;
  const patience = new Promise<void>((resolve) => {
    stopTimer = clock.after(ms, resolve);
  });
  try {
    await Promise.race([event, patience]);
  } finally {
    stopTimer();
  }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns null for a time that is not known, or not finite (see `latestMsOf`). */
export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null || ms === Infinity ? null : isoTime(ms);
}

/** Returns milliseconds since the epoch; null if `at` is not a valid date, or is a time without a valid zone. */
export function millisecondsOf(at: Json | undefined): number | null {
  return typeof at === 'string' ? (parseWrittenTimeMs(at) ?? null) : null;
}

/** Like `millisecondsOf`, but Infinity for a time that is shown and cannot be read, because it may be now. An empty text shows no time. */
export function latestMsOf(at: Json | undefined): number | null {
  return (at ?? '') === '' ? null : (millisecondsOf(at) ?? Infinity);
}
