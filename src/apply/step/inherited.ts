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

/** The live id of an inherited step's target; null if the step is not inherited, or if the target is not in its scope. */
function inheritedId(run: Run, step: Step, live: readonly LiveResource[]): ResourceId | null {
  const where = placeOfInherited(step);
  if (where === null) return null;
  const canonical = comparing(kindOf(run, step));
  // An earlier run may already have changed the attributes by which the plan finds the resource.
  const ways = [where, ...(step.achieves === null ? [] : [step.achieves])];
  const found = ways.flatMap((way) => live.find(({ spec }) => shows(spec, way, canonical)) ?? []);
  return found[0]?.id ?? null;
}

/** The attributes that identify the target if it is copied with a new parent, so that its id is unknown; otherwise null. */
function placeOfInherited({ address, expects }: Step): JsonObject | null {
  const isToCome = expects.state === 'present' && expects.id === placeholderOf(address) && !isUnseen(expects);
  return isToCome ? (expects.joins?.where ?? null) : null;
}

/** Finds the inherited id and adds it to `madeIds`, then returns null; else returns how the step ends. Rejects only for a bug. */
export async function findInherited(run: Run, step: Step): Promise<StepEnd | null> {
  const where = placeOfInherited(step);
  if (where === null || isUnborn(step)) {
    const message = 'this resource refers to another resource, and trueup could not learn the id of that resource';
    return failedBecause(step, 'reference_unknown', message, 'Run trueup apply again.');
  }
  try {
    if (await learnId(run, step)) return null;
  } catch (error) {
    if (run.signals.admission.aborted) return { end: 'not_started' };
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) run.halt('unauthorized');
    return unreadBecause(step, error);
  }
  if (step.achieves === null) return { end: 'satisfied', id: null };
  const words = Object.entries(where).map(([name, value]) => `${name} ${canonicalJson(value)}`);
  return staleBecause(step, `the parent does not have the expected resource: ${words.join(', ')}`);
}

/** Reads the scope until it shows the resource, and records its id; false if it never appears. */
async function learnId(run: Run, step: Step): Promise<boolean> {
  const { clock, signals, world } = run;
  for (const pauseMs of [0, ...LAG_PAUSES_MS]) {
    await clock.sleep(pauseMs, signals.admission);
    const id = inheritedId(run, step, await world.reread(step, signals.admission));
    if (id === null) continue;
    run.madeIds.set(step.address, id);
    return true;
  }
  return false;
}
