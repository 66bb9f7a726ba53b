// The places of one secret, all of them ready to take it, or none: each has said so before anything is made or read.
import type { Step } from '../../model/outcome/plan.ts';
import { failedBecause, type Happening, type StepEnd } from '../run/run.ts';
import { SinkFailure, type Reservation, type SecretSink } from '../sinks/sink.ts';

export interface Place {
  readonly sink: SecretSink;
  readonly reservation: Reservation;
}

/** `isClosed`: none could be opened at all. */
export type Reserved = { readonly places: readonly Place[] } | { readonly problem: string; readonly isClosed: boolean };

/** Rejects with the signal's reason; what was reserved is given back then. */
export async function reserveAll(sinks: readonly SecretSink[], signal: AbortSignal): Promise<Reserved> {
  const places: Place[] = [];
  if (sinks.length === 0) return { problem: 'no sink for the secret can be opened', isClosed: true };
  for (const sink of sinks) {
    try {
      const state = await sink.check(signal);
      if (state.state === 'broken') throw new SinkFailure(sink.label, state.reason ?? 'it cannot be used');
      places.push({ sink, reservation: await sink.reserve(signal) });
    } catch (error) {
      await releaseAll(places);
      // Told to stop, it may have been ended in the middle of a look.
      signal.throwIfAborted();
      if (!(error instanceof SinkFailure)) throw error;
      return { problem: error.message, isClosed: false };
    }
  }
  return { places };
}

/** The event that a place has stored the secret. */
export function storedIn(
  { address }: Pick<Step, 'address'>,
  { label, path }: SecretSink,
): Happening & { type: 'secret_stored' } {
  return { type: 'secret_stored', address, sink: label, ...(path === undefined ? {} : { path }) };
}

export async function releaseAll(places: readonly Place[]): Promise<void> {
  for (const { reservation } of places) await reservation.release();
}

/** How a step ends whose places are not ready: nothing was sent. */
export function unreserved(
  step: Step,
  { problem, isClosed }: Extract<Reserved, { readonly problem: string }>,
): StepEnd {
  return isClosed
    ? failedBecause(
        step,
        'secret_missing',
        `${problem}; nothing was sent`,
        'Declare the programs of exec sinks as for the plan: --sink NAME=PROGRAM.',
      )
    : failedBecause(step, 'sink_unusable', problem, 'Nothing was sent. Fix the sink and run trueup apply again.');
}
