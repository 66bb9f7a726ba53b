// What one exchange may take: its limits, and a signal that is aborted at a deadline or with another signal, and tells which.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';

export interface ExchangeLimits {
  readonly connectMs: number;
  /** From the first byte sent to the whole of the reply's headers. */
  readonly headersMs: number;
  /** Longest silence within a body. */
  readonly idleMs: number;
  /** From the first byte sent to the last one received. */
  readonly totalMs: number;
  /** Largest body of a reply to a GET: the lists of a large account. */
  readonly readBytes: number;
  /** Largest body of a reply to a write. */
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

/** No exchange takes longer. */
const LONGEST_MS = EXCHANGE_LIMITS.connectMs + EXCHANGE_LIMITS.totalMs;

interface TimeBounds {
  readonly clock: Clock;
  /** Monotonic; Infinity = none. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** How long the work takes at most by itself: a deadline further away needs no timer. That of one exchange unless told. */
  readonly longestMs?: number;
}

/** Runs an exchange, or several, with a signal that is aborted at the deadline too. */
export async function withinTime<T>(
  { clock, deadlineMs, signal, longestMs = LONGEST_MS }: TimeBounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = deadlineMs - clock.monotonicMs();
  if (leftMs > longestMs || signal.aborted) return work(signal);
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

/** The words of a deadline that passed; null when the signal was aborted for another reason, or not at all. */
export function overdue({ reason }: AbortSignal): string | null {
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? reason.message : null;
}
