// Decides from the live state whether one step is sent, is already done, or no longer fits.
import {
  canonicalJson,
  isJsonObject,
  jsonEqual,
  textOf,
  type Json,
  type JsonObject,
  compareText,
} from '../../base/json.ts';
import { listOf, plural } from '../../base/text/words.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import type { Expectation, Step, Pool } from '../../model/outcome/plan.ts';
import { isIdToCome, isReference, valueAt, type Leaf, leavesOf } from '../../model/values.ts';
import { sameAt } from '../../plan/diff/difference.ts';
import { kindOf, targetIdOf, type Decision, type Run } from '../run/run.ts';

/** The live state that was read for a step; a member that was not read is missing and not compared. */
export interface Reading {
  readonly live: readonly LiveResource[];
  /** Resources of the same project, among them the contents of the step's target. */
  readonly around?: readonly LiveResource[] | undefined;
  readonly log?: readonly OperationRecord[] | null;
  /** The attributes that earlier steps wrote to the target of the step, oldest first. */
  readonly earlier?: readonly JsonObject[];
}

type Present = Extract<Expectation, { readonly state: 'present' }>;
type Absent = Extract<Expectation, { readonly state: 'absent' }>;

const SEND: Decision = { state: 'send' };

/** Decides whether the step is sent, done or changed. Facts that change by themselves (`passing`) count only if `restsOn` names them. */
export function decide(run: Run, step: Step, reading: Reading): Decision {
  const { expects } = step;
  return expects.state === 'present'
    ? decideOn(run, step, expects, reading)
    : decideCreation(run, step, expects, reading);
}

function decideCreation(run: Run, step: Step, { joins, former }: Absent, { live }: Reading): Decision {
  const strangers = strangersIn(run, step, joins, live);
  const match = strangers.find(({ spec }) => shows(kindOf(run, step), spec, step.achieves ?? {}));
  if (match !== undefined) return { state: 'done', id: match.id };
  if (strangers[0] !== undefined) return taken(strangers[0]);
  const [source] = former === undefined ? [] : strangersIn(run, step, former, live);
  if (source === undefined) return SEND;
  return changed(`the resource ${source.id}, which the plan does not know, has the former name`);
}

function decideOn(run: Run, step: Step, expects: Present, reading: Reading): Decision {
  const kind = kindOf(run, step);
  const { achieves } = step;
  const { id, joins } = expects;
  const { live, earlier = run.made.get(id) ?? [] } = reading;
  const target = live.find((one) => one.id === id);
  const strangers = joins === null ? [] : strangersIn(run, step, joins, live);
  const inTheWay = achieves === null ? undefined : strangers.find((one) => one.id !== id);
  if (target === undefined) {
    if (isIdToCome(id, step.address)) return inTheWay === undefined || !isUnseen(expects) ? SEND : taken(inTheWay);
    return achieves === null ? decideGone(id, strangers) : changed(`${id} no longer exists`);
  }
  const { lasting, passing } = kind.fingerprint(target);
  const other = otherFact(expects, { ...passing, ...lasting });
  if (other !== null) return changed(other);
  const { spec } = target;
  const isSame: IsSame = (leaf, of) => sameAt(kind, leaf, of);
  const differences = differencesFrom(expects.attributes, spec, isSame).filter(
    (leaf) => !isWritten(leaf, spec, earlier, isSame),
  );
  // Attributes prove a step done only if the step changes values and some live values differ from the plan, or if the plan knew none.
  const mayBeDone =
    achieves !== null &&
    (isUnseen(expects) || (differences.length > 0 && disagreements(achieves, expects.attributes, isSame).length > 0));
  if (mayBeDone && shows(kind, spec, achieves)) return { state: 'done', id };
  if (differences.length > 0) return changed(`${id} has changed: ${wordsOf(differences, spec)}`);
  if (inTheWay !== undefined) return taken(inTheWay);
  const grown = reading.around === undefined ? null : grownIn(run, step, target, reading.around);
  if (grown !== null) return changed(grown);
  const needless = kind.needless?.(step, target, reading.log ?? []) ?? null;
  return needless === null ? SEND : { state: 'done', id, reason: needless };
}

/** Decides on a removal whose target is gone: done, unless somebody re-created the target under another id. */
function decideGone(id: ResourceId, [stranger]: readonly LiveResource[]): Decision {
  if (stranger === undefined) return { state: 'done', id: null };
  const reason = `the resource ${id} no longer exists, and ${stranger.id}, which the plan does not know, has taken the slot`;
  return changed(reason);
}

function changed(reason: string): Decision {
  return { state: 'changed', reason };
}

function taken({ id }: LiveResource): Decision {
  return changed(`the resource ${id}, which the plan does not know, has taken the slot`);
}

/** True if the plan could not describe the resource, because the creation of the parent also creates the resource. */
export function isUnseen({ attributes, fingerprint: { lasting, passing } }: Present): boolean {
  return [attributes, lasting, passing].every((facts) => Object.keys(facts).length === 0);
}

function otherFact({ id, fingerprint }: Present, found: JsonObject): string | null {
  const { lasting, passing, restsOn } = fingerprint;
  const rests = restsOn.map((name): [string, Json] => [name, passing[name] ?? null]);
  const other = [...Object.entries(lasting), ...rests].find(([name, value]) => !jsonEqual(value, found[name] ?? null));
  if (other === undefined) return null;
  const [name, value] = other;
  const words = `${name} is ${canonicalJson(found[name] ?? null)}, but the plan has ${canonicalJson(value)}`;
  return name in lasting ? `${id} is not the resource that the plan shows: ${words}` : `${id}: ${words}`;
}

/** Returns the leaves that differ. In an object, an unexpected live member differs, too, because a request replaces the whole object. */
function differencesFrom(expected: JsonObject, spec: JsonObject, isSame: IsSame): readonly Leaf[] {
  const wholes = Object.keys(expected).filter((name) => isJsonObject(expected[name]));
  const shown = Object.fromEntries(wholes.map((name) => [name, spec[name] ?? null]));
  const fresh = disagreements(shown, expected, isSame).filter(
    ({ segments }) => valueAt(expected, segments) === undefined,
  );
  return [...disagreements(expected, spec, isSame), ...fresh.map((leaf) => ({ ...leaf, value: null }))];
}

function isWritten(leaf: Leaf, spec: JsonObject, earlier: readonly JsonObject[], isSame: IsSame): boolean {
  const value = earlier.map((made) => valueAt(made, leaf.segments)).findLast((written) => written !== undefined);
  return value !== undefined && isSame({ ...leaf, value }, spec);
}

/** Returns how two bodies differ, in words. */
export function differenceWords(expected: JsonObject, found: JsonObject): string {
  const isSame: IsSame = ({ segments, value }, of) => jsonEqual(value, valueAt(of, segments) ?? null);
  return wordsOf(differencesFrom(expected, found, isSame), found);
}

function wordsOf(differences: readonly Leaf[], found: JsonObject): string {
  const parts = differences.slice(0, NAMED).map(({ path, segments, value }) => {
    const is = canonicalJson(valueAt(found, segments) ?? null);
    return `${path} is ${is}, but the plan expects ${canonicalJson(value)}`;
  });
  return `${parts.join('; ')}${differences.length > NAMED ? ' …' : ''}`;
}

const NAMED = 3;

/** Returns how the contents of the target differ from the contents in the plan, else null. The reviewer agreed to lose only those in the plan. */
function grownIn(run: Run, step: Step, target: LiveResource, around: readonly LiveResource[]): string | null {
  const { expects, achieves } = step;
  const { contents } = kindOf(run, step);
  if (contents === undefined || expects.state === 'absent' || expects.contains === undefined) return null;
  const known = new Map(Object.entries(expects.contains));
  const unlike = contents.of(target, around).filter(({ id, spec }) => known.get(id) !== textOf(spec['name']));
  const strange = achieves === null ? unlike : strangersAmong(run, step, unlike);
  if (strange.length === 0) return null;
  const names = strange.slice(0, NAMED).map(({ kind, id, spec }) => {
    const former = known.get(id);
    const was = former === undefined ? 'new' : former === null ? 'without a name in the plan' : `formerly ${former}`;
    return `the ${kind} ${textOf(spec['name']) ?? id} (${was})`;
  });
  const more = strange.length - names.length;
  const words = listOf([...names, ...(more === 0 ? [] : [plural(more, 'other')])]);
  return `the contents of ${target.id} changed since the plan was made: ${words}`;
}

/** Returns `unlike` without resources that the run claims or may create in the target. A creation without a name may get any name. */
function strangersAmong({ claims, plan }: Run, step: Step, unlike: readonly LiveResource[]): readonly LiveResource[] {
  const target = targetIdOf(step);
  const isIn = (one: Step): boolean =>
    one.address.startsWith(`${step.address}/`) || Object.values(one.achieves ?? {}).includes(target);
  const creations = plan.steps.filter((one) => one.action === 'create' && isIn(one));
  const isMade = ({ kind, spec }: LiveResource): boolean =>
    creations.some((one) => one.kind === kind && [null, textOf(spec['name'])].includes(textOf(one.achieves?.['name'])));
  return unlike.filter((one) => !claims.has(one.id) && !isMade(one));
}

type IsSame = (leaf: Leaf, of: JsonObject) => boolean;

/** Returns the leaves of `wanted` that `spec` lacks or has with another meaning; an empty object in `wanted` demands nothing. */
function disagreements(wanted: JsonObject, spec: JsonObject, isSame: IsSame): readonly Leaf[] {
  return leavesOf(wanted).filter(
    (leaf) => (!isJsonObject(leaf.value) || isReference(leaf.value)) && !isSame(leaf, spec),
  );
}

export function shows(kind: Parameters<typeof sameAt>[0], spec: JsonObject, wanted: JsonObject): boolean {
  return disagreements(wanted, spec, (leaf, of) => sameAt(kind, leaf, of)).length === 0;
}

/** Returns the live resources in the pool that neither the plan nor this run knows, oldest first. */
export function strangersIn(
  run: Run,
  step: Step,
  { where, known }: Pool,
  live: readonly LiveResource[],
): readonly LiveResource[] {
  const kind = kindOf(run, step);
  return live
    .filter(({ id, spec }) => !run.claims.has(id) && !known.includes(id) && shows(kind, spec, where))
    .sort((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id));
}
