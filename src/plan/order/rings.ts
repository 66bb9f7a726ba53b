// Slots of capacity one: which resource is in each over time, the waits that follow, and cycles of moves.
import { isKnown, placedBy, slotWordsOf } from '../../model/attributes.ts';
import { compareText, jsonEqual } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { StepId } from '../../model/outcome/plan.ts';
import type { Matching } from '../match/matching.ts';
import { placeIn } from '../scope.ts';
import { groupBy } from '../../base/group-by.ts';
import { needIn, ringsOf, type Needs } from './graph.ts';
import { placeAfter, placeBefore, stepDraftsOf, viaSpecOf, type StepDraft } from './finish-step.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isAction, note, type Draft } from '../diff/draft.ts';
import { RENAME_APART } from '../match/moved.ts';

/** A stay in a slot: `taker` begins it (null: it began before the plan), and `freer` ends it (null: the resource stays). */
interface Stay {
  readonly holder: LiveResource | null;
  readonly taker: StepDraft | null;
  readonly freer: StepDraft | null;
}

/** A slot that two resources want for good, or whose present resource stays. */
interface PlaceConflict {
  readonly matching: Matching;
  readonly stays: Stay;
  readonly wants: StepDraft;
}

interface SlotOrder {
  readonly needs: Needs;
  readonly conflicts: readonly PlaceConflict[];
}

/** The live resources in each slot before the plan. */
type Holders = ReadonlyMap<string, readonly { readonly live: LiveResource }[]>;

function holdersIn(matchings: readonly Matching[]): Holders {
  const held = matchings.flatMap(({ scope }) =>
    scope.live.flatMap((live) => {
      const place = isKnown(scope.rules, live) ? placeIn(scope, live.spec) : null;
      return place === null ? [] : [{ place, live }];
    }),
  );
  return groupBy(held, ({ place }) => place);
}

/**
 * Turns `trails` (the steps of each change, in order) into needs. A slot is taken after the resource in it has left. A move passes
 * through an empty slot before another resource takes that slot for good.
 */
function slotOrderOf(
  matchings: readonly Matching[],
  holders: Holders,
  trails: readonly (readonly StepDraft[])[],
): SlotOrder {
  const needs = new Map<StepId, Set<StepId>>();
  const conflicts: PlaceConflict[] = [];
  const matchingOf = new Map(matchings.map((matching) => [matching.scope, matching]));
  const takers = trails.flatMap((trail) =>
    trail.flatMap((taker, at) => {
      const place = placeAfter(taker);
      const stay = { holder: null, taker, freer: trail.slice(at + 1).find(frees) ?? null };
      // While another resource has the name of a new member, the member is blocked and takes no slot.
      const isFree = place !== null && !taker.draft.isForeign && place !== placeBefore(taker);
      return !isFree ? [] : [{ place, stay }];
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

/** The order of stays: those from before the plan, then temporary ones, then lasting ones. */
function rank({ taker, freer }: Stay): number {
  return taker === null ? 0 : freer === null ? 2 : 1;
}

export interface Routed extends SlotOrder {
  readonly trails: readonly (readonly StepDraft[])[];
  readonly holders: Holders;
  readonly diagnostics: readonly Diagnostic[];
}

type IsHeld = (place: string) => boolean;

/** The steps of the drafts that `isMeant` accepts, with the waits by slots; a move through a `via` gets a note. */
export function routeSteps(
  matchings: readonly Matching[],
  drafts: readonly Draft[],
  { isMeant, selects }: Readonly<Record<'isMeant' | 'selects', (draft: Draft) => boolean>>,
): Routed {
  const meant = drafts.filter((draft) => isAction(draft) && isMeant(draft));
  const holders = holdersIn(meant.length === 0 ? [] : matchings);
  // A move that an earlier run left in its `via` does not keep other moves out of that slot.
  const passing = new Set(meant.filter(isPassing).map(({ live }) => live));
  const isHeld: IsHeld = (place) => (holders.get(place) ?? []).some(({ live }) => !passing.has(live));
  const detours = new Set<string>();
  for (;;) {
    const trails = meant.map((draft) => stepDraftsOf(draft, detours));
    const order = slotOrderOf(matchings, holders, trails);
    const steps = new Map(trails.flat().map((step) => [step.id, step]));
    const rings = ringsOf(order.needs).map((ring) => ring.flatMap((id) => steps.get(id) ?? []));
    const found = rings.flatMap(
      (ring) => ring.find(({ draft }) => !detours.has(draft.key) && canDetour(draft, isHeld))?.draft.key ?? [],
    );
    for (const key of found) detours.add(key);
    if (found.length > 0) continue;
    for (const draft of meant) if (detours.has(draft.key)) note(draft, detourWords(draft));
    return {
      ...order,
      trails,
      holders,
      diagnostics: [
        ...rings.flatMap((ring) => refusal(ring, isHeld, selects)),
        ...order.conflicts.map((conflict) => conflictDiagnostic(conflict, drafts)),
      ],
    };
  }
}

function detourWords({ desired }: Draft): string {
  return `moves through ${desired?.lifecycle.via} because the moves form a cycle: clients are interrupted twice`;
}

/** True for a move that starts in its own `via`, because an earlier run stopped there. */
export function isPassing(draft: Draft): boolean {
  return isPinnedMove(draft) && viaPlace(draft) === placeIn(draft.scope, draft.live?.spec ?? {});
}

function viaPlace(draft: Draft): string | null {
  const spec = viaSpecOf(draft);
  return spec === null ? null : placeIn(draft.scope, spec);
}

/** True if the move can pass through its `via`. It must be pinned: only the id identifies a resource that is left there. */
function canDetour(draft: Draft, isHeld: IsHeld): boolean {
  const place = viaPlace(draft);
  const ends = [draft.live?.spec, draft.specAfter].map((spec) => (spec ? placeIn(draft.scope, spec) : null));
  return isPinnedMove(draft) && place !== null && !isHeld(place) && !ends.includes(place);
}

function isPinnedMove({ change, live, desired }: Draft): boolean {
  return change.action === 'move' && live !== null && desired?.pin === live.id;
}

function refusal(ring: readonly StepDraft[], isHeld: IsHeld, selects: (draft: Draft) => boolean): Diagnostic[] {
  const members = [...new Set(ring.map(({ draft }) => draft))];
  const named = members.find(selects) ?? members[0];
  if (named === undefined) return [];
  // Each step needs the slot of the next one, so this order shows the direction of the moves.
  const drawn = [...members, ...members.slice(0, 1)].map(({ change }) => change.address).join(' → ');
  return [
    {
      severity: 'error',
      code: 'ring',
      message: `these moves form a cycle, so none of them can run first: ${drawn} (${members.map(journey).join('; ')})`,
      hint: wayOut(members, isHeld),
      address: named.change.address,
      ...(named.change.source === null ? {} : { range: named.change.source }),
      related: members.flatMap((draft) =>
        draft === named || draft.change.source === null
          ? []
          : [{ message: journey(draft), range: draft.change.source }],
      ),
    },
  ];
}

function wayOut(members: readonly Draft[], isHeld: IsHeld): string {
  const [rules] = members.map(({ scope }) => scope.rules);
  if (rules !== undefined && placedBy(rules)?.isName === true) return RENAME_APART;
  const empty = (rules && slotWordsOf(rules)?.empty) ?? 'an empty slot';
  const willing = members.find((draft) => viaPlace(draft) !== null);
  if (willing === undefined) return `Write lifecycle.via on one of the moves, naming ${empty}.`;
  const { change, live, desired } = willing;
  const via = desired?.lifecycle.via;
  if (isHeld(viaPlace(willing) ?? ''))
    return `lifecycle.via of ${change.address} names ${via}, which is already in use: name ${empty} instead.`;
  return `Write id: ${live?.id} for ${change.address}: only the id identifies the resource during its move through ${via}.`;
}

function journey({ change, scope, live, specAfter }: Draft): string {
  const [from, to] = [live?.spec, specAfter].map((spec) => (spec ? scope.rules.place(spec) : null) ?? 'nowhere');
  return `${change.address}: ${from} → ${to}`;
}

function conflictDiagnostic({ matching, stays, wants }: PlaceConflict, drafts: readonly Draft[]): Diagnostic {
  const { address, source } = wants.draft.change;
  const place = wants.after === null ? 'in its slot' : matching.scope.rules.place(wants.after);
  const at = { severity: 'error', code: 'place_held', address, ...(source === null ? {} : { range: source }) } as const;
  const { holder } = stays;
  const other =
    stays.taker?.draft.change ??
    drafts.find(({ live, desired }) => live === holder && desired !== null)?.change ??
    matching.bindings.find(({ live }) => live === holder)?.desired;
  if (other === undefined) {
    const id = holder?.id ?? '?';
    return {
      ...at,
      message: `${address} cannot be ${place}: ${id} is ${place} already, and no file lists ${id}`,
      hint: `Write id: ${id} to adopt the live resource, or declare the live resource with state: absent.`,
    };
  }
  return {
    ...at,
    message: `${address} cannot be ${place}: ${other.address} is ${place} already`,
    hint: 'Move or remove one of the two resources.',
    related: other.source === null ? [] : [{ message: `${other.address} is declared here`, range: other.source }],
  };
}
