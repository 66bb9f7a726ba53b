// Proves by lists that a resource exists after its creation, or is gone after its removal: an answer alone proves neither.
import { isExpected } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { unknownBecause, type Run, type StepEnd } from '../run/run.ts';

/** Pauses before looks, because a list may lag behind an answer. */
const PAUSES_MS: readonly number[] = [0, 500, 1000, 2000, 4000];
/** One look, after the time that a list may lag. */
export const LATE_MS: readonly number[] = [7500];
/** Removals that are answered within this time share one list. */
const TOGETHER_MS = 100;

/** True once a list that began after `afterMs` (monotonic) is with the resource, or without it, as asked; false if none was, null if none was read. */
export async function listsShow(
  run: Run,
  step: Step,
  { id, isThere }: { readonly id: ResourceId; readonly isThere: boolean },
  afterMs: number,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<boolean | null> {
  const { clock, signals, world } = run.use;
  let answer: boolean | null = null;
  let sinceMs = afterMs;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0 && signals.waits.aborted) break;
    if (pauseMs > 0) await clock.sleep(pauseMs, signals.waits).catch(() => undefined);
    try {
      const live = await world.list(step, { afterMs: sinceMs, beforeWrites: false }, signals.requests);
      sinceMs = clock.monotonicMs();
      answer = live.some((one) => one.id === id) === isThere;
      if (answer) break;
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (signals.requests.aborted) break;
    }
  }
  return answer;
}

/** A creation is done once a list that was read after `acceptedAtMs` (monotonic) shows it, and a removal once one does not. */
export async function proveEnd(
  run: Run,
  step: Step,
  id: ResourceId | null,
  end: StepEnd,
  acceptedAtMs: number,
): Promise<StepEnd> {
  const isRemoval = step.achieves === null;
  if (end.end !== 'done' || id === null || !(isRemoval || step.expects.state === 'absent')) return end;
  const { clock, signals } = run.use;
  if (isRemoval) await clock.sleep(TOGETHER_MS, signals.waits).catch(() => undefined);
  const isProved = await listsShow(run, step, { id, isThere: !isRemoval }, acceptedAtMs);
  if (isProved === true) return end;
  const why = isProved === null ? 'could not be read again' : isRemoval ? 'is still listed' : 'is not listed';
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, signals.waits.aborted);
}
