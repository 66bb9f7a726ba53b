// A new secret that cannot be kept: places get back what they held, what was made is removed, and what could not be undone is told.
import type { JsonObject } from '../../base/json.ts';
import type { Secret } from '../../base/secret.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { tellSecret, removalWords, undoSecret } from './undo-secret.ts';
import { failedBecause, warn, type Run, type StepEnd } from '../run/run.ts';
import { SinkFailure } from '../sinks/sink.ts';
import type { Place } from './reserve.ts';

export interface Made {
  readonly id: ResourceId;
  readonly secret: Secret;
  /** When it was made, as the reply told it; null when it did not. */
  readonly madeAtMs: number | null;
  /** What the reply told of it besides its value. */
  readonly record: JsonObject;
}

/** `begun`: the places in which a store was begun, whether it succeeded or not. */
export async function discardSecret(
  run: Run,
  step: Step,
  begun: readonly Place[],
  { id, secret, madeAtMs }: Made,
  why: string,
): Promise<StepEnd> {
  tellSecret(run, step, id, 'open');
  const kept: string[] = [];
  for (const { reservation, sink } of begun)
    await reservation.revert(run.use.signals.stores).catch((error: unknown) => {
      const words = `the former content of ${sink.label} was not restored`;
      kept.push(error instanceof SinkFailure ? error.message : words);
    });
  const removal = await undoSecret(run, step, { id, madeAtMs, secret, isHandedOut: begun.length > 0 });
  const after = removalWords(id, removal);
  for (const words of kept)
    warn(
      run,
      step,
      'sink_not_reverted',
      `${words}; ${after}`,
      'Readers of the sink may get a revoked key. Fix the sink, then run trueup apply again (with --due for a due rotation).',
    );
  const code = removal === 'gone' ? 'secret_not_kept' : 'secret_at_risk';
  return failedBecause(step, code, `${why}; ${removal === 'gone' ? after : `and ${after}`}`);
}
