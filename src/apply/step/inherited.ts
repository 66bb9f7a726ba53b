// Finds the ids of resources that appear with a copied parent, without a step that creates them.
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { isUnborn, placeholderOf } from '../../model/reference.ts';
import { comparing } from '../../plan/diff/difference.ts';
import { isUnseen } from '../judge/decide.ts';
import { shows } from '../judge/attributes.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import { failedBecause, kindOf, staleBecause, unreadBecause, type Run, type StepEnd } from '../run/run.ts';

/** The id of such a step's target among what is live in its scope; null for any other step, and where it is not there. */
function inheritedId(run: Run, step: Step, live: readonly LiveResource[]): ResourceId | null {
  const where = placeOfInherited(step);
  if (where === null) return null;
  const canonical = comparing(kindOf(run, step));
  // An earlier run may have changed already what it was to be found by.
  const ways = [where, ...(step.achieves === null ? [] : [step.achieves])];
  const found = ways.flatMap((way) => live.find(({ spec }) => shows(spec, way, canonical)) ?? []);
  return found[0]?.id ?? null;
}

/** The attributes by which the target of such a step is found; null for any other step. */
function placeOfInherited({ address, expects }: Step): JsonObject | null {
  const isToCome = expects.state === 'present' && expects.id === placeholderOf(address) && !isUnseen(expects);
  return isToCome ? (expects.joins?.where ?? null) : null;
}

/** Finds the id that the step waits for and gives it to the run: then null, else how the step ends. Rejects only for a bug of ours. */
export async function findInherited(run: Run, step: Step): Promise<StepEnd | null> {
  const where = placeOfInherited(step);
  if (where === null || isUnborn(step)) {
    const message = 'this resource refers to another resource, and trueup could not learn the id of that resource';
    return failedBecause(step, 'reference_unknown', message, 'Run trueup apply again.');
  }
  try {
    if (await learnId(run, step)) return null;
  } catch (error) {
    if (run.use.signals.admission.aborted) return { end: 'not_started' };
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) run.tell.halt('unauthorized');
    return unreadBecause(step, error);
  }
  if (step.achieves === null) return { end: 'satisfied', id: null };
  const words = Object.entries(where).map(([name, value]) => `${name} ${canonicalJson(value)}`);
  return staleBecause(step, `the parent does not have the expected resource: ${words.join(', ')}`);
}

/** False where it does not show, also later. */
async function learnId(run: Run, step: Step): Promise<boolean> {
  const { clock, signals, world } = run.use;
  for (const pauseMs of [0, ...LAG_PAUSES_MS]) {
    await clock.sleep(pauseMs, signals.admission);
    const id = inheritedId(run, step, await world.reread(step, signals.admission));
    if (id === null) continue;
    run.known.madeIds.set(step.address, id);
    return true;
  }
  return false;
}
