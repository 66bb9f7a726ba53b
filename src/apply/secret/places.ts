// Handles the sinks of one secret: reserves all of them before the secret is created, and fills them one after another.
import type { JsonObject } from '../../base/json.ts';
import { withinTime } from '../../client/http/exchange.ts';
import type { Address } from '../../model/address.ts';
import { STORE_LEAST_MS } from '../../model/operations/timing.ts';
import type { Run } from '../run/run.ts';
import { valueProblem, type Secrets, SinkFailure, type Reservation, type SecretSink } from '../sinks/sink.ts';
import type { Timing } from '../step/await-operations.ts';

export interface Place {
  readonly sink: SecretSink;
  readonly reservation: Reservation;
}

/** `isClosed`: there is no sink at all, for example because its program was not declared. */
export type Reserved = { readonly places: readonly Place[] } | { readonly problem: string; readonly isClosed: boolean };

export async function reserveAll(sinks: readonly SecretSink[], signal: AbortSignal): Promise<Reserved> {
  const places: Place[] = [];
  if (sinks.length === 0) return { problem: 'no sink for the secret can be opened', isClosed: true };
  for (const sink of sinks) {
    try {
      places.push({ sink, reservation: await sink.reserve(signal) });
    } catch (error) {
      await releaseAll(places);
      // A stop also aborts the check of a sink, which then looks broken.
      signal.throwIfAborted();
      if (!(error instanceof SinkFailure)) throw error;
      return { problem: error.message, isClosed: false };
    }
  }
  return { places };
}

export async function releaseAll(places: readonly Place[]): Promise<void> {
  for (const { reservation } of places) await reservation.release();
}

interface Storing {
  readonly run: Pick<Run, 'clock' | 'signals' | 'runDeadlineMs' | 'emit'>;
  readonly step: { readonly address: Address };
  readonly timing: Timing;
}

/** Returns the problems, null if there are none. With `isWhole`, the first failure ends it, and only a store in all sinks is reported. */
export async function storeAll(
  { run, step: { address }, timing }: Storing,
  places: readonly Place[],
  { facts, secrets, isWhole }: { readonly facts: JsonObject; readonly secrets: Secrets; readonly isWhole: boolean },
): Promise<string | null> {
  const refusal = Object.values(secrets)
    .map(valueProblem)
    .find((problem) => problem !== null);
  if (refusal !== undefined) return refusal;
  const problems: string[] = [];
  const taken: SecretSink[] = [];
  for (const { sink, reservation } of places) {
    if (isWhole && problems.length > 0) break;
    const bounds = { clock: run.clock, signal: run.signals.stores, deadlineMs: storeBy(run, timing) };
    try {
      await withinTime(bounds, async (signal) => reservation.store(facts, secrets, signal));
      taken.push(sink);
    } catch (error) {
      if (!(error instanceof SinkFailure)) throw error;
      problems.push(error.message);
    }
  }
  for (const { label, path } of isWhole && problems.length > 0 ? [] : taken)
    run.emit({ type: 'secret_stored', address, sink: label, path });
  return problems.length === 0 ? null : problems.join('; ');
}

/** If the run ends before the step does, the store gets the time that `stores` leaves after a stop. */
function storeBy({ clock, runDeadlineMs }: Storing['run'], { deadlineMs }: Timing): number {
  return deadlineMs < runDeadlineMs ? Math.max(deadlineMs, clock.monotonicMs() + STORE_LEAST_MS) : Infinity;
}
