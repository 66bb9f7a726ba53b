// Proves by lists that a resource exists after its creation, or is gone after its removal: an answer alone proves neither.
import { isExpected } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { unknownBecause, type Run, type StepEnd } from '../run/run.ts';

/** Pauses between looks, because a list may lag behind an answer. */
const PAUSES_MS = [500, 1000, 2000, 4000];
/** Removals that are answered within this time share one list. */
const TOGETHER_MS = 100;

/** `there`: listed to the last look · `unread`: no list showed either. */
export type Shown = 'gone' | 'there' | 'unread';

/** Asks at once and after each pause until an answer is not null; a failed request is no answer. Rejects only for a bug of ours. */
async function askAgain<T>(run: Run, pausesMs: readonly number[], ask: () => Promise<T | null>): Promise<T | null> {
  const { clock, signals } = run.use;
  for (const pauseMs of [0, ...pausesMs]) {
    if (pauseMs > 0 && signals.waits.aborted) break;
    if (pauseMs > 0) await clock.sleep(pauseMs, signals.waits).catch(() => undefined);
    try {
      const answer = await ask();
      if (answer !== null) return answer;
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (signals.requests.aborted) break;
    }
  }
  return null;
}

/**
 * Whether lists that are read from now on show the resource, for a few seconds at most. `removed`: it was listed before or its removal was
 * confirmed, so the first list without it shows its end · `never_seen`: a list without it may be older than it is, so all have to agree ·
 * `refused`: nothing says that it was removed, so one look is enough.
 */
export async function shownGone(
  run: Run,
  id: ResourceId,
  look: () => Promise<readonly LiveResource[]>,
  known: 'removed' | 'never_seen' | 'refused' = 'removed',
): Promise<Shown> {
  let shown: Shown = 'unread';
  let isSeen = known !== 'never_seen';
  const isGone = await askAgain(run, known === 'refused' ? [] : PAUSES_MS, async () => {
    if (!isSeen || run.use.signals.requests.aborted) shown = 'unread';
    const isListed = (await look()).some((resource) => resource.id === id);
    shown = isListed ? 'there' : 'gone';
    const hasGone = !isListed && isSeen;
    isSeen ||= isListed;
    return hasGone ? true : null;
  });
  return isGone === true ? 'gone' : shown;
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
  const { clock, signals, world } = run.use;
  let why = 'could not be read again';
  let afterMs = acceptedAtMs;
  if (isRemoval) await clock.sleep(TOGETHER_MS, signals.waits).catch(() => undefined);
  const isProved = await askAgain(run, PAUSES_MS, async () => {
    const live = await world.list(step, { afterMs, beforeWrites: false }, signals.requests);
    afterMs = clock.monotonicMs();
    why = isRemoval ? 'is still listed' : 'is not listed';
    return live.some((resource) => resource.id === id) === isRemoval ? null : true;
  });
  if (isProved === true) return end;
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, signals.waits.aborted);
}
