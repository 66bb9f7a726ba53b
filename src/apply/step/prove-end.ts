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

/** A removal that was accepted at `acceptedAtMs` (monotonic) is done once a list read since is without its target. */
export async function proveRemoval(run: Run, step: Step, acceptedAtMs: number, end: StepEnd): Promise<StepEnd> {
  if (end.end !== 'done' || step.achieves !== null || step.expects.state !== 'present') return end;
  const { id } = step.expects;
  let afterMs = acceptedAtMs;
  await run.use.clock.sleep(TOGETHER_MS, run.use.signals.waits).catch(() => undefined);
  const look = async (): Promise<readonly LiveResource[]> => {
    const live = await run.use.world.list(
      step,
      { afterMs, sinceMs: afterMs, beforeWrites: false },
      run.use.signals.requests,
    );
    afterMs = run.use.clock.monotonicMs();
    return live;
  };
  const shown = await shownGone(run, id, look);
  if (shown === 'gone') return end;
  const why = shown === 'there' ? 'is still listed' : 'could not be read again';
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, run.use.signals.waits.aborted);
}

/** A creation without an operation is done once a list shows what it made: a service may answer for what it never does. */
export async function proveCreation(run: Run, step: Step, id: ResourceId | null, end: StepEnd): Promise<StepEnd> {
  if (end.end !== 'done' || step.expects.state !== 'absent' || id === null) return end;
  const { signals, world } = run.use;
  let why = 'could not be read again';
  const isListed = await askAgain(run, PAUSES_MS, async () => {
    why = 'could not be read again';
    const live = await world.reread(step, signals.requests);
    why = 'is not listed';
    return live.some((resource) => resource.id === id) ? true : null;
  });
  if (isListed === true) return end;
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, signals.waits.aborted);
}
