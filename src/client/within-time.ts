// A signal for work that has a deadline: aborted at that time or with another signal, and its reason tells which.
import type { Clock } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';

interface TimeBounds {
  readonly clock: Clock;
  /** Monotonic; Infinity = none. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Runs `work` with a signal that is aborted at the deadline too. */
export async function withinTime<T>(
  { clock, deadlineMs, signal }: TimeBounds,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (deadlineMs === Infinity || signal.aborted) return work(signal);
  const either = new AbortController();
  const timer = new AbortController();
  const deafen = onAbort(signal, () => either.abort(signal.reason));
  const giveUp = (): void => either.abort(new DOMException('its time was over', 'TimeoutError'));
  const leftMs = deadlineMs - clock.monotonicMs();
  if (leftMs <= 0) giveUp();
  else clock.sleep(leftMs, timer.signal).then(giveUp, () => undefined);
  try {
    return await work(either.signal);
  } finally {
    deafen();
    timer.abort();
  }
}

/** The words of a deadline that passed; null when the signal was aborted for another reason, or not at all. */
export function overdue({ reason }: AbortSignal): string | null {
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? reason.message : null;
}
