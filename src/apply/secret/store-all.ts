// Puts the record of a secret that can be read again into its places, one after another, each in its time; what one of them cannot take the next run brings.
import type { Address } from '../../model/address.ts';
import type { Run } from '../run/run.ts';
import { valueProblem, type Secrets } from '../sinks/record.ts';
import type { JsonObject } from '../../base/json.ts';
import { SinkFailure, type StoreTime } from '../sinks/sink.ts';
import type { Timing } from '../step/await-operations.ts';
import { storedIn, type Place } from './reserve.ts';
import { STORE_LEAST_MS } from '../../model/operations/timing.ts';

/** The time of one store that begins now; `close` ends its timer. */
export function storeTime(
  { use: { clock, signals, runDeadlineMs } }: { readonly use: Pick<Run['use'], 'clock' | 'signals' | 'runDeadlineMs'> },
  { deadlineMs }: Timing,
): StoreTime & { readonly close: () => void } {
  const over = new AbortController();
  // At the deadline of the run it is as at a stop: what is under way has a little longer.
  const endsAtMs = deadlineMs < runDeadlineMs ? Math.max(deadlineMs, clock.monotonicMs() + STORE_LEAST_MS) : Infinity;
  const end = (): void => over.abort(new DOMException('the time of the step is over', 'AbortError'));
  const close = clock.after(endsAtMs - clock.monotonicMs(), end);
  return {
    signal: AbortSignal.any([signals.stores, over.signal]),
    mayRepeat: () => !signals.waits.aborted && clock.monotonicMs() < Math.min(deadlineMs, runDeadlineMs),
    close,
  };
}

export interface Storing {
  readonly run: {
    readonly use: Parameters<typeof storeTime>[0]['use'];
    readonly tell: Pick<Run['tell'], 'emit'>;
  };
  readonly step: { readonly address: Address };
  readonly timing: Timing;
}

/** Why it is not in all of them; null when it is. What one has taken is right, and stays. */
export async function storeAll(
  { run, step, timing }: Storing,
  places: readonly Place[],
  { facts, secrets }: { readonly facts: JsonObject; readonly secrets: Secrets },
): Promise<string | null> {
  const refusal = Object.values(secrets)
    .map(valueProblem)
    .find((problem) => problem !== null);
  if (refusal !== undefined) return `the new secret cannot be stored: ${refusal}`;
  const problems: string[] = [];
  for (const { sink, reservation } of places) {
    const time = storeTime(run, timing);
    try {
      await reservation.store(facts, secrets, time);
      run.tell.emit(storedIn(step, sink));
    } catch (error) {
      if (!(error instanceof SinkFailure)) throw error;
      problems.push(error.message);
    } finally {
      time.close();
    }
  }
  return problems.length === 0 ? null : problems.join('; ');
}
