// Resources that come with their parent, when that is made as a copy: no step makes them, so their ids are found in the lists.
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import { picked } from '../../base/picked.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { isUnborn, placeholderOf } from '../../model/reference.ts';
import { isUnseen, strangersIn, strangerWords, type Assessment } from '../judge/assess.ts';
import { shows } from '../judge/attributes.ts';
import { LAG_PAUSES_MS } from '../judge/world.ts';
import { failedBecause, kindOf, satisfiedBy, unreadBecause, type Run, type StepEnd } from '../run/run.ts';

/** The id of such a step's target among what is live in its scope; null for any other step, and where it is not there. */
function inheritedId(run: Run, step: Step, live: readonly LiveResource[]): ResourceId | null {
  const where = placeOfInherited(step);
  if (where === null) return null;
  const { canonical } = kindOf(run, step);
  // An earlier run may have changed already what it was to be found by.
  const ways = [where, ...(step.achieves === null ? [] : [step.achieves])];
  const found = ways.flatMap((way) => live.find(({ spec }) => shows(spec, way, canonical)) ?? []);
  return found[0]?.id ?? null;
}

/** A step on what comes along: the place where it is at first, and the one where it is when the step is done. */
interface Moving {
  readonly address: Address;
  readonly from: JsonObject;
  readonly to: JsonObject | null;
}

/**
 * The ids of the targets of all such steps of one scope, below a parent that is there already: an earlier run may have carried out some
 * of them. A place that one has left may have been taken by the next, so that a name alone does not tell which is meant.
 */
export function idsAlong(
  run: Run,
  [first, ...others]: readonly [Step, ...Step[]],
  live: readonly LiveResource[],
): readonly (readonly [Address, ResourceId])[] {
  const steps = [first, ...others];
  const { canonical } = kindOf(run, first);
  const isSame = (one: JsonObject, other: JsonObject): boolean => shows(one, other, canonical);
  const holderOf = (place: JsonObject): LiveResource | undefined => live.find(({ spec }) => isSame(spec, place));
  const moving = steps.flatMap((step): Moving[] => {
    const from = placeOfInherited(step);
    return from === null
      ? []
      : [{ address: step.address, from, to: step.achieves && picked(step.achieves, Object.keys(from)) }];
  });
  const arriving = [
    ...moving.flatMap(({ from, to }) => (to === null || isSame(from, to) ? [] : [to])),
    ...steps.flatMap(({ expects }) =>
      expects.state === 'absent' && expects.joins !== null ? [expects.joins.where] : [],
    ),
  ];
  const done = new Map<Moving, boolean>();
  const isDone = (one: Moving): boolean => {
    const { from, to } = one;
    const known = done.get(one);
    if (known !== undefined) return known;
    done.set(one, false);
    if (to === null || isSame(from, to) || holderOf(to) === undefined) return false;
    const before = moving.find((other) => isSame(other.from, to));
    const isLeft = holderOf(from) === undefined || arriving.some((place) => isSame(place, from));
    const isMoved = isLeft && (before === undefined || isDone(before));
    done.set(one, isMoved);
    return isMoved;
  };
  return moving.flatMap((one) => {
    const holder = holderOf(isDone(one) && one.to !== null ? one.to : one.from);
    return holder === undefined ? [] : [[one.address, holder.id] as const];
  });
}

/** The times of a copy and of what is in it may be told so far apart. */
const COPY_MS = 60_000;

/** What is live below `parent` without what was made there after it was: that cannot have come along. */
export function cameAlong(parent: LiveResource | undefined, live: readonly LiveResource[]): readonly LiveResource[] {
  const madeAtMs = parent?.createdAtMs ?? Infinity;
  return live.filter(({ createdAtMs }) => (createdAtMs ?? -Infinity) <= madeAtMs + COPY_MS);
}

/** What stands where such a step is to bring its target, or has what the plan's own creation takes over, and is nobody's whom the plan knows. `resolved` is the step with the ids that are known. */
export function inTheWay(
  run: Run,
  step: Step,
  { resolved, live, targets }: { resolved: Step; live: readonly LiveResource[]; targets: ReadonlySet<ResourceId> },
): Assessment | null {
  const { canonical } = kindOf(run, step);
  const { expects } = resolved;
  if (expects.state === 'present' && isUnseen(expects) && expects.joins !== null) {
    const [stranger] = strangersIn(expects.joins, live, { claimed: targets, canonical });
    return stranger === undefined ? null : { state: 'stale', reason: strangerWords(stranger) };
  }
  const from = placeOfInherited(step);
  const to =
    from === null || isUnborn(resolved) ? null : resolved.achieves && picked(resolved.achieves, Object.keys(from));
  if (from === null || to === null || shows(to, from, canonical)) return null;
  const holder = live.find(({ id, spec }) => !targets.has(id) && shows(spec, to, canonical));
  return holder === undefined ? null : { state: 'stale', reason: strangerWords(holder) };
}

/**
 * What such a step finds where its parent is and its target is not: nothing left to remove, nothing to change, or in its place something
 * that did not come along. Null for any other step.
 */
export function notAlong(
  run: Run,
  step: Step,
  live: readonly LiveResource[],
): Exclude<Assessment, { readonly state: 'ready' }> | null {
  const where = placeOfInherited(step);
  if (where === null || isUnborn(step)) return null;
  const later = live.find(({ spec }) => shows(spec, where, kindOf(run, step).canonical));
  if (later !== undefined) return { state: 'stale', reason: strangerWords(later) };
  if (step.achieves === null) return { state: 'satisfied', id: null };
  const words = Object.entries(where).map(([name, value]) => `${name} ${canonicalJson(value)}`);
  return { state: 'stale', reason: `the parent does not have the expected resource: ${words.join(', ')}` };
}

/** What the target of such a step shows when its parent has been made; null for any other step. */
function placeOfInherited({ address, expects }: Step): JsonObject | null {
  const isToCome = expects.state === 'present' && expects.id === placeholderOf(address) && !isUnseen(expects);
  return isToCome ? (expects.joins?.where ?? null) : null;
}

/** Finds the id that the step waits for and tells the run: then null, else how the step ends. Rejects only for a bug of ours. */
export async function findInherited(run: Run, step: Step): Promise<StepEnd | null> {
  try {
    const gone = notAlong(run, step, []);
    if (gone !== null) {
      if (await learnId(run, step)) return null;
      return gone.state === 'satisfied' ? satisfiedBy(gone) : { end: 'stale', reason: gone.reason };
    }
  } catch (error) {
    if (run.use.signals.admission.aborted) return { end: 'not_started' };
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 401) run.tell.halt('unauthorized');
    return unreadBecause(step, error);
  }
  const message = 'this resource refers to another resource, whose id did not become known';
  return failedBecause(step, 'reference_unknown', message, 'Run trueup apply again.');
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
