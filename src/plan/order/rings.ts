// Cycles of moves: resolved through a member's `via`, else refused and drawn.
import { placedBy, isKnown, slotWordsOf } from '../../model/attributes.ts';
import type { Diagnostic, RelatedPlace } from '../../model/diagnostic.ts';
import { isAction, noted, type Draft } from '../diff/draft.ts';
import { ringsOf } from './graph.ts';
import type { Matching } from '../match/matching.ts';
import { placeIn } from '../scope.ts';
import { stepDraftsOf, viaSpecOf, type StepDraft } from './step-draft.ts';
import { slotOrderOf, type SlotOrder } from './slots.ts';

export interface Routed {
  /** The steps of each change. */
  readonly trails: readonly (readonly StepDraft[])[];
  readonly visits: SlotOrder;
  /** Every draft; a detour has a note. */
  readonly drafts: readonly Draft[];
  readonly diagnostics: readonly Diagnostic[];
}

/** True for a slot that no move may pass through. */
type IsHeld = (place: string) => boolean;

/** The steps of all drafts, with the waits by slots. */
export function routeSteps(
  matchings: readonly Matching[],
  drafts: readonly Draft[],
  selects: (draft: Draft) => boolean,
): Routed {
  const places = heldPlaces(matchings, drafts);
  const isHeld = (place: string): boolean => places.has(place);
  const detours = new Set<string>();
  for (;;) {
    const trails = drafts.filter(isAction).map((draft) => stepDraftsOf(draft, detours));
    const visits = slotOrderOf(matchings, trails);
    const steps = new Map(trails.flat().map((step) => [step.id, step]));
    const rings = ringsOf(visits.needs).map((ring) => ring.flatMap((id) => steps.get(id) ?? []));
    const ways = rings.map((ring) => ring.find(({ draft }) => !detours.has(draft.key) && canDetour(draft, isHeld)));
    const found = ways.flatMap((way) => (way === undefined ? [] : [way.draft.key]));
    if (found.length === 0)
      return {
        trails,
        visits,
        drafts: drafts.map((draft) => (detours.has(draft.key) ? withDetour(draft) : draft)),
        diagnostics: rings.flatMap((ring) => refusal(ring, isHeld, selects)),
      };
    for (const key of found) detours.add(key);
  }
}

function withDetour(draft: Draft): Draft {
  const via = draft.desired?.lifecycle.via;
  return noted(draft, `moves through ${via} because the moves form a cycle: clients are interrupted twice`);
}

/** Slots that no move may pass through: held at the start, except by a move that an earlier run left on its way. */
function heldPlaces(matchings: readonly Matching[], drafts: readonly Draft[]): ReadonlySet<string> {
  const passing = new Set(drafts.filter(isPassing).map(({ live }) => live));
  return new Set(
    matchings.flatMap(({ scope }) =>
      scope.live.flatMap((live) =>
        isKnown(scope.rules, live) && !passing.has(live) ? (placeIn(scope, live.spec) ?? []) : [],
      ),
    ),
  );
}

/** True for a move that starts at its own `via`: an earlier run stopped there. */
export function isPassing(draft: Draft): boolean {
  return isPinnedMove(draft) && viaPlace(draft) === placeIn(draft.scope, draft.live?.spec ?? {});
}

function viaPlace(draft: Draft): string | null {
  const spec = viaSpecOf(draft);
  return spec === null ? null : placeIn(draft.scope, spec);
}

/** A detour needs an id: only the id identifies a resource that an interrupted run left on its way. */
function canDetour(draft: Draft, isHeld: IsHeld): boolean {
  const place = viaPlace(draft);
  const ends = [draft.live?.spec, draft.specAfter].map((spec) => (spec ? placeIn(draft.scope, spec) : null));
  return isPinnedMove(draft) && place !== null && !isHeld(place) && !ends.includes(place);
}

function isPinnedMove({ change, live, desired }: Draft): boolean {
  return change.action === 'move' && live !== null && desired?.pin === live.id;
}

function refusal(ring: readonly StepDraft[], isHeld: IsHeld, selects: (draft: Draft) => boolean): Diagnostic[] {
  const members = ring.map(({ draft }) => draft).filter((draft, at, all) => all.indexOf(draft) === at);
  const named = members.find(selects) ?? members[0];
  if (named === undefined) return [];
  // A step needs the slot of the next one, so the cycle is drawn in the direction of the moves.
  const drawn = [...members, ...members.slice(0, 1)].map(({ change }) => change.address).join(' → ');
  const related: RelatedPlace[] = members.flatMap((draft) =>
    draft === named || draft.change.source === null ? [] : [{ message: journey(draft), range: draft.change.source }],
  );
  return [
    {
      severity: 'error',
      code: 'ring',
      message: `these moves form a cycle, so none of them can run first: ${drawn} (${members.map(journey).join('; ')})`,
      hint: wayOut(members, isHeld),
      address: named.change.address,
      ...(named.change.source === null ? {} : { range: named.change.source }),
      related,
    },
  ];
}

function wayOut(members: readonly Draft[], isHeld: IsHeld): string {
  const willing = members.find((draft) => viaPlace(draft) !== null);
  const [first] = members;
  if (first !== undefined && placedBy(first.scope.rules)?.isName === true)
    return 'Rename one of the resources to an unused name, apply, then rename that resource to its final name.';
  const empty = (first && slotWordsOf(first.scope.rules)?.empty) ?? 'an empty slot';
  if (willing === undefined) return `Write lifecycle.via on one of the moves, naming ${empty}.`;
  const { change, live, desired } = willing;
  if (isHeld(viaPlace(willing) ?? ''))
    return `lifecycle.via of ${change.address} names ${desired?.lifecycle.via}, which is already in use: name ${empty} instead.`;
  return `Write id: ${live?.id} for ${change.address}: only the id identifies the resource during its move through ${desired?.lifecycle.via}.`;
}

function journey({ change, scope, live, specAfter }: Draft): string {
  const [from, to] = [live?.spec, specAfter].map((spec) => (spec ? scope.rules.place(spec) : null) ?? 'nowhere');
  return `${change.address}: ${from} → ${to}`;
}
