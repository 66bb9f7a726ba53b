// What "come later" may hide: a service that did the request all the same, so that it was done more than once.
import { ApiFailure } from '../client/failure.ts';
import type { ResourceId } from '../model/desired.ts';
import type { LiveResource } from '../model/live.ts';
import type { Step } from '../model/plan.ts';
import { strangersIn } from './assess.ts';
import { ABSENCE_MS } from './journal/orphans.ts';
import { kindOf, laneOf, unknownBecause } from './run.ts';
import type { Run, StepEnd } from './run.ts';
import type { Sending } from './attempt.ts';
import { undoSecret } from './undo-secret.ts';

type Turn = Pick<Sending, 'run' | 'step' | 'pass' | 'fate' | 'timing'>;

/** The clocks of one service, and times in whole seconds. */
const MARGIN_MS = 2000;

/** The end of a creation that was told to come later, with what came into being beside it: that is told, and left alone. */
export async function reportSurplus(turn: Turn, before: readonly LiveResource[], end: StepEnd): Promise<StepEnd> {
  const { run, step, pass, fate } = turn;
  if (!mayBeTwice(turn, end)) return end;
  const looking = run.lanes.exclusively(laneOf(step), run.signals.requests, async () => newcomers(run, step, before));
  pass.leave();
  const found = await looking.catch((error: unknown) => orNothing(run, error));
  if (found === null) return unknownBecause('it was told to come later, and what came of that could not be read back');
  if (found.length === 0) return end;
  fate.isOpen = true;
  return unknownBecause(surplusWords(end, found));
}

/**
 * The same for what holds a secret, which is ours beyond doubt where it came into being between the first request and the one that was
 * answered, is no more than was told to come later, and is still unused after another look: nobody has its value, and it is removed.
 */
export async function removeSurplus(
  turn: Turn,
  before: readonly LiveResource[],
  kept: ResourceId | null,
  end: StepEnd,
): Promise<StepEnd> {
  const { run, step, fate, timing } = turn;
  if (!mayBeTwice(turn, end)) return end;
  const elapsedMs = run.clock.monotonicMs() - timing.startedAtMs;
  try {
    if ((await newcomers(run, step, before)).length === 0) return end;
    if (!run.signals.waits.aborted) await run.clock.sleep(ABSENCE_MS, run.signals.waits).catch(() => undefined);
    const found = await newcomers(run, step, before);
    if (found.length === 0) return end;
    const keptAtMs = run.world.lastSeen(step)?.find(({ id }) => id === kept)?.createdAtMs ?? null;
    const isOurs = ({ createdAtMs }: LiveResource): boolean =>
      keptAtMs !== null &&
      createdAtMs !== null &&
      createdAtMs >= keptAtMs - elapsedMs - MARGIN_MS &&
      createdAtMs <= keptAtMs + MARGIN_MS;
    const isUnused = (live: LiveResource): boolean => kindOf(run, step).remote.untouched?.(live) === true;
    const isClear = found.length <= fate.repeats && found.every((live) => isOurs(live) && isUnused(live));
    if (!isClear) return unknownBecause(surplusWords(end, found));
    for (const { id } of found)
      if ((await undoSecret(run, step, { id, secret: null, isHandedOut: false })) !== 'gone')
        return unknownBecause(surplusWords(end, [{ id }]));
    return end;
  } catch (error) {
    orNothing(run, error);
    return unknownBecause('it was told to come later, and what came of that could not be read back');
  }
}

/** Its request was sent more than once, and may have been done each time. */
function mayBeTwice({ step, fate }: Turn, { end }: StepEnd): boolean {
  return fate.repeats > 0 && step.expects.state === 'absent' && ['done', 'failed', 'unknown'].includes(end);
}

/** What came into being in the place and belongs to no step of the run. */
async function newcomers(run: Run, step: Step, before: readonly LiveResource[]): Promise<readonly LiveResource[]> {
  const pool = step.expects.joins;
  if (pool === null) return [];
  const known = [...pool.known, ...before.map(({ id }) => id)];
  const live = await run.world.reread(step, run.signals.requests);
  return strangersIn({ ...pool, known }, live, { claimed: run.claims, canonical: kindOf(run, step).canonical });
}

function surplusWords({ end }: StepEnd, found: readonly Pick<LiveResource, 'id'>[]): string {
  const ids = found.map(({ id }) => id).join(', ');
  const own = end === 'done' ? 'it was made, and beside it' : 'it was told to come later, and';
  return `${own} ${ids} came into being meanwhile: the service may have done what it refused; look, and remove what nobody needs`;
}

function orNothing(run: Run, error: unknown): null {
  if (error instanceof ApiFailure || run.signals.requests.aborted) return null;
  throw error;
}
