// Completes a step with the ids of resources that earlier steps created, and with the time of sending.
import { isJsonObject, type Json, type JsonObject, canonicalJson } from '../../base/json.ts';
import { listed } from '../../base/picked.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Address } from '../../model/address.ts';
import { markOf, type ResourceId } from '../../model/desired.ts';
import type { Expectation, Pool, Step } from '../../model/outcome/plan.ts';
import {
  holdsReference,
  isIdToCome,
  placeholdersIn,
  resolveIn,
  resolveText,
  type Known,
  isUnborn,
  placeholderOf,
} from '../../model/values.ts';
import { ApiFailure } from '../../client/failure.ts';
import { isUnseen, shows } from '../judge/decide.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import { failedBecause, kindOf, staleBecause, unreadBecause, type Run, type StepEnd } from '../run/run.ts';

type MadeIds = ReadonlyMap<Address, ResourceId>;

/** Returns the step with every id that is known by now; the same object if the step needs no id. */
export function resolveStep(step: Step, made: MadeIds): Step {
  const isKnown = placeholdersIn(step.projectId ?? '').some((ref) => made.has(ref));
  if (!hasUnknowns(step) && !isKnown) return step;
  const known: Known = ({ ref, field }) => (field === 'id' ? made.get(ref) : undefined);
  const idOf = (address: Address): ResourceId | undefined => made.get(address);
  const { projectId, parentId, path, body, achieves } = step;
  return {
    ...step,
    projectId: projectId === null ? null : resolveText(projectId, idOf),
    ...(parentId === undefined ? {} : { parentId: resolveText(parentId, idOf) }),
    path: resolveText(path, (address) => encoded(made.get(address))),
    body: resolveIn(body, known),
    achieves: resolveIn(achieves, known),
    expects: resolvedExpectation(step, known),
  };
}

/** True if the step still needs an id or a value from another step. */
export function hasUnknowns({ address, projectId, parentId = '', path, body, achieves, expects }: Step): boolean {
  if (expects.state === 'present' && isIdToCome(expects.id, address)) return true;
  const waits = [projectId ?? '', parentId, path].flatMap(placeholdersIn);
  // A step that creates a project has a placeholder for the id of that project, but does not wait for that id.
  return (
    waits.some((ref) => expects.state === 'present' || ref !== address) ||
    [body, achieves, expects.joins?.where].some(holdsReference)
  );
}

function resolvedExpectation({ address, expects }: Step, known: Known): Expectation {
  if (expects.state === 'absent') return { ...expects, joins: resolvedPool(expects.joins, known) };
  const { id, joins } = expects;
  const made = isIdToCome(id, address) ? known({ ref: address, field: 'id' }) : undefined;
  return {
    ...expects,
    id: typeof made === 'string' ? made : id,
    joins: joins === null ? null : resolvedPool(joins, known),
  };
}

function resolvedPool(pool: Pool, known: Known): Pool {
  return { ...pool, where: resolveIn(pool.where, known) };
}

/** Encodes an id of the service, so that the id stays one segment of the path; undefined for an id that is no safe segment. */
function encoded(id: ResourceId | undefined): string | undefined {
  return id === undefined || /^\.*$/.test(id) ? undefined : encodeURIComponent(id);
}

interface Moment {
  /** Time by the clock of the service. */
  readonly nowMs: number;
  readonly runId: string;
  readonly projectId: string | null;
}

/** Replaces `{ttl_seconds: N}` in `expires_at` by a time; in annotations, `{run_id: true}` by the run's id and `{set: NAME}` by project and set. */
export function completed(body: JsonObject | null, moment: Moment): JsonObject | null {
  return completedValue(body, moment, '') as JsonObject | null;
}

function completedValue(value: Json, moment: Moment, at: string): Json {
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  const { ttl_seconds: ttl, run_id: isRun, set } = value;
  if (names.length === 1 && typeof ttl === 'number' && at === 'expires_at') return isoTime(moment.nowMs + ttl * 1000);
  if (names.length === 1 && isRun === true && at.startsWith('trueup.')) return moment.runId;
  if (names.length === 1 && typeof set === 'string' && at === 'trueup.set') return markOf(moment.projectId ?? '', set);
  return Object.fromEntries(names.map((name) => [name, completedValue(value[name] ?? null, moment, name)]));
}

/** Returns the identifying attributes of a target without a known id, because the target is copied with a new parent. Null for other steps. */
function placeOfInherited({ address, expects }: Step): JsonObject | null {
  const isToCome = expects.state === 'present' && expects.id === placeholderOf(address) && !isUnseen(expects);
  return isToCome ? (expects.joins?.where ?? null) : null;
}

/** Finds the id of a copied target, adds the id to `madeIds` and returns null; else returns how the step ends. Rejects only for a bug. */
export async function findInherited(run: Run, step: Step): Promise<StepEnd | null> {
  const where = placeOfInherited(step);
  if (where === null || isUnborn(step)) {
    const message = 'this resource refers to another resource, and trueup could not learn the id of that resource';
    return failedBecause(step, 'reference_unknown', message, 'Run trueup apply again.');
  }
  try {
    if (await learnId(run, step, where)) return null;
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

/** Reads the scope until the resource appears, then records its id; false if it never appears. */
async function learnId(run: Run, step: Step, where: JsonObject): Promise<boolean> {
  const { clock, signals, world } = run;
  for (const pauseMs of [0, ...LAG_PAUSES_MS]) {
    await clock.sleep(pauseMs, signals.admission);
    const live = await world.reread(step, signals.admission);
    // An earlier run may already have changed the attributes by which the plan finds the resource.
    const [found] = listed(where, step.achieves).flatMap((way) =>
      live.filter(({ spec }) => shows(kindOf(run, step), spec, way)),
    );
    if (found === undefined) continue;
    run.madeIds.set(step.address, found.id);
    return true;
  }
  return false;
}
