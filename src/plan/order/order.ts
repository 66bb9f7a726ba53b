// Orders steps by slots, references and former names, without superfluous waits.
import { placedBy } from '../../model/attributes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import { groupBy } from '../../base/group-by.ts';
import { errorOn } from '../diff/draft.ts';
import { placeIn } from '../scope.ts';
import { leastNeeds, mustFollow, needIn, referenceNeeds, ringsOf, type Need, type Needs } from './reference-needs.ts';
import { comesAlong, formerOf, placeAfter, placeBefore, type StepDraft } from './finish-step.ts';

export interface Order {
  /** The steps of each change, by the key of its draft. */
  readonly steps: ReadonlyMap<string, readonly StepDraft[]>;
  readonly needs: ReadonlyMap<StepId, readonly StepId[]>;
  /** By key of a change, the keys of the changes that wait for its steps; may contain repeats, and the change itself. */
  readonly dependents: ReadonlyMap<string, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Orders steps: adds to the waits for slots (`ofSlots`) those for restarts, earlier requests, replacements, references, former names. */
export function orderSteps(trails: readonly (readonly StepDraft[])[], ofSlots: Needs): Order {
  const steps = trails.flat();
  const all = new Map([...ofSlots].map(([id, firsts]) => [id, new Set(firsts)]));
  const need = needIn(all);
  for (const own of groupBy(steps, ({ draft }) => draft.change.address).values()) chainRestart(own, need);
  for (const trail of trails) {
    const [first, second] = trail;
    if (first?.draft.change.action !== 'replace') trail.slice(1).forEach((step, at) => need(step, trail[at] ?? step));
    // The new resource is created before the old one is removed, unless the old one is in its slot.
    else if (second !== undefined && !mustFollow(all, second.id, first.id)) need(first, second);
  }
  referenceNeeds(steps, need);
  const former = formerNeeds(steps, all);
  for (const [step, first] of former) need(step, first);
  const needs = new Map(steps.map(({ id }) => [id, leastNeeds(all, id)]));
  const keyOf = new Map(steps.map(({ id, draft }) => [id, draft.key]));
  const waits = steps.flatMap(({ id, draft: { key } }) =>
    (needs.get(id) ?? []).map((first) => ({ key, first: keyOf.get(first) })),
  );
  return {
    steps: new Map(trails.map((trail) => [trail[0]?.draft.key ?? '', trail])),
    needs,
    dependents: new Map(
      [...groupBy(waits, ({ first = '' }) => first)].map(([first, own]) => [first, own.map(({ key }) => key).sort()]),
    ),
    diagnostics: referenceRings(steps, all, { ofSlots, former }),
  };
}

/** A restart runs after every other change of its resource. */
function chainRestart(steps: readonly StepDraft[], need: Need): void {
  const restart = steps.find(({ action }) => action === 'restart');
  const last = steps.findLast(({ action }) => action === 'update' || action === 'move');
  if (restart !== undefined && last !== undefined) need(restart, last);
}

type FormerNeed = readonly [step: StepDraft, first: StepDraft];

/**
 * Returns waits that create a resource with an unmatched `renamed_from` before another takes the former name, or a later run would confuse
 * both. Exceptions: the first must follow the other anyway, or a new project's request creates the other.
 */
function formerNeeds(steps: readonly StepDraft[], needs: Needs): readonly FormerNeed[] {
  const heirs = steps.flatMap((first) => {
    const { before, after, draft } = first;
    const former = before !== null || after === null ? null : formerOf(draft, after);
    const place = placeIn(draft.scope, former);
    return place === null ? [] : [{ first, place }];
  });
  if (heirs.length === 0) return [];
  const takers = groupBy(
    steps.filter((step) => !comesAlong(step) && placeAfter(step) !== placeBefore(step)),
    placeAfter,
  );
  return heirs.flatMap(({ first, place }) =>
    (takers.get(place) ?? [])
      .filter((step) => step !== first && !mustFollow(needs, first.id, step.id))
      .map((step): FormerNeed => [step, first]),
  );
}

/** Returns an error for each cycle of waits, except cycles that slots alone cause: `routeSteps` reports those. */
function referenceRings(
  steps: readonly StepDraft[],
  needs: Needs,
  { ofSlots, former }: { readonly ofSlots: Needs; readonly former: readonly FormerNeed[] },
): readonly Diagnostic[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  return ringsOf(needs).flatMap((ring): Diagnostic[] => {
    if (ring.every((id, at) => ofSlots.get(id)?.has(ring[(at + 1) % ring.length] ?? ''))) return [];
    const drafts = ring.flatMap((id) => byId.get(id)?.draft ?? []);
    const [first] = drafts;
    if (first === undefined) return [];
    const heir = former.find(([step, heirStep]) => ring.includes(step.id) && ring.includes(heirStep.id))?.[1];
    const key = heir && placedBy(heir.draft.scope.rules)?.key;
    const drawn = [...drafts, first].map(({ change }) => change.address).join(' → ');
    const message = `these changes depend on each other in a cycle, so none of them can run first: ${drawn}`;
    const hint =
      key === undefined
        ? 'Remove one of the references, apply, then write that reference again.'
        : `Remove ${key} from one of the resources: no live resource has that former name.`;
    return [errorOn(first, 'reference_ring', message, hint)];
  });
}
