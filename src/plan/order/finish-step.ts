// Turns a step draft into a step of the plan: its request, its expectations and its results.
import { homeOf, namedAs, namedBy, identityOf, poolOf } from '../../model/attributes.ts';
import { compareText, jsonEqual, textOf, type JsonObject } from '../../base/json.ts';
import { PROJECT } from '../../model/kind.ts';
import { mergeDeep } from '../../model/paths.ts';
import { isIdToCome, placeholderOf } from '../../model/reference.ts';
import { sinksOf, type ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Expectation, Pool, Step, StepAction, StepId } from '../../model/outcome/plan.ts';
import { requestOf, takesAway } from '../diff/draft.ts';
import { picked } from '../../base/picked.ts';
import { groupBy } from '../../base/group-by.ts';
import { drops } from '../guard/protection.ts';
import type { Matching } from '../match/matching.ts';
import { nameIn, type Scope } from '../scope.ts';
import { comesAlong, formerOf, type StepDraft } from './step-draft.ts';

/** Ids in the pool of a spec, now or by this plan. */
export type PoolMembers = (scope: Scope, spec: JsonObject) => readonly ResourceId[];

interface Member {
  readonly key: string;
  readonly id: ResourceId;
}

/** Returns the members of any pool: live ones, and those that the steps move there. */
export function poolMembers(matchings: readonly Matching[], steps: readonly StepDraft[]): PoolMembers {
  const keyOf = (scope: Scope, spec: JsonObject): string =>
    JSON.stringify([scope.parent?.address ?? scope.label, scope.rules.kind, poolOf(scope.rules, spec)]);
  const members: Member[] = [
    ...matchings.flatMap(({ scope }) => scope.live.map(({ id, spec }) => ({ key: keyOf(scope, spec), id }))),
    ...steps.flatMap(({ draft, target, after }) =>
      target === null || after === null ? [] : [{ key: keyOf(draft.scope, after), id: target.id }],
    ),
  ];
  const pools = groupBy(members, ({ key }) => key);
  return (scope, spec) => [...new Set((pools.get(keyOf(scope, spec)) ?? []).map(({ id }) => id))].sort();
}

export function finishStep(step: StepDraft, needs: readonly StepId[], members: PoolMembers): Step {
  const { draft, action, target, send } = step;
  const { rules, projectId, parent, along } = draft.scope;
  const isMaking = target === null && step.before === null;
  const parentId =
    parent === null ? homeOf(rules, target?.spec ?? step.after ?? {}) : (parent.id ?? placeholderOf(parent.address));
  const request = requestOf(rules, action, {
    projectId,
    parentId,
    // Later requests of a creation act on the result of its first one.
    id: target?.id ?? (step.before === null ? null : placeholderOf(draft.change.address)),
    attributes: send,
    live: target,
    ...(isMaking && rules.kind === PROJECT && along !== null ? { within: along.within } : {}),
  });
  return {
    id: step.id,
    address: draft.change.address,
    kind: rules.kind,
    action,
    projectId,
    ...(parentId === null ? {} : { parentId }),
    ...(comesAlong(step) ? { with: draft.scope.label } : {}),
    method: request.method,
    path: request.path,
    body: request.body,
    needs,
    expects: expectationOf(step, members),
    achieves: achievementOf(step),
    options: optionsOf(step),
  };
}

const KEEPS_SECRET: ReadonlySet<StepAction> = new Set(['create', 'update', 'rotate']);

/** The sinks of the secret that the step may create, and the options of its intent. */
function optionsOf({ draft: { desired, options }, action, part: { takesOver = false } }: StepDraft): JsonObject {
  const sinks = desired === null || !KEEPS_SECRET.has(action) ? [] : sinksOf(desired);
  return { ...options, ...(sinks.length === 0 ? {} : { secret: sinks }), ...(takesOver ? { last: true } : {}) };
}

function expectationOf(step: StepDraft, members: PoolMembers): Expectation {
  const { draft, target, after } = step;
  const { rules } = draft.scope;
  const joins = (spec: JsonObject): Pool => ({ where: poolOf(rules, spec), known: members(draft.scope, spec) });
  if (target === null && step.before === null) {
    const former = formerOf(draft, after ?? {});
    return { state: 'absent', joins: joins(after ?? {}), ...(former === null ? {} : { former: joins(former) }) };
  }
  if (target === null)
    return {
      state: 'present',
      id: placeholderOf(draft.change.address),
      attributes: {},
      fingerprint: { lasting: {}, passing: {}, restsOn: [] },
      joins: takenFrom(step),
    };
  return {
    state: 'present',
    id: target.id,
    attributes: draft.expect,
    fingerprint: { ...rules.fingerprint(target), restsOn: draft.restsOn },
    ...((after === null || takesAway(draft.change)) && rules.contents !== undefined
      ? {
          contains: namesById(rules.contents.of(target, draft.scope.around)),
          ...(after === null || drops(draft.change) ? { stake: rules.contents.stake(target, draft.scope.around) } : {}),
        }
      : {}),
    joins: whereOf(step, target, joins) ?? takenFrom(step) ?? successors(step, target, members),
  };
}

/** The holders of the attributes that the step takes over: at that time no other resource may have them. */
function takenFrom({ part: { takesOver = false }, send, draft: { scope } }: StepDraft): Pool | null {
  if (!takesOver) return null;
  const holders = scope.live.filter(({ spec }) => jsonEqual(picked(spec, Object.keys(send)), send));
  return { where: send, known: holders.map(({ id }) => id).sort() };
}

/** The pool that a move enters; for a resource without an id yet, the pool in which it is looked for. */
function whereOf(
  { draft, action, after }: StepDraft,
  { id, spec }: LiveResource,
  joins: (spec: JsonObject) => Pool,
): Pool | null {
  if (isIdToCome(id, draft.change.address)) return joins(spec);
  return action === 'move' && after !== null ? joins(after) : null;
}

function namesById(resources: readonly LiveResource[]): Readonly<Record<ResourceId, string | null>> {
  const sorted = resources.toSorted((a, b) => compareText(a.id, b.id));
  return Object.fromEntries(sorted.map(({ id, spec }) => [id, textOf(spec['name'])]));
}

/** For a removal, the pool that somebody else's successor would join; null if the file names an id. */
function successors({ draft, after }: StepDraft, { spec }: LiveResource, members: PoolMembers): Pool | null {
  const { desired, scope } = draft;
  if (after !== null || desired?.absent !== true || desired.pin !== null) return null;
  const path = namedBy(scope.rules);
  const name = namedAs(scope.rules, desired);
  const isNamed = path !== null && name !== null && nameIn(scope, spec) === name;
  const where = { ...poolOf(scope.rules, spec), ...(isNamed ? { [path]: name } : {}) };
  return { where, known: members(scope, spec) };
}

function achievementOf({ draft, before, target, after, send }: StepDraft): JsonObject | null {
  if (after === null) return null;
  if (target === null && before === null) return send;
  return mergeDeep(picked(after, identityOf(draft.scope.rules)), send);
}
