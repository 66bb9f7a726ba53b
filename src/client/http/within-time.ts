// The limits of an exchange, and an abort signal with a deadline.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';

export interface ExchangeLimits {
  readonly connectMs: number;
  /** From the first byte sent to the end of the headers of the reply. */
  readonly headersMs: number;
  /** Longest pause within a body. */
  readonly idleMs: number;
  /** From the first byte sent to the last byte received. */
  readonly totalMs: number;
  /** Larger than the limit for writes, because a read may return the lists of a large account. */
  readonly readBytes: number;
  readonly writeBytes: number;
  readonly headerBytes: number;
}

const MIB = 1024 * 1024;

export const EXCHANGE_LIMITS: ExchangeLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: 30_000,
  totalMs: 60_000,
  readBytes: 64 * MIB,
  writeBytes: 8 * MIB,
  headerBytes: 64 * 1024,
};

interface TimeBounds {
  readonly clock: Clock;
  /** Monotonic time; Infinity without a deadline. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export async function withinTime<T>(
  { clock, deadlineMs, signal }: TimeBounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = deadlineMs - clock.monotonicMs();
  if (leftMs === Infinity || signal.aborted) return work(signal);
  const either = new AbortController();
  const stopListening = onAbort(signal, () => either.abort(signal.reason));
  const giveUp = (): void => either.abort(new DOMException('its time was over', 'TimeoutError'));
  let stopTimer = (): void => undefined;
  if (leftMs <= 0) giveUp();
  else stopTimer = clock.after(leftMs, giveUp);
  try {
    return await work(either.signal);
  } finally {
    stopListening();
    stopTimer();
  }
}

/** The message of the deadline that aborted the signal; null if something else did, or nothing. */
export function overdue({ reason }: AbortSignal): string | null {
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? reason.message : null;
}
