// Plans when each slot is taken and left. A slot holds one resource, so steps wait for each other, and moves can form a cycle.
import { isKnown, placedBy, slotWordsOf } from '../../model/attributes.ts';
import { compareText, jsonEqual } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Matching } from '../match/matching.ts';
import { placeIn } from '../scope.ts';
import { groupBy } from '../../base/group-by.ts';
import { needIn, ringsOf, type Needs } from './reference-needs.ts';
import { placeAfter, placeBefore, stepDraftsOf, viaSpecOf, type StepDraft } from './finish-step.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { errorOn, note, type Draft } from '../diff/draft.ts';

/** The stay of a resource in a slot. `taker`: the step that begins it, null if it began before the plan. `freer`: the step that ends it, or null. */
interface Stay {
  readonly place: string;
  readonly holder: LiveResource | null;
  readonly taker: StepDraft | null;
  readonly freer: StepDraft | null;
}

/** A conflict about a slot: the resource of `stays` does not leave it, but the step `wants` puts another resource there. */
interface PlaceConflict {
  readonly stays: Stay;
  readonly wants: StepDraft;
}

interface SlotOrder {
  readonly needs: Needs;
  readonly conflicts: readonly PlaceConflict[];
}

/** The live resources in each slot before the plan. */
type Holders = ReadonlyMap<string | null, readonly { readonly live: LiveResource }[]>;

function holdersIn(matchings: readonly Matching[]): Holders {
  const held = matchings.flatMap(({ scope }) =>
    scope.live.map((live) => ({ live, place: isKnown(scope.rules, live) ? placeIn(scope, live.spec) : null })),
  );
  const holders = groupBy(held, ({ place }) => place);
  holders.delete(null);
  return holders;
}

/**
 * Finds the steps that wait for others because of slots. `trails`: for each change, its steps in order. A step takes a slot after the former
 * resource has left it. A move that only passes through a slot does so before another resource takes the slot to stay.
 */
function slotOrderOf(
  matchings: readonly Matching[],
  holders: Holders,
  trails: readonly (readonly StepDraft[])[],
): SlotOrder {
  const needs: Parameters<typeof needIn>[0] = new Map();
  const need = needIn(needs);
  const conflicts: PlaceConflict[] = [];
  const taking = trails.flatMap((trail) =>
    trail.flatMap((taker, at): Stay[] => {
      const place = placeAfter(taker);
      // A new member of a preview set is blocked while another resource has its name, so the member takes no slot.
      if (place === null || taker.draft.isForeign || place === placeBefore(taker)) return [];
      return [{ place, holder: null, taker, freer: trail.slice(at + 1).find(frees) ?? null }];
    }),
  );
  if (taking.length === 0) return { needs, conflicts };
  const leaving = new Map(trails.flatMap((trail) => trail.filter(leavesStart).map((step) => [step.target, step])));
  const inherited = matchings.flatMap(({ scope, bindings }) =>
    bindings.flatMap(({ inherited: live }) => (live === undefined ? [] : [{ place: placeIn(scope, live.spec), live }])),
  );
  const coming = groupBy(inherited, ({ place }) => place);
  for (const [place, own] of groupBy(taking, (one) => one.place)) {
    const held = [...(holders.get(place) ?? []), ...(coming.get(place) ?? [])].map(({ live: holder }): Stay => ({
      place,
      holder,
      taker: null,
      freer: leaving.get(holder) ?? null,
    }));
    const stays = [...held, ...own].sort(
      (a, b) => rank(a) - rank(b) || compareText(a.taker?.id ?? '', b.taker?.id ?? ''),
    );
    stays.forEach(({ taker, freer }, at) => {
      const previous = stays[at - 1];
      if (taker !== null && freer !== null) need(freer, taker);
      if (taker === null || previous === undefined) return;
      if (previous.freer === null) conflicts.push({ stays: previous, wants: taker });
      else need(taker, previous.freer);
    });
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

/** Returns the rank of a stay in its slot: 0 if it began before the plan, 1 if the plan begins and ends it, 2 if it lasts. */
function rank({ taker, freer }: Stay): number {
  return taker === null ? 0 : freer === null ? 2 : 1;
}

export interface Routed {
  readonly needs: Needs;
  readonly trails: readonly (readonly StepDraft[])[];
  readonly holders: Holders;
  readonly diagnostics: readonly Diagnostic[];
}

type IsHeld = (place: string) => boolean;

/** Returns the steps of the changes to carry out, and their waits for slots. A move that uses the slot in `lifecycle.via` gets a note. */
export function routeSteps(
  matchings: readonly Matching[],
  drafts: readonly Draft[],
  selects: (draft: Draft) => boolean,
): Routed {
  // A due change that this run does not carry out blocks no other step.
  const meant = drafts.filter(({ isAsked }) => isAsked);
  const holders = holdersIn(meant.length === 0 ? [] : matchings);
  // A resource that an earlier run left in its `via` slot is about to leave it, so other moves may pass through that slot.
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
      needs: order.needs,
      trails,
      holders,
      diagnostics: [
        ...rings.flatMap((ring) => refusal(ring, selects)),
        ...order.conflicts.map((conflict) => conflictDiagnostic(conflict, drafts)),
      ],
    };
  }
}

function detourWords({ desired }: Draft): string {
  return `moves through ${desired?.lifecycle.via} because the moves form a cycle: clients are interrupted twice`;
}

/** True for a move whose resource is already at its intermediate slot (`via`), because an earlier run stopped there. */
export function isPassing(draft: Draft): boolean {
  return isPinnedMove(draft) && viaPlace(draft) === placeIn(draft.scope, draft.live?.spec ?? null);
}

function viaPlace(draft: Draft): string | null {
  return placeIn(draft.scope, viaSpecOf(draft));
}

/** True if the move can pass through its `via` slot. The declaration needs an id: a later run finds a resource left there only by id. */
function canDetour(draft: Draft, isHeld: IsHeld): boolean {
  const place = viaPlace(draft);
  const ends = [draft.live?.spec ?? null, draft.specAfter].map((spec) => placeIn(draft.scope, spec));
  return isPinnedMove(draft) && place !== null && !isHeld(place) && !ends.includes(place);
}

function isPinnedMove({ change, live, desired }: Draft): boolean {
  return change.action === 'move' && live !== null && desired?.pin === live.id;
}

function refusal(ring: readonly StepDraft[], selects: (draft: Draft) => boolean): Diagnostic[] {
  const members = [...new Set(ring.map(({ draft }) => draft))];
  const named = members.find(selects) ?? members[0];
  if (named === undefined) return [];
  // Each step needs the slot of the next one, so this order shows the direction of the moves.
  const drawn = [...members, ...members.slice(0, 1)].map(({ change }) => change.address).join(' → ');
  const message = `these moves form a cycle, so none of them can run first: ${drawn} (${members.map(journey).join('; ')})`;
  const others = members.filter((draft) => draft !== named);
  return [errorOn(named, 'ring', message, wayOut(members), relatedTo(others, journey))];
}

const RENAME_APART =
  'Rename one of the resources to an unused name, apply, then rename that resource to its final name.';

function wayOut([first]: readonly Draft[]): string {
  const rules = first?.scope.rules;
  if (rules !== undefined && placedBy(rules)?.isName === true) return RENAME_APART;
  const empty = (rules && slotWordsOf(rules)?.empty) ?? 'an empty slot';
  return `Write the id: and lifecycle.via on one of the moves; lifecycle.via names ${empty}.`;
}

function journey({ change, scope, live, specAfter }: Draft): string {
  const [from, to] = [live?.spec, specAfter].map((spec) => (spec ? scope.rules.place(spec) : null) ?? 'nowhere');
  return `${change.address}: ${from} → ${to}`;
}

function conflictDiagnostic({ stays: { holder, taker }, wants }: PlaceConflict, drafts: readonly Draft[]): Diagnostic {
  const { change, scope } = wants.draft;
  const place = wants.after === null ? 'in its slot' : scope.rules.place(wants.after);
  const id = holder?.id ?? '?';
  const other = taker?.draft ?? drafts.find(({ live, desired }) => live === holder && desired !== null);
  const [words, hint] =
    other === undefined
      ? [
          `${id} is ${place} already, and no file lists ${id}`,
          `Write id: ${id} to adopt the live resource, or declare the live resource with state: absent.`,
        ]
      : [`${other.change.address} is ${place} already`, 'Move or remove one of the two resources.'];
  const related = other === undefined ? {} : relatedTo([other], (one) => `${one.change.address} is declared here`);
  return errorOn(wants.draft, 'place_held', `${change.address} cannot be ${place}: ${words}`, hint, related);
}

function relatedTo(drafts: readonly Draft[], wordsOf: (draft: Draft) => string): Pick<Diagnostic, 'related'> {
  const related = drafts.flatMap((draft) =>
    draft.change.source === null ? [] : [{ message: wordsOf(draft), range: draft.change.source }],
  );
  return { related };
}
