// Orders steps by slots, references and former names, without superfluous waits.
import { placedBy } from '../../model/attributes.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import { groupBy } from '../../base/group-by.ts';
import { placeIn } from '../scope.ts';
import { leastNeeds, mustFollow, needIn, ringsOf, type Need, type Needs } from './graph.ts';
import { referenceNeeds } from './reference-needs.ts';
import { comesAlong, formerOf, placeAfter, placeBefore, type StepDraft } from './finish-step.ts';

export interface Order {
  readonly keys: readonly string[];
  stepsOf(key: string): readonly StepDraft[];
  needsOf(id: StepId): readonly StepId[];
  /** Keys of the changes that wait for a step of this change; may contain the change itself and repeats. */
  dependentsOf(key: string): readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** `ofSlots`: the waits because of slots. Restarts, several requests of one change, replacements, references and former names add more. */
export function orderSteps(trails: readonly (readonly StepDraft[])[], ofSlots: Needs): Order {
  const steps = trails.flat();
  const needs = new Map([...ofSlots].map(([id, firsts]) => [id, new Set(firsts)]));
  const need = needIn(needs);
  for (const own of groupBy(steps, ({ draft }) => draft.change.address).values()) chainRestart(own, need);
  const [replaced, chains] = [true, false].map((is) =>
    trails.filter(([first]) => (first?.draft.change.action === 'replace') === is),
  );
  for (const trail of chains ?? []) trail.slice(1).forEach((step, at) => need(step, trail[at] ?? step));
  for (const [gone, made] of replaced ?? [])
    // The new resource is created before the old one is removed, unless the old one is in its slot.
    if (gone !== undefined && made !== undefined && !mustFollow(needs, made.id, gone.id)) need(gone, made);
  referenceNeeds(steps, need);
  const former = formerNeeds(steps, needs);
  for (const [step, first] of former) need(step, first);
  const least = new Map(steps.map(({ id }) => [id, leastNeeds(needs, id)]));
  const byKey = new Map(trails.map((trail) => [trail[0]?.draft.key ?? '', trail]));
  const keyOf = new Map(steps.map(({ id, draft }) => [id, draft.key]));
  const waits = [...least].flatMap(([id, firsts]) =>
    firsts.map((first) => ({ first: keyOf.get(first) ?? '', dependent: keyOf.get(id) ?? '' })),
  );
  const dependents = groupBy(waits, ({ first }) => first);
  return {
    keys: [...byKey.keys()].sort(),
    stepsOf: (key) => byKey.get(key) ?? [],
    needsOf: (id) => least.get(id) ?? [],
    dependentsOf: (key) => (dependents.get(key) ?? []).map(({ dependent }) => dependent).sort(),
    diagnostics: referenceRings(steps, needs, { ofSlots, former }),
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
 * A declaration with `renamed_from` and no match is created before another resource takes its former name, or a later run would confuse
 * them. Exceptions: it must follow the other resource anyway, or a new project's request creates the other resource.
 */
function formerNeeds(steps: readonly StepDraft[], needs: Needs): readonly FormerNeed[] {
  const heirs = steps.flatMap((first) => {
    const { before, after, draft } = first;
    const former = before !== null || after === null ? null : formerOf(draft, after);
    const place = former === null ? null : placeIn(draft.scope, former);
    return place === null ? [] : [{ first, place }];
  });
  if (heirs.length === 0) return [];
  const takers = groupBy(
    steps.filter((step) => !comesAlong(step) && placeAfter(step) !== placeBefore(step)),
    (step) => placeAfter(step) ?? '',
  );
  return heirs.flatMap(({ first, place }) =>
    (takers.get(place) ?? [])
      .filter((step) => step !== first && !mustFollow(needs, first.id, step.id))
      .map((step): FormerNeed => [step, first]),
  );
}

/** An error for each cycle that slots alone do not cause. */
function referenceRings(
  steps: readonly StepDraft[],
  needs: Needs,
  { ofSlots, former }: { readonly ofSlots: Needs; readonly former: readonly FormerNeed[] },
): readonly Diagnostic[] {
  const rings = ringsOf(needs).filter((ring) =>
    ring.some((id, at) => ofSlots.get(id)?.has(ring[(at + 1) % ring.length] ?? '') !== true),
  );
  if (rings.length === 0) return [];
  const byId = new Map(steps.map((step) => [step.id, step]));
  return rings.flatMap((ring): Diagnostic[] => {
    const changes = ring.flatMap((id) => byId.get(id)?.draft.change ?? []);
    const [first] = changes;
    if (first === undefined) return [];
    const heir = former.find(([step, heirStep]) => ring.includes(step.id) && ring.includes(heirStep.id))?.[1];
    const key = heir === undefined ? undefined : placedBy(heir.draft.scope.rules)?.key;
    const drawn = [...changes, first].map(({ address }) => address).join(' → ');
    return [
      {
        severity: 'error',
        code: 'reference_ring',
        message: `these changes depend on each other in a cycle, so none of them can run first: ${drawn}`,
        hint:
          key === undefined
            ? 'Remove one of the references, apply, then write that reference again.'
            : `Remove ${key} from one of the resources: no live resource has that former name.`,
        address: first.address,
        ...(first.source === null ? {} : { range: first.source }),
      },
    ];
  });
}
