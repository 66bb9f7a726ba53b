// Proves by lists that a created resource exists, or a removed one is gone: the reply to the request alone proves neither.
import { isExpected } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { unknownBecause, type Run, type StepEnd } from '../run/run.ts';

/** Pauses before readings of a list, because a list may lag behind a reply. */
const PAUSES_MS: readonly number[] = [0, 500, 1000, 2000, 4000];
/** A single reading, once no list lags any more. */
export const LATE_MS: readonly number[] = [7500];
/** Removals whose replies arrive within this time share one reading of the list. */
const TOGETHER_MS = 100;

/** True once a list that was read after `afterMs` (monotonic) agrees with `isThere`; false if none did, null if none could be read. */
export async function listsShow(
  run: Run,
  step: Step,
  { id, isThere }: { readonly id: ResourceId; readonly isThere: boolean },
  afterMs: number,
  pausesMs: readonly number[] = PAUSES_MS,
): Promise<boolean | null> {
  const { clock, signals, world } = run;
  let answer: boolean | null = null;
  let sinceMs = afterMs;
  for (const pauseMs of pausesMs) {
    if (pauseMs > 0 && signals.waits.aborted) break;
    if (pauseMs > 0) await clock.sleep(pauseMs, signals.waits).catch(() => undefined);
    try {
      const live = await world.list(step, sinceMs, signals.requests);
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

/** Turns success into an unknown outcome, unless a list read after `acceptedAtMs` (monotonic) shows the creation or removal. */
export async function proveEnd(
  run: Run,
  step: Step,
  id: ResourceId | null,
  end: StepEnd,
  acceptedAtMs: number,
): Promise<StepEnd> {
  const isRemoval = step.achieves === null;
  if (end.end !== 'done' || id === null || !(isRemoval || step.expects.state === 'absent')) return end;
  const { clock, signals } = run;
  if (isRemoval) await clock.sleep(TOGETHER_MS, signals.waits).catch(() => undefined);
  const isProved = await listsShow(run, step, { id, isThere: !isRemoval }, acceptedAtMs);
  if (isProved === true) return end;
  const why = isProved === null ? 'could not be read again' : isRemoval ? 'is still listed' : 'is not listed';
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, signals.waits.aborted);
}
