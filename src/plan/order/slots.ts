// Slots of capacity one: their holders over time, and the waits between steps that follow.
import { isKnown } from '../../model/attributes.ts';
import { compareText, jsonEqual } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { Matching } from '../match/matching.ts';
import { placeIn } from '../scope.ts';
import { placeAfter, placeBefore, type StepDraft } from './step-draft.ts';

/** A stay in a slot: `taker` is null for the holder at the start, `freer` for a holder that stays. */
export interface Occupancy {
  readonly holder: LiveResource | null;
  readonly taker: StepDraft | null;
  readonly freer: StepDraft | null;
}

/** A slot that two resources want for good, or whose holder stays. */
export interface PlaceConflict {
  readonly matching: Matching;
  readonly stays: Occupancy;
  readonly wants: StepDraft;
}

export interface SlotOrder {
  /** Step → the steps that must be done before it. */
  readonly needs: ReadonlyMap<StepId, ReadonlySet<StepId>>;
  readonly conflicts: readonly PlaceConflict[];
}

/**
 * Turns `trails` (the steps of each change, in order) into needs. A held slot is taken after its holder left. An empty slot is passed
 * through before a resource takes it for good.
 */
export function slotOrderOf(matchings: readonly Matching[], trails: readonly (readonly StepDraft[])[]): SlotOrder {
  const needs = new Map<StepId, Set<StepId>>();
  const conflicts: PlaceConflict[] = [];
  const byPlace = new Map<string, { readonly matching: Matching; readonly occupancies: Occupancy[] }>();
  const add = (matching: Matching, place: string | null, occupancy: Occupancy): void => {
    if (place === null) return;
    const known = byPlace.get(place);
    if (known === undefined) byPlace.set(place, { matching, occupancies: [occupancy] });
    else known.occupancies.push(occupancy);
  };
  const wanted = new Set(trails.flatMap((trail) => trail.flatMap((step) => takenPlace(step) ?? [])));
  if (wanted.size === 0) return { needs, conflicts };
  const leaving = new Map(
    trails.flatMap((trail) => trail.filter(leavesStart).map((step) => [step.target, step] as const)),
  );
  for (const matching of matchings) {
    const coming = matching.bindings.flatMap(({ inherited }) => inherited ?? []);
    for (const live of [...matching.scope.live, ...coming]) {
      const place = isKnown(matching.scope.rules, live) ? placeIn(matching.scope, live.spec) : null;
      if (place !== null && wanted.has(place))
        add(matching, place, { holder: live, taker: null, freer: leaving.get(live) ?? null });
    }
  }
  const matchingOf = new Map(matchings.map((matching) => [matching.scope, matching]));
  for (const trail of trails)
    trail.forEach((step, at) => {
      const matching = matchingOf.get(step.draft.scope);
      if (matching === undefined) return;
      add(matching, takenPlace(step), { holder: null, taker: step, freer: trail.slice(at + 1).find(frees) ?? null });
    });
  for (const { matching, occupancies } of byPlace.values()) orderOccupancies(matching, occupancies, needs, conflicts);
  return { needs, conflicts };
}

/** The slot that a step moves into. */
function takenPlace(step: StepDraft): string | null {
  const place = placeAfter(step);
  return place === placeBefore(step) ? null : place;
}

/** True for the step that moves a resource out of its slot at the start. */
function leavesStart(step: StepDraft): boolean {
  return step.target !== null && jsonEqual(step.before ?? undefined, step.target.spec) && frees(step);
}

function frees(step: StepDraft): boolean {
  const place = placeBefore(step);
  return place !== null && place !== placeAfter(step);
}

function orderOccupancies(
  matching: Matching,
  occupancies: readonly Occupancy[],
  needs: Map<StepId, Set<StepId>>,
  conflicts: PlaceConflict[],
): void {
  const need = (step: StepDraft | null, first: StepDraft | null): void => {
    if (step === null || first === null || step.id === first.id) return;
    const known = needs.get(step.id);
    if (known === undefined) needs.set(step.id, new Set([first.id]));
    else known.add(first.id);
  };
  const ordered = occupancies.toSorted(
    (a, b) => rank(a) - rank(b) || compareText(a.taker?.id ?? '', b.taker?.id ?? ''),
  );
  ordered.forEach((occupancy, at) => {
    if (occupancy.taker !== null) need(occupancy.freer, occupancy.taker);
    const previous = ordered[at - 1];
    if (previous === undefined || occupancy.taker === null) return;
    if (previous.freer === null) conflicts.push({ matching, stays: previous, wants: occupancy.taker });
    else need(occupancy.taker, previous.freer);
  });
}

/** Order of stays: at the start, passing through, for good. */
function rank({ taker, freer }: Occupancy): number {
  return taker === null ? 0 : freer === null ? 2 : 1;
}
