// What a request may have made without a reply that says so: it was told to come later and done all the same, or its reply was lost.
import { isExpected } from '../../client/failure.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { strangersIn } from '../judge/assess.ts';
import { leftBehind } from '../secret/undo-secret.ts';
import { kindOf, laneOf, unknownBecause, type Run, type StepEnd } from '../run/run.ts';
import type { Sending } from './attempt.ts';
import type { Delivery } from './attempts.ts';

/**
 * The end of a creation, with what came into being beside it. That is told, and left alone: a name, a time and that nobody has used it
 * prove nothing where others make such things as well.
 */
export async function reportExtras(
  { run, step, pass, delivery }: Pick<Sending, 'run' | 'step' | 'pass' | 'delivery'>,
  end: StepEnd,
): Promise<StepEnd> {
  const isSecret = kindOf(run, step).remote.repeat(step) === 'secret';
  const isRepeated = delivery.repeats > 0;
  if (!isRepeated && !(isSecret && delivery.isUnproven)) return end;
  if (step.expects.state !== 'absent' || !['done', 'failed', 'unknown'].includes(end.end)) return end;
  const looking = run.use.lanes.exclusively(laneOf(run, step), run.use.signals.requests, async () =>
    newcomers(run, step, delivery),
  );
  pass.leave();
  const found = await looking.catch(orNothing);
  if (found === null)
    return isRepeated ? unknownBecause('the service asked for a later retry, and the outcome could not be read') : end;
  if (found.length === 0) return end;
  delivery.isUnproven = true;
  if (isSecret) for (const { id } of found) tellUnproven(run, step, id);
  return isRepeated ? unknownBecause(extrasWords(end, found)) : end;
}

/** What came into being in the place and belongs to no step of the run. */
async function newcomers(run: Run, step: Step, { listed }: Delivery): Promise<readonly LiveResource[]> {
  const pool = step.expects.joins;
  if (pool === null) return [];
  const known = [...pool.known, ...(listed ?? [])];
  const live = await run.use.world.reread(step, run.use.signals.requests);
  return strangersIn({ ...pool, known }, live, { claimed: run.known.claims, canonical: kindOf(run, step).canonical });
}

function extrasWords({ end }: StepEnd, found: readonly Pick<LiveResource, 'id'>[]): string {
  const ids = found.map(({ id }) => id).join(', ');
  const own =
    end === 'done'
      ? 'the resource was created, but other new resources appeared, too:'
      : 'the service asked for a later retry, but new resources appeared:';
  return `${own} ${ids}. The service may have carried out a refused request: check these resources, and delete those that are not needed`;
}

function tellUnproven(run: Run, step: Step, id: LiveResource['id']): void {
  const { command } = leftBehind(run, step, id);
  run.tell.emit({
    type: 'diagnostic',
    resourceId: id,
    ...(command === undefined ? {} : { command }),
    diagnostic: {
      severity: 'warning',
      code: 'secret_unproven',
      message: `the key ${id} appeared when this run created a key; another run or person may have created it, so the key was not revoked`,
      hint: `If nobody else created the key ${id}, its value is lost: revoke the key by hand. The next trueup plan in this folder reports the key again.`,
      address: step.address,
    },
  });
}

function orNothing(error: unknown): null {
  if (isExpected(error)) return null;
  throw error;
}
