// From the wishes to stop (a signal, a deadline, a stale plan) to what steps obey, in growing urgency.
import { setMaxListeners } from 'node:events';
import type { Clock } from '../base/clock.ts';
import type { Halt, RunSignals } from './run.ts';

/** How a running execution is asked to stop: `soft` starts no new step and waits for running ones, `hard` finishes open requests and stores alone. */
export interface StopRequests {
  readonly soft: AbortSignal;
  readonly hard: AbortSignal;
}

export interface Signals {
  readonly signals: RunSignals;
  /** No further step starts; the first reason counts. */
  readonly halt: (why: Halt) => void;
  readonly halted: () => Halt | 'interrupted' | null;
  /** Ends the timers. */
  readonly close: () => void;
}

/** How long open requests, stores and the read-back have after a hard stop or the run's deadline. */
const FINISH_MS = 8000;

/** A signal that is aborted when nothing may be under way any more; `close` ends its timers. */
export function lastCall(
  clock: Clock,
  hard: AbortSignal,
  runDeadlineMs: number | null,
): { readonly signal: AbortSignal; readonly close: () => void } {
  const over = new AbortController();
  const timers = new AbortController();
  setMaxListeners(0, over.signal);
  const endIn = (ms: number, why: string): void => {
    clock.sleep(ms, timers.signal).then(
      () => over.abort(new DOMException(why, 'AbortError')),
      () => undefined,
    );
  };
  const stopped = (): void => endIn(FINISH_MS, 'the run was told to stop');
  if (hard.aborted) stopped();
  else hard.addEventListener('abort', stopped, { once: true, signal: timers.signal });
  if (runDeadlineMs !== null) endIn(runDeadlineMs + FINISH_MS - clock.monotonicMs(), 'the time of the run is over');
  return { signal: over.signal, close: () => timers.abort() };
}

export function createSignals(clock: Clock, stop: StopRequests, runDeadlineMs: number | null): Signals {
  const admission = new AbortController();
  const waits = new AbortController();
  const timers = new AbortController();
  const requests = lastCall(clock, stop.hard, runDeadlineMs);
  // Every step of a run listens.
  for (const { signal } of [admission, waits]) setMaxListeners(0, signal);
  let halted: Halt | 'interrupted' | null = null;

  const keepOut = (why: Halt | 'interrupted'): void => {
    halted ??= why;
    admission.abort(new DOMException(`no further step starts: ${why}`, 'AbortError'));
  };
  const later = (ms: number, act: () => void): void => {
    clock.sleep(ms, timers.signal).then(act, () => undefined);
  };
  const whenAborted = (signal: AbortSignal, act: () => void): void => {
    if (signal.aborted) act();
    else signal.addEventListener('abort', act, { once: true, signal: timers.signal });
  };
  whenAborted(stop.soft, () => keepOut('interrupted'));
  whenAborted(stop.hard, () => {
    keepOut('interrupted');
    waits.abort(new DOMException('the run was told to stop', 'AbortError'));
  });
  if (runDeadlineMs !== null) later(runDeadlineMs - clock.monotonicMs(), () => keepOut('timeout'));
  return {
    signals: { admission: admission.signal, waits: waits.signal, requests: requests.signal },
    halt: keepOut,
    halted: () => halted,
    close: () => {
      timers.abort();
      requests.close();
    },
  };
}
