// Slots of capacity one: their holders over time, and the waits between steps that follow.
import { isKnown } from '../../model/attributes.ts';
import { compareText, jsonEqual } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { Matching } from '../match/matching.ts';
import { placeIn } from '../scope.ts';
import { groupBy } from '../../base/group-by.ts';
import { needIn, type Needs } from './graph.ts';
import { placeAfter, placeBefore, type StepDraft } from './step-draft.ts';

/** A stay in a slot: `taker` is null for the holder at the start, `freer` for a holder that stays. */
export interface Stay {
  readonly holder: LiveResource | null;
  readonly taker: StepDraft | null;
  readonly freer: StepDraft | null;
}

/** A slot that two resources want for good, or whose holder stays. */
export interface PlaceConflict {
  readonly matching: Matching;
  readonly stays: Stay;
  readonly wants: StepDraft;
}

export interface SlotOrder {
  readonly needs: Needs;
  readonly conflicts: readonly PlaceConflict[];
}

/** A live resource in its slot. */
export interface Held {
  readonly matching: Matching;
  readonly live: LiveResource;
}

/** The holders of each slot at the start. */
export function holdersIn(matchings: readonly Matching[]): ReadonlyMap<string, readonly Held[]> {
  const held = matchings.flatMap((matching) =>
    matching.scope.live.flatMap((live) => {
      const place = isKnown(matching.scope.rules, live) ? placeIn(matching.scope, live.spec) : null;
      return place === null ? [] : [{ place, matching, live }];
    }),
  );
  return groupBy(held, ({ place }) => place);
}

/**
 * Turns `trails` (the steps of each change, in order) into needs. A held slot is taken after its holder left. An empty slot is passed
 * through before a resource takes it for good.
 */
export function slotOrderOf(
  matchings: readonly Matching[],
  holders: ReadonlyMap<string, readonly Held[]>,
  trails: readonly (readonly StepDraft[])[],
): SlotOrder {
  const needs = new Map<StepId, Set<StepId>>();
  const conflicts: PlaceConflict[] = [];
  const matchingOf = new Map(matchings.map((matching) => [matching.scope, matching]));
  const takers = trails.flatMap((trail) =>
    trail.flatMap((taker, at) => {
      const place = placeAfter(taker);
      const stay = { holder: null, taker, freer: trail.slice(at + 1).find(frees) ?? null };
      return place === null || place === placeBefore(taker) ? [] : [{ place, stay }];
    }),
  );
  if (takers.length === 0) return { needs, conflicts };
  const leaving = new Map(
    trails.flatMap((trail) => trail.filter(leavesStart).map((step) => [step.target, step] as const)),
  );
  const coming = groupBy(
    matchings.flatMap(({ scope, bindings }) =>
      bindings.flatMap(({ inherited: live }) =>
        live === undefined ? [] : [{ place: placeIn(scope, live.spec) ?? '', live }],
      ),
    ),
    ({ place }) => place,
  );
  for (const [place, own] of groupBy(takers, (one) => one.place)) {
    const matching = matchingOf.get(own[0].stay.taker.draft.scope);
    if (matching === undefined) continue;
    const held = [...(holders.get(place) ?? []), ...(coming.get(place) ?? [])];
    const stays = [
      ...held.map(({ live: holder }) => ({ holder, taker: null, freer: leaving.get(holder) ?? null })),
      ...own.map(({ stay }) => stay),
    ];
    orderStays(matching, stays, needs, conflicts);
  }
  return { needs, conflicts };
}

/** True for the step that moves a resource out of its slot at the start. */
function leavesStart(step: StepDraft): boolean {
  return step.target !== null && jsonEqual(step.before ?? undefined, step.target.spec) && frees(step);
}

function frees(step: StepDraft): boolean {
  const place = placeBefore(step);
  return place !== null && place !== placeAfter(step);
}

function orderStays(
  matching: Matching,
  stays: readonly Stay[],
  needs: Map<StepId, Set<StepId>>,
  conflicts: PlaceConflict[],
): void {
  const need = needIn(needs);
  const ordered = stays.toSorted((a, b) => rank(a) - rank(b) || compareText(a.taker?.id ?? '', b.taker?.id ?? ''));
  ordered.forEach(({ taker, freer }, at) => {
    if (taker === null) return;
    if (freer !== null) need(freer, taker);
    const previous = ordered[at - 1];
    if (previous === undefined) return;
    if (previous.freer === null) conflicts.push({ matching, stays: previous, wants: taker });
    else need(taker, previous.freer);
  });
}

/** Order of stays: at the start, passing through, for good. */
function rank({ taker, freer }: Stay): number {
  return taker === null ? 0 : freer === null ? 2 : 1;
}
