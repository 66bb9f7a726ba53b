// Completes a step with the ids of resources that earlier steps created, and with the time of sending.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
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
} from '../../model/reference.ts';

/** The ids that steps of the run created or found, by address. */
type MadeIds = ReadonlyMap<Address, ResourceId>;

/** Returns the step with every id that is known by now; the same object if it needs none. */
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
    body: body === null ? null : resolveIn(body, known),
    achieves: achieves === null ? null : resolveIn(achieves, known),
    expects: resolvedExpectation(step, known),
  };
}

/** True if the step still needs an id or a value from another step. */
export function hasUnknowns({ address, projectId, parentId = '', path, body, achieves, expects }: Step): boolean {
  if (expects.state === 'present' && isIdToCome(expects.id, address)) return true;
  const waits = [projectId ?? '', parentId, path].flatMap(placeholdersIn);
  // A step that creates a project does not need its own id.
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

/** An id comes from the service, so it is encoded to stay one segment of the path. */
function encoded(id: ResourceId | undefined): string | undefined {
  return id === undefined || /^\.*$/.test(id) ? undefined : encodeURIComponent(id);
}

interface Moment {
  /** Time by the clock of the service. */
  readonly nowMs: number;
  readonly runId: string;
  readonly projectId: string | null;
}

/** Replaces `{ttl_seconds: N}` in `expires_at` by a time; in our notes, `{run_id: true}` by the run's id and `{set: NAME}` by the set's mark. */
export function completed(body: JsonObject | null, moment: Moment): JsonObject | null {
  return body === null ? null : (completedValue(body, moment, '') as JsonObject);
}

function completedValue(value: Json, moment: Moment, at: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => completedValue(item, moment, ''));
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  const { ttl_seconds: ttl, run_id: isRun, set } = value;
  if (names.length === 1 && typeof ttl === 'number' && at === 'expires_at') return isoTime(moment.nowMs + ttl * 1000);
  if (names.length === 1 && isRun === true && at.startsWith('trueup.')) return moment.runId;
  if (names.length === 1 && typeof set === 'string' && at === 'trueup.set') return markOf(moment.projectId ?? '', set);
  return Object.fromEntries(names.map((name) => [name, completedValue(value[name] ?? null, moment, name)]));
}
