// Makes steps wait for each other: a resource is created after its parent and the resources that it refers to, and removed before them.
import type { Json, JsonObject } from '../../base/json.ts';
import { groupBy } from '../../base/group-by.ts';
import { listed } from '../../base/picked.ts';
import { copiedFrom, referencesOf, type ReferenceRule } from '../../model/attributes.ts';
import { PROJECT } from '../../model/kind.ts';
import type { Step, StepId } from '../../model/outcome/plan.ts';
import { isReference, isUnborn } from '../../model/values.ts';
import { MAKES_SECRET, removalOf, type Draft } from '../diff/draft.ts';
import type { Scope } from '../scope.ts';
import type { StepDraft } from './finish-step.ts';

/** Returns a text that identifies the resource to which `value` refers in this scope. */
export function nameOf({ projectId, parent }: Scope, { kind, field, among }: ReferenceRule, value: string): string {
  return JSON.stringify([projectId ?? '', among === 'siblings' ? (parent?.address ?? '') : null, kind, field, value]);
}

/** Returns the texts that identify a resource of the scope by any of these values. */
export function namesWith(scope: Scope, values: JsonObject): readonly string[] {
  const { kind } = scope.rules;
  return Object.entries(values).flatMap(([field, value]) =>
    typeof value !== 'string'
      ? []
      : (['siblings', 'project'] as const).map((among) => nameOf(scope, { kind, field, among }, value)),
  );
}

export function referenceNeeds(steps: readonly StepDraft[], need: Need): void {
  const coming = byName(steps, (step) => newNames(step, step.before, step.after));
  // Only a removal waits for the steps that stop referring to its resource. A rename does not wait, because the resource stays.
  const going = byName(steps, (step) => (step.after === null ? newNames(step, null, step.before) : []));
  const below = byName(steps, ({ after, draft: { scope } }) =>
    after === null || scope.parent === null ? [] : [scope.parent.address, keyOf(scope.parent.id)],
  );
  const changing = byName(steps, ({ before, after, part, target, draft }) =>
    // A step with `waitsFor: 'users'` runs after the steps on resources that refer to its own, so those steps must not wait for it.
    before === null || after === null || part.waitsFor === 'users'
      ? []
      : [target === null ? draft.change.address : keyOf(target.id)],
  );
  for (const step of steps) {
    const { scope } = step.draft;
    const after = restsOn(scope, step.after);
    // A parent that is created as a copy inherits contents. A step that removes inherited contents waits until the parent exists.
    const unborn = scope.parent?.id === null ? [scope.parent.address] : [];
    for (const first of named(coming, step.after === null ? unborn : after)) need(step, first);
    const left = restsOn(scope, step.before).filter((name) => !after.includes(name));
    for (const last of named(going, left)) need(last, step);
    if (step.before !== null || step.after === null) continue;
    // A new copy waits for the steps that create or change contents of its origin, the resource that it copies.
    const origin = copiedFrom(scope.rules, step.after, scope.live);
    for (const first of origin === null ? [] : named(below, [keyOf(origin)])) need(step, first);
    for (const [path, { after: paths = [] }] of Object.entries(referencesOf(scope.rules)))
      for (const first of named(changing, [keyOf(step.after[path] ?? origin)]))
        if (paths.some((one) => first.send[one] !== undefined)) need(step, first);
  }
}

function keyOf(value: Json): string {
  return isReference(value) ? value.ref : `#${String(value)}`;
}

type ByName = ReadonlyMap<string, readonly StepDraft[]>;

function byName(steps: readonly StepDraft[], namesOf: (step: StepDraft) => readonly string[]): ByName {
  const entries = steps.flatMap((step) => namesOf(step).map((name) => ({ name, step })));
  return new Map([...groupBy(entries, ({ name }) => name)].map(([name, own]) => [name, own.map(({ step }) => step)]));
}

function named(steps: ByName, names: readonly string[]): readonly StepDraft[] {
  return names.flatMap((name) => steps.get(name) ?? []);
}

/** Returns more waits: of steps with `waitsFor` for steps on referring resources or contents, and of `runsLast` steps for new secrets. */
export function lateNeeds(steps: readonly StepDraft[]): ReadonlyMap<StepId, readonly StepId[]> {
  const needs = new Map<StepId, readonly StepId[]>();
  const makers = steps.filter(({ draft, target }) => target === null && makesSecret(draft));
  for (const { id, draft } of steps)
    if (runsLast(draft))
      needs.set(
        id,
        makers.filter((one) => one.draft.scope === draft.scope).map((one) => one.id),
      );
  const waiting = steps.filter(({ part }) => part.waitsFor !== undefined);
  if (waiting.length === 0) return needs;
  const users = byName(steps, ({ draft: { scope }, before, after }) =>
    listed(...restsOn(scope, after), ...goesWith(scope, before), scope.parent?.address),
  );
  for (const one of waiting) {
    const firsts = newNames(one, null, one.after).flatMap((name) =>
      named(users, [name]).filter(
        (step) => step.draft !== one.draft && (one.part.waitsFor === 'users' || isContent(step, name)),
      ),
    );
    needs.set(
      one.id,
      firsts.map(({ id }) => id),
    );
  }
  return needs;
}

function isContent({ draft: { scope }, before, after }: StepDraft, name: string): boolean {
  return name === scope.parent?.address || (after === null && goesWith(scope, before).includes(name));
}

/** True if the change creates a resource that is itself a secret. Only kinds of such resources have revocations instead of deletions. */
export function makesSecret({ change, scope }: Draft): boolean {
  return removalOf(scope.rules) === 'revoke' && MAKES_SECRET.has(change.action);
}

/** True for a revocation by prune or rotation: it waits until new secrets exist. A revocation by `state: absent` does not wait. */
export function runsLast({ change: { action, origin } }: Draft): boolean {
  return action === 'revoke' && (origin === 'prune' || origin === 'rotate');
}

/** Returns the names that the spec `to` gives a resource: all if `from` is null, else only those by attributes that differ from `from`. */
function newNames(
  { draft: { scope, change }, target }: StepDraft,
  from: JsonObject | null,
  to: JsonObject | null,
): readonly string[] {
  if (to === null) return [];
  if (from === null) return [change.address, ...namesWith(scope, target === null ? to : { ...to, id: target.id })];
  return namesWith(scope, Object.fromEntries(Object.entries(to).filter(([path, value]) => from[path] !== value)));
}

function restsOn(scope: Scope, spec: JsonObject | null): readonly string[] {
  if (spec === null) return [];
  const { parent, rules, projectId, label } = scope;
  const isInUnborn = rules.kind !== PROJECT && isUnborn({ projectId });
  const above = listed(parent?.address, isInUnborn && label);
  return [...above, ...referredTo(scope, spec, () => true)];
}

function goesWith(scope: Scope, spec: JsonObject | null): readonly string[] {
  return referredTo(scope, spec ?? {}, ({ onRemoval }) => onRemoval === 'goes');
}

function referredTo(scope: Scope, spec: JsonObject, isMeant: (rule: ReferenceRule) => boolean): readonly string[] {
  return Object.entries(referencesOf(scope.rules)).flatMap(([path, rule]) => {
    const { [path]: value } = spec;
    if (!isMeant(rule)) return [];
    return isReference(value) ? [value.ref] : typeof value === 'string' ? [nameOf(scope, rule, value)] : [];
  });
}

/** For each step, the steps that must be done before it. */
export type Needs = ReadonlyMap<StepId, ReadonlySet<StepId>>;

/** Records that `step` waits for `first`. */
export type Need = (step: Pick<Step, 'id'>, first: Pick<Step, 'id'>) => void;

export function needIn(needs: Map<StepId, Set<StepId>>): Need {
  return ({ id }, first) => {
    if (id === first.id) return;
    const known = needs.get(id);
    if (known === undefined) needs.set(id, new Set([first.id]));
    else known.add(first.id);
  };
}

/** Returns cycles among the needs; no step is in two of them. A cycle begins with the id that sorts first; each step needs the next one. */
export function ringsOf(needs: Needs): StepId[][] {
  /** Steps that may still be in a cycle, each with its needs. The needs are in reverse order, because `firstOpen` takes the last one. */
  const open = new Map([...needs].map(([id, firsts]) => [id, [...firsts].sort().reverse()]));
  const rings: StepId[][] = [];
  for (const start of [...open.keys()].sort()) {
    const way: StepId[] = open.has(start) ? [start] : [];
    const places = new Map(way.map((id, place) => [id, place]));
    for (let id = way.at(-1); id !== undefined; id = way.at(-1)) {
      const next = firstOpen(open, id);
      const back = next === undefined ? way.length - 1 : places.get(next);
      if (next !== undefined && back === undefined) {
        places.set(next, way.length);
        way.push(next);
        continue;
      }
      // The path ends here: it closes a cycle, or its last step is in no cycle.
      const over = way.splice(back ?? 0);
      if (next !== undefined) rings.push(rotated(over));
      for (const one of over) {
        places.delete(one);
        open.delete(one);
      }
    }
  }
  return rings;
}

function firstOpen(open: ReadonlyMap<StepId, StepId[]>, id: StepId): StepId | undefined {
  const rest = open.get(id) ?? [];
  while (rest.length > 0 && !open.has(rest.at(-1) ?? '')) rest.pop();
  return rest.at(-1);
}

function rotated(ring: readonly StepId[]): StepId[] {
  const first = ring.indexOf([...ring].sort()[0] ?? '');
  return [...ring.slice(first), ...ring.slice(0, first)];
}

/** True if `from` must wait for `target`, even indirectly. */
export function mustFollow(needs: Needs, from: StepId, target: StepId): boolean {
  const seen = new Set([from]);
  for (const id of seen)
    for (const first of needs.get(id) ?? []) {
      if (first === target) return true;
      seen.add(first);
    }
  return false;
}
