// Waits by references and parents: a resource is created after the resources that it refers to or is below, and removed before them.
import { copiedFrom, referencesOf, type ReferenceRule } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { PROJECT } from '../../model/kind.ts';
import { isReference, isUnborn } from '../../model/reference.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import { nameOf, namesBy } from './referents.ts';
import type { Scope } from '../scope.ts';
import type { StepDraft } from './step-draft.ts';

/** `step` waits for `first`. */
type Need = (step: StepDraft, first: StepDraft) => void;

/** Reports every wait that references and parents cause. */
export function referenceNeeds(steps: readonly StepDraft[], need: Need): void {
  const referents = steps.filter(isReferent(steps));
  if (referents.length === 0) return;
  const coming = makersOf(referents, ({ before, after }) => ({ from: before, to: after }));
  // A renamed resource stays, so its referents may change before or after.
  const removals = referents.filter(({ after }) => after === null);
  const going = makersOf(removals, ({ before }) => ({ from: null, to: before }));
  for (const step of steps) {
    const after = restsOn(step.draft.scope, step.after);
    const names = step.after === null ? stillToCome(step.draft.scope) : after;
    for (const name of names) for (const first of coming.get(name) ?? []) if (first !== step) need(step, first);
    for (const name of restsOn(step.draft.scope, step.before))
      if (!after.includes(name)) for (const last of going.get(name) ?? []) if (last !== step) need(last, step);
  }
  const below = groupBy(
    steps.filter(({ after }) => after !== null).flatMap((step) => placesAbove(step).map((place) => ({ place, step }))),
    ({ place }) => place,
  );
  for (const step of steps) {
    const origin = originOf(step);
    if (origin !== null) for (const { step: first } of below.get(placeOf(origin)) ?? []) need(step, first);
  }
  const changing = groupBy(steps.filter(isChangeInPlace), ({ target, draft: { change } }) =>
    placeOf(target === null ? { ref: change.address, field: 'id' } : target.id),
  );
  for (const step of steps)
    for (const { base, paths } of basesOf(step))
      for (const first of changing.get(placeOf(base)) ?? [])
        if (paths.some((path) => first.send[path] !== undefined)) need(step, first);
}

/** True for a change of a resource that stays and does not wait for its users. */
function isChangeInPlace({ before, after, part }: StepDraft): boolean {
  return before !== null && after !== null && part.waitsFor !== 'users';
}

/** The referents and the origin of a creation, with the attributes whose change must come first. */
function basesOf(step: StepDraft): readonly { readonly base: Json; readonly paths: readonly string[] }[] {
  const { before, after, draft } = step;
  if (before !== null || after === null) return [];
  return Object.entries(referencesOf(draft.scope.rules)).flatMap(([path, { after: paths = [] }]) => {
    const base = after[path] ?? originOf(step);
    return paths.length === 0 || base === null ? [] : [{ base, paths }];
  });
}

/** Further waits of a step by its part. Only steps that run are waited for. */
export function needsOfParts(steps: readonly StepDraft[]): ReadonlyMap<StepId, readonly StepId[]> {
  const waiting = steps.filter(({ part }) => part.waitsFor !== undefined);
  if (waiting.length === 0) return new Map();
  const users = groupBy(steps.flatMap(usesOf), ({ name }) => name);
  return new Map(
    waiting.map((one) => {
      const firsts = newNames(one, { from: null, to: one.after })
        .flatMap((name) => users.get(name) ?? [])
        .filter(({ step, isContent }) => step.draft !== one.draft && (isContent || one.part.waitsFor === 'users'));
      return [one.id, [...new Set(firsts.map(({ step }) => step.id))]];
    }),
  );
}

/** The names that the step's resource depends on, or is deleted with. `isContent`: it is below that name, or is removed from it. */
function usesOf(step: StepDraft): readonly { name: string; step: StepDraft; isContent: boolean }[] {
  const { scope } = step.draft;
  const along = goesWith(scope, step.before);
  const contents = new Set([
    ...(scope.parent === null ? [] : [scope.parent.address]),
    ...(step.after === null ? along : []),
  ]);
  const names = new Set([...restsOn(scope, step.after), ...along, ...contents]);
  return [...names].map((name) => ({ name, step, isContent: contents.has(name) }));
}

/** True for steps of a kind that others refer to or are below. */
function isReferent(steps: readonly StepDraft[]): (step: StepDraft) => boolean {
  const scopes = [...new Set(steps.map(({ draft }) => draft.scope))];
  const kinds = new Set(
    scopes.flatMap(({ rules }) => [rules.parent, ...Object.values(referencesOf(rules)).map(({ kind }) => kind)]),
  );
  return ({ draft }) => kinds.has(draft.scope.rules.kind);
}

/** The origin of a copy, whose contents must be changed first; null for no copy. */
function originOf({ before, after, draft: { scope } }: StepDraft): Json | null {
  return before !== null || after === null ? null : copiedFrom(scope.rules, after, scope.live);
}

/** Keys of the parent of a step: its address, and its id if known. */
function placesAbove({ draft: { scope } }: StepDraft): readonly string[] {
  const { parent } = scope;
  if (parent === null) return [];
  const { address: ref, id } = parent;
  return [placeOf({ ref, field: 'id' }), ...(id === null ? [] : [placeOf(id)])];
}

function placeOf(origin: Json): string {
  return isReference(origin) ? `address ${origin.ref}` : `id ${String(origin)}`;
}

interface Way {
  readonly from: JsonObject | null;
  readonly to: JsonObject | null;
}

/** Steps by the names that their resource has at the end `to` and not at the end `from`. */
function makersOf(
  steps: readonly StepDraft[],
  wayOf: (step: StepDraft) => Way,
): ReadonlyMap<string, readonly StepDraft[]> {
  const pairs = steps.flatMap((step) => newNames(step, wayOf(step)).map((name) => ({ name, step })));
  return new Map([...groupBy(pairs, ({ name }) => name)].map(([name, own]) => [name, own.map(({ step }) => step)]));
}

/** All names of a resource that is new at `to`; else the names by attributes that differ. */
function newNames({ draft: { scope, change }, target }: StepDraft, { from, to }: Way): readonly string[] {
  if (to === null) return [];
  const values = Object.entries(to).flatMap(([path, value]) =>
    typeof value === 'string' && from?.[path] !== value ? namesBy(scope, path, value) : [],
  );
  if (from !== null) return values;
  return [change.address, ...(target === null ? [] : namesBy(scope, 'id', target.id)), ...values];
}

/** The names of the referents and the parent of a resource with this spec. */
function restsOn(scope: Scope, spec: JsonObject | null): readonly string[] {
  if (spec === null) return [];
  const { parent, rules } = scope;
  const told = Object.entries(referencesOf(rules)).flatMap(([path, rule]) => referredTo(scope, rule, spec[path]));
  const above = [...(parent === null ? [] : [parent.address]), ...unbornProject(scope)];
  return [...above, ...told];
}

/** The name of a parent that does not exist yet: its contents cannot be removed before it exists. */
function stillToCome({ parent }: Scope): readonly string[] {
  return parent?.id === null ? [parent.address] : [];
}

/** The names of the resources whose removal removes a resource with this spec, too. */
function goesWith(scope: Scope, spec: JsonObject | null): readonly string[] {
  return Object.entries(referencesOf(scope.rules)).flatMap(([path, rule]) =>
    rule.onRemoval === 'goes' ? referredTo(scope, rule, spec?.[path]) : [],
  );
}

/** The project, while it does not exist. */
function unbornProject({ project, label, rules }: Scope): readonly string[] {
  return project !== null && rules.kind !== PROJECT && isUnborn({ projectId: project.id }) ? [label] : [];
}

function referredTo(scope: Scope, rule: ReferenceRule, value: Json | undefined): readonly string[] {
  if (isReference(value)) return [value.ref];
  return typeof value === 'string' ? [nameOf(scope, rule, value)] : [];
}
