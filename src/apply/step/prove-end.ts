// Whether something is there after it was made, or gone after its removal: told by what is listed since, never by the answer alone.
import { isExpected } from '../../client/failure.ts';
import type { ApiClient } from '../../client/types.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { kindOf, unknownBecause, type Run, type StepEnd } from '../run/run.ts';

/** Pauses between looks: a list may lag behind a removal, but not for ever. */
const PAUSES_MS = [500, 1000, 2000, 4000];
/** Removals that are answered within so long are proved by one list. */
const TOGETHER_MS = 100;

/** `gone`: a list without it · `there`: it was listed to the last look · `unread`: no list told. */
export type Shown = 'gone' | 'there' | 'unread';

/**
 * What lists read from now on show, for a few seconds at most. `removed`: it was listed before or its removal was confirmed, so that the
 * first list without it tells · `never_seen`: a list without it may be older than it is, all of them have to agree · `refused`: nothing
 * says that it was removed, one look is enough. Never rejects for a failure or an end.
 */
export async function shownGone(
  run: Run,
  id: ResourceId,
  look: () => Promise<readonly LiveResource[]>,
  known: 'removed' | 'never_seen' | 'refused' = 'removed',
): Promise<Shown> {
  const { clock, signals } = run.use;
  let shown: Shown = 'unread';
  let isSeen = known !== 'never_seen';
  for (const pauseMs of [0, ...(known === 'refused' ? [] : PAUSES_MS)]) {
    if (pauseMs > 0) {
      if (signals.waits.aborted) break;
      await clock.sleep(pauseMs, signals.waits).catch(() => undefined);
    }
    try {
      const isListed = (await look()).some((resource) => resource.id === id);
      if (!isListed && isSeen) return 'gone';
      isSeen ||= isListed;
      shown = isListed ? 'there' : 'gone';
    } catch (error) {
      if (!isExpected(error)) throw error;
      if (signals.requests.aborted) return 'unread';
      if (!isSeen) shown = 'unread';
    }
  }
  return shown;
}

/** The scope of the step as `client` reads it now. */
export async function listedFor(run: Run, client: ApiClient, step: Step): Promise<readonly LiveResource[]> {
  const { requests } = run.use.signals;
  if (client === run.use.client) return run.use.world.reread(step, requests);
  return kindOf(run, step).remote.list(client, step, requests);
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

/**
 * A creation of which no operation tells is done once a list shows what it made: a service may answer for what it never does. A list
 * may lag behind, but not for ever.
 */
export async function proveCreation(run: Run, step: Step, id: ResourceId | null, end: StepEnd): Promise<StepEnd> {
  if (end.end !== 'done' || step.expects.state !== 'absent' || id === null) return end;
  const { clock, signals, world } = run.use;
  let why = 'is not listed';
  for (const pauseMs of [0, ...PAUSES_MS]) {
    if (pauseMs > 0) {
      if (signals.waits.aborted) break;
      await clock.sleep(pauseMs, signals.waits).catch(() => undefined);
    }
    try {
      if ((await world.reread(step, signals.requests)).some((resource) => resource.id === id)) return end;
      why = 'is not listed';
    } catch (error) {
      if (!isExpected(error)) throw error;
      why = 'could not be read again';
      if (signals.requests.aborted) break;
    }
  }
  return unknownBecause(`the service accepted the ${step.action}, but ${id} ${why}`, signals.waits.aborted);
}
