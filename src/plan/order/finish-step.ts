// Makes steps: the requests of a change, the slots that each step leaves and takes, and the states that each expects and achieves.
import { homeOf, identityOf, namedAs, namedBy, placedBy, poolOf } from '../../model/attributes.ts';
import { unreachable } from '../../base/assert.ts';
import { compareText, jsonEqual, textOf, type JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Expectation, Pool, Step, StepAction, StepId } from '../../model/outcome/plan.ts';
import { movedTo } from '../match/match-state.ts';
import { removalOf, takesAway, type Draft, requestOf } from '../diff/draft.ts';
import type { StepPart } from '../kind-rules.ts';
import { defined, picked } from '../../base/picked.ts';
import { isAlong, nameIn, placeIn, type Scope } from '../scope.ts';
import { isIdToCome, placeholderOf, mergeDeep } from '../../model/values.ts';
import { sinksOf, type ResourceId } from '../../model/desired.ts';
import { drops } from '../../model/outcome/impact.ts';

export interface StepDraft {
  readonly id: StepId;
  readonly draft: Draft;
  readonly action: StepAction;
  readonly target: LiveResource | null;
  /** The whole spec before and after; null while the resource does not exist. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  readonly send: JsonObject;
  readonly part: Pick<StepPart, 'waitsFor' | 'takesOver'>;
}

/** Returns the steps of a change in order; the two steps of a replacement may run in either order. `detours`: keys of the moves through `via`. */
export function stepDraftsOf(draft: Draft, detours: ReadonlySet<string>): StepDraft[] {
  const { change, live, specAfter, send, key } = draft;
  const before = live?.spec ?? null;
  const removal = removalOf(draft.scope.rules);
  const step = (action: StepAction, own: Partial<StepDraft> = {}): StepDraft => ({
    id: key,
    draft,
    action,
    target: live,
    before,
    after: specAfter,
    send,
    part: {},
    ...own,
  });
  switch (change.action) {
    case 'none':
      return [];
    case 'replace': {
      const removed = step(removal, { id: `${removal}:${change.address}`, after: null, send: {} });
      if (draft.successor !== null) return [removed];
      return [removed, step('create', { id: `create:${change.address}`, target: null, before: null })];
    }
    case 'move':
      return detours.has(key) ? throughVia(draft, step) : [step('move')];
    case 'create':
    case 'update':
      return inParts(draft, change.action, step);
    case 'rotate':
      // With a live resource, the rotation resets the secret of this resource; any other rotation creates a successor.
      return [step(live === null ? 'rotate' : 'update')];
    case 'restart':
    case 'delete':
    case 'revoke':
      return [step(change.action)];
    default:
      return unreachable(change.action);
  }
}

function inParts(
  { scope, change, specAfter, send, live }: Draft,
  action: 'create' | 'update',
  step: (action: StepAction, own?: Partial<StepDraft>) => StepDraft,
): StepDraft[] {
  const parts = scope.rules.parts?.(action, send, isAlong(scope, change.address)) ?? [];
  if (parts.length < 2) return [step(action, { part: parts[0] ?? {} })];
  let before = live?.spec ?? null;
  return parts.map((part, at) => {
    const { name, attributes } = part;
    const after = at === parts.length - 1 ? specAfter : mergeDeep(before ?? {}, attributes);
    const own = { before, after, send: attributes, part };
    before = after;
    return at === 0 ? step(action, own) : step('update', { ...own, id: `${name}:${change.address}` });
  });
}

function throughVia(draft: Draft, step: (action: StepAction, own: Partial<StepDraft>) => StepDraft): StepDraft[] {
  const via = viaSpecOf(draft) ?? {};
  const { rules } = draft.scope;
  const moving = placedBy(rules)?.attribute ?? '';
  return [
    step('move', { id: `detour:${draft.change.address}`, after: via, send: picked(via, [moving]) }),
    step('move', { before: via }),
  ];
}

export function viaSpecOf({ desired, live, scope }: Draft): JsonObject | null {
  const via = desired?.lifecycle.via ?? null;
  return via === null || live === null ? null : movedTo(scope, live.spec, via);
}

function isMaking({ target, before }: StepDraft): boolean {
  return target === null && before === null;
}

export function comesAlong(step: StepDraft): boolean {
  return isMaking(step) && isAlong(step.draft.scope, step.draft.change.address);
}

export function placeBefore({ draft, before }: StepDraft): string | null {
  return placeIn(draft.scope, before);
}

export function placeAfter({ draft, after }: StepDraft): string | null {
  return placeIn(draft.scope, after);
}

export function formerOf({ desired, scope }: Draft, spec: JsonObject): JsonObject | null {
  const name = desired?.movedFrom ?? null;
  return name === null || placedBy(scope.rules)?.isName !== true ? null : movedTo(scope, spec, name);
}

/** Returns the ids of all resources in the same pool as `spec` (see `poolOf`): those in it now, and those that a step of the plan puts into it. */
export type PoolMembers = (scope: Scope, spec: JsonObject) => readonly ResourceId[];

export function poolMembers(steps: readonly StepDraft[]): PoolMembers {
  const keyOf = (scope: Scope, spec: JsonObject): string =>
    JSON.stringify([scope.parent?.address ?? scope.label, scope.rules.kind, poolOf(scope.rules, spec)]);
  const pools = new Map<string, Set<ResourceId>>();
  const add = (scope: Scope, spec: JsonObject, id: ResourceId): void => {
    const key = keyOf(scope, spec);
    pools.set(key, (pools.get(key) ?? new Set()).add(id));
  };
  for (const scope of new Set(steps.map(({ draft }) => draft.scope)))
    for (const { id, spec } of scope.live) add(scope, spec, id);
  for (const { draft, target, after } of steps)
    if (target !== null && after !== null) add(draft.scope, after, target.id);
  return (scope, spec) => [...(pools.get(keyOf(scope, spec)) ?? [])].sort();
}

export function finishStep(step: StepDraft, needs: readonly StepId[], members: PoolMembers): Step {
  const { id, draft, action, target, before, after, send } = step;
  const { address } = draft.change;
  const { rules, projectId, parent, along, label } = draft.scope;
  const { kind } = rules;
  const parentId =
    parent === null ? homeOf(rules, target?.spec ?? after ?? {}) : (parent.id ?? placeholderOf(parent.address));
  const { method, path, body } = requestOf(rules, action, {
    projectId,
    parentId,
    // Later requests of a creation act on the resource that the first one creates.
    id: target?.id ?? (before === null ? null : placeholderOf(address)),
    attributes: send,
    live: target,
    ...defined({ set: draft.desired?.set, within: along?.within }),
  });
  return {
    id,
    address,
    kind,
    action,
    projectId,
    ...(parentId === null ? {} : { parentId }),
    ...(comesAlong(step) ? { with: label } : {}),
    method,
    path,
    body,
    needs,
    expects: expectationOf(step, members),
    achieves: after === null ? null : isMaking(step) ? send : mergeDeep(picked(after, identityOf(rules)), send),
    options: optionsOf(step),
  };
}

const KEEPS_SECRET: ReadonlySet<StepAction> = new Set(['create', 'update', 'rotate']);

function optionsOf({ draft: { desired, options }, action, part: { takesOver = false } }: StepDraft): JsonObject {
  const sinks = desired === null || !KEEPS_SECRET.has(action) ? [] : sinksOf(desired);
  return { ...options, ...(sinks.length === 0 ? {} : { secret: sinks }), ...(takesOver ? { last: true } : {}) };
}

function expectationOf(step: StepDraft, members: PoolMembers): Expectation {
  const { draft, target, after } = step;
  const { change, scope, expect, restsOn } = draft;
  const { rules, around } = scope;
  const joins = (spec: JsonObject): Pool => ({ where: poolOf(rules, spec), known: members(scope, spec) });
  if (isMaking(step)) {
    const former = formerOf(draft, after ?? {});
    return { state: 'absent', joins: joins(after ?? {}), ...(former === null ? {} : { former: joins(former) }) };
  }
  if (target === null)
    return {
      state: 'present',
      id: placeholderOf(change.address),
      attributes: {},
      fingerprint: { lasting: {}, passing: {}, restsOn: [] },
      joins: takenFrom(step),
    };
  const { contents } = rules;
  const isGone = after === null;
  const isLost = isGone || takesAway(change);
  // If the id is not known yet, apply finds the target by its pool. A move may enter a pool only if the plan knows all of its resources.
  const entered = isIdToCome(target.id, change.address) ? target.spec : step.action === 'move' ? after : null;
  return {
    state: 'present',
    id: target.id,
    attributes: expect,
    fingerprint: { ...rules.fingerprint(target), restsOn },
    ...(isLost && contents !== undefined ? { contains: namesById(contents.of(target, around)) } : {}),
    ...(contents !== undefined && (isGone || drops(change)) ? { stake: contents.stake(target, around) } : {}),
    joins: entered === null ? (takenFrom(step) ?? successors(step, target, members)) : joins(entered),
  };
}

/** Returns the pool of resources with the attributes that the step takes over. When the step runs, no new resource may be in the pool. */
function takenFrom({ part: { takesOver = false }, send, draft: { scope } }: StepDraft): Pool | null {
  if (!takesOver) return null;
  const holders = scope.live.filter(({ spec }) => jsonEqual(picked(spec, Object.keys(send)), send));
  return { where: send, known: holders.map(({ id }) => id).sort() };
}

function namesById(resources: readonly LiveResource[]): Readonly<Record<ResourceId, string | null>> {
  const sorted = resources.toSorted((a, b) => compareText(a.id, b.id));
  return Object.fromEntries(sorted.map(({ id, spec }) => [id, textOf(spec['name'])]));
}

/** For `state: absent` without an id, returns the pool that the resource would be in if somebody re-created it; null for any other step. */
function successors({ draft, after }: StepDraft, { spec }: LiveResource, members: PoolMembers): Pool | null {
  const { desired, scope } = draft;
  if (after !== null || desired?.absent !== true || desired.pin !== null) return null;
  const path = namedBy(scope.rules);
  const name = namedAs(scope.rules, desired);
  const isNamed = path !== null && name !== null && nameIn(scope, spec) === name;
  const where = { ...poolOf(scope.rules, spec), ...(isNamed ? { [path]: name } : {}) };
  return { where, known: members(scope, spec) };
}
