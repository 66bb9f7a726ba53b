// Decides on a step by the live resources of its scope: send it, done already, or changed since the plan.
import { canonicalJson, compareText, isJsonObject, jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Expectation, Marks, Pool, Step } from '../../model/outcome/plan.ts';
import { disagreements, shows, type Canonical } from './attributes.ts';
import { valueAt, type Leaf } from '../../model/paths.ts';

/** `done`: the resource `id` shows what the step asks for (null: its target is gone), or `reason` makes the step needless. */
export type Decision =
  | { readonly state: 'send' }
  | { readonly state: 'done'; readonly id: ResourceId | null; readonly reason?: string }
  | { readonly state: 'changed'; readonly reason: string };

export interface AssessContext {
  /** Ids that belong to steps of the run: these are no strangers. */
  readonly claimed: ReadonlySet<ResourceId>;
  readonly canonical: Canonical;
  /** The facts by which a resource is known again. */
  readonly marks: (live: LiveResource) => Marks;
  /** The attributes that earlier steps of this run wrote to the same resource, oldest first. */
  readonly earlier?: readonly JsonObject[];
}

export type Present = Extract<Expectation, { readonly state: 'present' }>;
type Absent = Extract<Expectation, { readonly state: 'absent' }>;

const SEND: Decision = { state: 'send' };

/** Compares the attributes, the lasting facts, and the passing facts that the step rests on; other runtime noise does not count. */
export function assessStep(step: Step, live: readonly LiveResource[], context: AssessContext): Decision {
  return step.expects.state === 'present'
    ? assessPresent(step, step.expects, live, context)
    : assessAbsent(step, step.expects, live, context);
}

function assessPresent(step: Step, expects: Present, live: readonly LiveResource[], context: AssessContext): Decision {
  const target = live.find((resource) => resource.id === expects.id);
  const strangers = expects.joins === null ? [] : strangersIn(expects.joins, live, context);
  if (target === undefined)
    return step.achieves === null
      ? assessGone(expects.id, strangers)
      : { state: 'changed', reason: `${expects.id} no longer exists` };
  const otherwise = markedOtherwise(expects, target, context);
  if (otherwise !== null) return { state: 'changed', reason: otherwise };
  const changed = changedSince(expects.attributes, target.spec, context.canonical).filter(
    (leaf) => !madeEarlier(leaf, target.spec, context),
  );
  if (changed.length > 0)
    return hasAchieved(step, target, context.canonical)
      ? { state: 'done', id: target.id }
      : { state: 'changed', reason: differenceWords(expects.id, changed, target.spec) };
  // The plan could not describe the resource, so it may be satisfied already.
  if (isUnseen(expects) && step.achieves !== null && shows(target.spec, step.achieves, context.canonical))
    return { state: 'done', id: target.id };
  const inTheWay = step.achieves === null ? undefined : strangers.find((resource) => resource.id !== expects.id);
  return inTheWay === undefined ? SEND : { state: 'changed', reason: strangerWords(inTheWay) };
}

/** The target of a removal is gone, unless somebody re-created it under another id. */
function assessGone(id: ResourceId, [stranger]: readonly LiveResource[]): Decision {
  if (stranger === undefined) return { state: 'done', id: null };
  return {
    state: 'changed',
    reason: `the resource ${id} no longer exists, and ${stranger.id}, which the plan does not know, has taken its slot`,
  };
}

/** True if the plan creates the resource and could not describe it. */
export function isUnseen({ attributes, fingerprint: { lasting, passing } }: Present): boolean {
  return [attributes, lasting, passing].every((facts) => Object.keys(facts).length === 0);
}

/** The first fact that differs from the plan, in words; null if none does. */
function markedOtherwise(
  { id, fingerprint }: Present,
  target: LiveResource,
  { marks }: Pick<AssessContext, 'marks'>,
): string | null {
  const { lasting, passing } = marks(target);
  const found = { ...passing, ...lasting };
  const rests = fingerprint.restsOn.map((name): [string, Json] => [name, fingerprint.passing[name] ?? null]);
  const changed = [...Object.entries(fingerprint.lasting), ...rests].find(
    ([name, value]) => !jsonEqual(value, found[name] ?? null),
  );
  if (changed === undefined) return null;
  const [name, value] = changed;
  const words = `its ${name} is ${canonicalJson(found[name] ?? null)}, the plan has ${canonicalJson(value)}`;
  return name in fingerprint.lasting ? `${id} is not the resource that the plan shows: ${words}` : `${id}: ${words}`;
}

/** The differences from the expected attributes. A new member of an attribute is one too, because the service replaces the whole attribute. */
function changedSince(expected: JsonObject, spec: JsonObject, canonical: Canonical): readonly Leaf[] {
  const wholes = Object.keys(expected).filter((name) => isJsonObject(expected[name]));
  const shown = Object.fromEntries(wholes.map((name) => [name, spec[name] ?? null]));
  const fresh = disagreements(shown, expected, canonical).filter(
    ({ segments }) => valueAt(expected, segments) === undefined,
  );
  return [
    ...disagreements(expected, spec, canonical),
    ...fresh.map(({ path, segments }) => ({ path, segments, value: null })),
  ];
}

/** True if an earlier step of the run wrote the value. */
function madeEarlier(leaf: Leaf, spec: JsonObject, { earlier = [], canonical }: AssessContext): boolean {
  const maker = earlier.findLast((made) => valueAt(made, leaf.segments) !== undefined);
  if (maker === undefined) return false;
  const made = canonical(leaf.path, valueAt(maker, leaf.segments));
  return canonicalJson(made) === canonicalJson(canonical(leaf.path, valueAt(spec, leaf.segments)));
}

/** Whether `target` shows the result of the step; no attribute shows a restart, or values that are sent again after a failure. */
function hasAchieved(step: Step, target: LiveResource | undefined, canonical: Canonical): boolean {
  if (step.achieves === null) return target === undefined;
  if (target === undefined || !changesAttributes(step, canonical)) return false;
  return shows(target.spec, step.achieves, canonical);
}

function changesAttributes(step: Step, canonical: Canonical): boolean {
  if (step.achieves === null || step.expects.state === 'absent') return true;
  return disagreements(step.achieves, step.expects.attributes, canonical).length > 0;
}

function assessAbsent(
  step: Step,
  { joins, former }: Absent,
  live: readonly LiveResource[],
  context: AssessContext,
): Decision {
  const strangers = strangersIn(joins, live, context);
  const match = strangers.find((resource) => shows(resource.spec, step.achieves ?? {}, context.canonical));
  if (match !== undefined) return { state: 'done', id: match.id };
  const [stranger] = strangers;
  if (stranger !== undefined) return { state: 'changed', reason: strangerWords(stranger) };
  const [source] = former === undefined ? [] : strangersIn(former, live, context);
  if (source === undefined) return SEND;
  return { state: 'changed', reason: `the resource ${source.id}, which the plan does not know, has the former name` };
}

/** The members of the pool that neither the plan nor this run knows, oldest first. */
export function strangersIn(
  pool: Pool,
  live: readonly LiveResource[],
  { claimed, canonical }: Pick<AssessContext, 'claimed' | 'canonical'>,
): readonly LiveResource[] {
  return live
    .filter((resource) => !claimed.has(resource.id) && !pool.known.includes(resource.id))
    .filter((resource) => shows(resource.spec, pool.where, canonical))
    .sort((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id));
}

export function strangerWords(resource: LiveResource): string {
  return `the resource ${resource.id}, which the plan does not know, has taken the slot`;
}

function differenceWords(id: ResourceId, changed: readonly Leaf[], spec: JsonObject): string {
  const parts = changed.slice(0, 3).map((leaf) => {
    const found = canonicalJson(valueAt(spec, leaf.segments) ?? null);
    return `${leaf.path} is ${found}, the plan expects ${canonicalJson(leaf.value)}`;
  });
  return `${id} has changed: ${parts.join('; ')}${changed.length > 3 ? ' …' : ''}`;
}
