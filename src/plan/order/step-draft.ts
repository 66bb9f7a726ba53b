// Step drafts: the requests of each change, with the slots that each vacates and takes.
import { placedBy } from '../../model/attributes.ts';
import { unreachable } from '../../base/assert.ts';
import type { JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import { mergeDeep } from '../../model/paths.ts';
import type { StepAction, StepId } from '../../model/outcome/plan.ts';
import { movedTo } from '../match/match-state.ts';
import { removalOf, type Draft } from '../diff/draft.ts';
import type { StepPart } from '../kind-rules.ts';
import { picked } from '../../base/picked.ts';
import { isAlong, placeIn } from '../scope.ts';

export interface StepDraft {
  readonly id: StepId;
  readonly draft: Draft;
  readonly action: StepAction;
  /** The target of the request; null for a creation. */
  readonly target: LiveResource | null;
  /** The whole spec before and after; null when the resource does not exist then. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** The attributes that the request sends. */
  readonly send: JsonObject;
  /** The waits of its part, and the attributes that it takes over from another resource. */
  readonly part: Pick<StepPart, 'waitsFor' | 'takesOver'>;
}

/** The steps of a change, in order; the two steps of a replacement are independent. */
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
      // A secret that is reset changes the live resource; else a successor is created.
      return [step(live === null ? 'rotate' : 'update')];
    case 'restart':
    case 'delete':
    case 'revoke':
      return [step(change.action)];
    default:
      return unreachable(change.action);
  }
}

/** The requests of a change. A creation's later requests act on the new resource, whose id is not known yet. */
function inParts(
  { scope, change, specAfter, send, live }: Draft,
  action: 'create' | 'update',
  step: (action: StepAction, own?: Partial<StepDraft>) => StepDraft,
): StepDraft[] {
  const parts = scope.rules.parts?.(action, send, isAlong(scope, change.address)) ?? [];
  if (parts.length < 2) return [step(action, { part: parts[0] ?? {} })];
  const steps: StepDraft[] = [];
  let spec = live?.spec ?? null;
  for (const part of parts) {
    const { name, attributes } = part;
    const isFirst = steps.length === 0;
    const own = { before: spec, after: mergeDeep(spec ?? {}, attributes), send: attributes, part };
    steps.push(isFirst ? step(action, own) : step('update', { ...own, id: `${name}:${change.address}` }));
    spec = own.after;
  }
  return steps.map((one, at) => (at === steps.length - 1 ? { ...one, after: specAfter } : one));
}

/** A move in two steps: to its `via`, and from there with all other changes. */
function throughVia(draft: Draft, step: (action: StepAction, own: Partial<StepDraft>) => StepDraft): StepDraft[] {
  const via = viaSpecOf(draft) ?? {};
  const { rules } = draft.scope;
  const moving = placedBy(rules)?.attribute ?? '';
  return [
    step('move', { id: `detour:${draft.change.address}`, after: via, send: picked(via, [moving]) }),
    step('move', { before: via }),
  ];
}

/** The live spec at `via`; null without one. */
export function viaSpecOf({ desired, live, scope }: Draft): JsonObject | null {
  const via = desired?.lifecycle.via ?? null;
  return via === null || live === null ? null : movedTo(scope, live.spec, via);
}

/** True for a resource that the request of its new project creates. */
export function comesAlong({ draft: { scope, change }, target, before }: StepDraft): boolean {
  return target === null && before === null && isAlong(scope, change.address);
}

export function placeBefore({ draft, before }: StepDraft): string | null {
  return before === null ? null : placeIn(draft.scope, before);
}

export function placeAfter({ draft, after }: StepDraft): string | null {
  return after === null ? null : placeIn(draft.scope, after);
}

/** The spec under the former name; null without one. */
export function formerOf({ desired, scope }: Draft, spec: JsonObject): JsonObject | null {
  const name = desired?.movedFrom ?? null;
  return name === null || placedBy(scope.rules)?.isName !== true ? null : movedTo(scope, spec, name);
}
