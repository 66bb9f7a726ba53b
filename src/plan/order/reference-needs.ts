// What refers to something or lies below it is made after it, and goes before it.
import { groupBy } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { PROJECT } from '../../model/kind.ts';
import { isReference, isUnborn } from '../../model/reference.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { ReferenceRule } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';
import type { StepDraft } from './step-draft.ts';

/** `step` waits for `first`. */
type Need = (step: StepDraft, first: StepDraft) => void;

/** Tells every wait that references and parents force on the steps. */
export function referenceNeeds(steps: readonly StepDraft[], need: Need): void {
  const referents = steps.filter(isReferent(steps));
  if (referents.length === 0) return;
  const coming = makersOf(referents, ({ before, after }) => ({ from: before, to: after }));
  // One that only changes its name stays: who refers to it may do so before and after.
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
  const changing = groupBy(steps.filter(isChangeInPlace), ({ target }) => target?.id ?? '');
  for (const step of steps)
    for (const { id, paths } of basesOf(step))
      for (const first of changing.get(id) ?? [])
        if (paths.some((path) => first.send[path] !== undefined)) need(step, first);
}

/** One that leaves its resource where it is, and does not wait for what is to rest on that. */
function isChangeInPlace({ before, after, isLast }: StepDraft): boolean {
  return before !== null && after !== null && !isLast;
}

/** The ids of what is there and what is made refers to, with the attributes of which a change comes first. */
function basesOf({ before, after, draft: { scope } }: StepDraft): readonly { id: string; paths: readonly string[] }[] {
  if (before !== null || after === null) return [];
  return Object.entries(scope.rules.references ?? {}).flatMap(([path, { after: paths = [] }]) => {
    const id = after[path];
    return paths.length > 0 && typeof id === 'string' ? [{ id, paths }] : [];
  });
}

/**
 * What the steps that come last wait for: whatever runs of what rests on their resource, and of what would go with it. What is held back of
 * that does not hold them back.
 */
export function needsOfLast(steps: readonly StepDraft[]): ReadonlyMap<StepId, readonly StepId[]> {
  const lasts = steps.filter(({ isLast }) => isLast);
  if (lasts.length === 0) return new Map();
  const users = groupBy(
    steps.flatMap((step) => {
      const { scope } = step.draft;
      return [...restsOn(scope, step.after), ...goesWith(scope, step.before)].map((name) => ({ name, step }));
    }),
    ({ name }) => name,
  );
  return new Map(
    lasts.map((last) => {
      const firsts = newNames(last, { from: null, to: last.after }).flatMap((name) => users.get(name) ?? []);
      const others = firsts.filter(({ step }) => step.draft !== last.draft);
      return [last.id, [...new Set(others.map(({ step }) => step.id))]];
    }),
  );
}

/** True for steps of a kind that others refer to, are below, or are copies of: of all others nobody needs to know the names. */
function isReferent(steps: readonly StepDraft[]): (step: StepDraft) => boolean {
  const scopes = [...new Set(steps.map(({ draft }) => draft.scope))];
  const kinds = new Set(
    scopes.flatMap(({ rules: { parent, references = {} } }) => [
      parent,
      ...Object.values(references).map(({ kind }) => kind),
    ]),
  );
  return ({ draft }) => kinds.has(draft.scope.rules.kind);
}

/** What a step makes a copy of: all that is to lie below that comes first. Null where it makes none. */
function originOf({ before, after, draft: { scope } }: StepDraft): Json | null {
  return before !== null || after === null ? null : (scope.rules.copies?.(after, scope.live) ?? null);
}

/** By address, and by id where that is known. */
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

/** The steps by the names that resources have at one end of them, and not at the other. */
function makersOf(
  steps: readonly StepDraft[],
  wayOf: (step: StepDraft) => Way,
): ReadonlyMap<string, readonly StepDraft[]> {
  const pairs = steps.flatMap((step) => newNames(step, wayOf(step)).map((name) => ({ name, step })));
  return new Map([...groupBy(pairs, ({ name }) => name)].map(([name, own]) => [name, own.map(({ step }) => step)]));
}

/** All names of what does not exist at the other end; else those of the attributes that differ there. */
function newNames({ draft: { scope, change }, target }: StepDraft, { from, to }: Way): readonly string[] {
  if (to === null) return [];
  const { kind } = scope.rules;
  const values = Object.entries(to).flatMap(([path, value]) =>
    typeof value === 'string' && from?.[path] !== value
      ? [nameOf(siblings(scope), kind, path, value), nameOf(within(scope), kind, path, value)]
      : [],
  );
  if (from !== null) return values;
  const own =
    target === null
      ? []
      : [nameOf(within(scope), kind, 'id', target.id), nameOf(siblings(scope), kind, 'id', target.id)];
  return [change.address, ...own, ...values];
}

/** The names of what a resource with this spec refers to, and of its parent. */
function restsOn(scope: Scope, spec: JsonObject | null): readonly string[] {
  if (spec === null) return [];
  const { parent, rules } = scope;
  const { references = {} } = rules;
  const told = Object.entries(references).flatMap(([path, rule]) => referredTo(scope, rule, spec[path]));
  const above = [...(parent === null ? [] : [parent.address]), ...unbornProject(scope)];
  return [...above, ...told];
}

/** The names of what a resource comes with: it cannot go before that is there. */
function stillToCome({ parent }: Scope): readonly string[] {
  return parent?.id === null ? [parent.address] : [];
}

/** The names of what takes a resource with this spec along when it goes. */
function goesWith(scope: Scope, spec: JsonObject | null): readonly string[] {
  return Object.entries(scope.rules.references ?? {}).flatMap(([path, rule]) =>
    rule.onRemoval === 'goes' ? referredTo(scope, rule, spec?.[path]) : [],
  );
}

/** The project that it is in, while that is still to be made. */
function unbornProject({ project, label, rules }: Scope): readonly string[] {
  return project !== null && rules.kind !== PROJECT && isUnborn({ projectId: project.id }) ? [label] : [];
}

function referredTo(scope: Scope, { kind, field, among }: ReferenceRule, value: Json | undefined): readonly string[] {
  if (isReference(value)) return [value.ref];
  if (typeof value !== 'string') return [];
  return [nameOf(among === 'siblings' ? siblings(scope) : within(scope), kind, field, value)];
}

function within({ project }: Scope): string {
  return project?.id ?? '';
}

function siblings(scope: Scope): string {
  return `${within(scope)}\n${scope.parent?.address ?? ''}`;
}

function nameOf(room: string, kind: string, field: string, value: string): string {
  return JSON.stringify([room, kind, field, value]);
}
