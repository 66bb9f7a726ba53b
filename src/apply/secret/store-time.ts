// How long a place may take to store a secret: until the step's deadline, and until a stop or the run's deadline ends all programs.
import type { Timing } from '../step/await-operations.ts';
import type { Run } from '../run/run.ts';
import type { StoreTime } from '../sinks/sink.ts';

/** A value that has arrived is given this long to be stored, however late in its step it came. */
const LEAST_MS = 5000;
/** No program is let run for so long; a timer that is longer is none. */
const LONGEST_MS = 3_600_000;

/** The time of one store that begins now; `close` ends its timer. */
export function storeTime(
  { use: { clock, signals, runDeadlineMs } }: { readonly use: Pick<Run['use'], 'clock' | 'signals' | 'runDeadlineMs'> },
  { deadlineMs }: Timing,
): StoreTime & { readonly close: () => void } {
  const over = new AbortController();
  const timer = new AbortController();
  // At the deadline of the run it is as at a stop: what is under way has a little longer.
  const endsAtMs = deadlineMs < runDeadlineMs ? Math.max(deadlineMs, clock.monotonicMs() + LEAST_MS) : Infinity;
  const end = (): void => over.abort(new DOMException('the time of the step is over', 'AbortError'));
  clock.sleep(Math.min(endsAtMs - clock.monotonicMs(), LONGEST_MS), timer.signal).then(end, () => undefined);
  return {
    signal: AbortSignal.any([signals.stores, over.signal]),
    mayRepeat: () => !signals.waits.aborted && clock.monotonicMs() < Math.min(deadlineMs, runDeadlineMs),
    close: () => timer.abort(),
  };
}
