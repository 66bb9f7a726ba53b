// Turns the causes of a stop (SIGINT, a deadline, a stale plan) into the AbortSignals that steps obey.
import { setMaxListeners } from 'node:events';
import { onAbort } from '../../base/time/on-abort.ts';
import type { Clock } from '../../base/time/clock.ts';
import { FINISH_MS, STORE_MS } from '../../model/operations/timing.ts';
import type { Halt, RunSignals } from './run.ts';

/** `soft`: no new step starts, and running steps finish. `hard` (aborts `soft`, too): only open requests and writes to sinks finish. */
export interface StopRequests {
  readonly soft: AbortSignal;
  readonly hard: AbortSignal;
}

interface Signals {
  readonly signals: RunSignals;
  /** Lets no further step start (but see `finishing` for `stale`), and keeps the first reason. */
  readonly halt: (why: Halt) => void;
  readonly halted: () => Halt | 'interrupted' | null;
  readonly close: () => void;
}

export interface LastCall {
  /** Once aborted, nothing may be under way any more. */
  readonly signal: AbortSignal;
  /** From now on, `stop` ends the run like a hard stop; called when nothing under way can change the account. */
  readonly endAfter: (stop: AbortSignal) => void;
  readonly close: () => void;
}

/** Returns a signal that is aborted `finishMs` after a hard stop or after the deadline of the run. */
export function lastCall(
  clock: Clock,
  hard: AbortSignal,
  runDeadlineMs: number,
  finishMs: number = FINISH_MS,
): LastCall {
  const over = new AbortController();
  const undo: (() => void)[] = [];
  setMaxListeners(0, over.signal);
  const endIn = (ms: number, why: string): void => {
    undo.push(clock.after(ms, () => over.abort(new DOMException(why, 'AbortError'))));
  };
  const stopped = (): void => endIn(finishMs, 'the run was stopped');
  const endAfter = (stop: AbortSignal): void => {
    if (stop.aborted) stopped();
    else undo.push(onAbort(stop, stopped));
  };
  endAfter(hard);
  endIn(runDeadlineMs + finishMs - clock.monotonicMs(), 'the time of the run is over');
  return { signal: over.signal, endAfter, close: () => callAll(undo) };
}

function callAll(calls: readonly (() => void)[]): void {
  for (const call of calls) call();
}

export function createSignals(clock: Clock, stop: StopRequests, runDeadlineMs: number): Signals {
  const admission = new AbortController();
  const finishing = new AbortController();
  const waits = new AbortController();
  const undo: (() => void)[] = [];
  const requests = lastCall(clock, stop.hard, runDeadlineMs);
  const stores = lastCall(clock, stop.hard, runDeadlineMs, STORE_MS);
  // Every step of a run listens, so Node's warning about many listeners is switched off.
  for (const { signal } of [admission, finishing, waits]) setMaxListeners(0, signal);
  let halted: Halt | 'interrupted' | null = null;

  const keepOut = (why: Halt | 'interrupted'): void => {
    halted ??= why;
    const reason = new DOMException(`no further step starts: ${why}`, 'AbortError');
    admission.abort(reason);
    if (why !== 'stale') finishing.abort(reason);
  };
  const whenAborted = (signal: AbortSignal, act: () => void): void => {
    if (signal.aborted) act();
    else undo.push(onAbort(signal, act));
  };
  whenAborted(stop.soft, () => keepOut('interrupted'));
  whenAborted(stop.hard, () => waits.abort(new DOMException('the run was stopped', 'AbortError')));
  undo.push(clock.after(runDeadlineMs - clock.monotonicMs(), () => keepOut('timeout')));
  return {
    signals: {
      admission: admission.signal,
      finishing: finishing.signal,
      waits: waits.signal,
      stores: stores.signal,
      requests: requests.signal,
    },
    halt: keepOut,
    halted: () => halted,
    close: () => {
      callAll(undo);
      stores.close();
      requests.close();
    },
  };
}
