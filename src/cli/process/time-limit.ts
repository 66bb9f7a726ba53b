// The time of a whole run: when it is over, whatever is being read or asked for is given up.
import { setMaxListeners } from 'node:events';
import type { Clock } from '../../base/time/clock.ts';
import { elapsedText } from '../../render/messages/events.ts';
import { UsageError } from '../program/usage-error.ts';

export interface TimeLimit {
  /** Aborted at the end of the time, or with `stop`; its reason says which. */
  readonly signal: AbortSignal;
  /** What is left of it; null without a limit. */
  leftMs(): number | null;
  /** Ends the timer. */
  end(): void;
}

/** A limit of `timeoutMs` from now on; null = none. */
export function limitTime(clock: Clock, timeoutMs: number | null, stop: AbortSignal): TimeLimit {
  if (timeoutMs === null) return { signal: stop, leftMs: () => null, end: () => undefined };
  const over = new AbortController();
  const timer = new AbortController();
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  const why = new UsageError(
    `the run did not end within ${elapsedText(timeoutMs)} (--timeout)`,
    'Nothing was changed. Give it more time, or fewer projects with --target.',
    'timeout',
  );
  clock.sleep(timeoutMs, timer.signal).then(
    () => over.abort(why),
    () => undefined,
  );
  const signal = AbortSignal.any([stop, over.signal]);
  setMaxListeners(0, signal);
  return {
    signal,
    leftMs: () => Math.max(0, deadlineMs - clock.monotonicMs()),
    end: () => timer.abort(),
  };
}
