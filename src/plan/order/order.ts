// Orders steps by slots, references and former names. Adds to each change the effect of the slot that it empties.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { groupBy } from '../../base/group-by.ts';
import { errorOn, amend, isAction, NO_EFFECT, note, type Draft } from '../diff/draft.ts';
import { placeIn } from '../scope.ts';
import { mustFollow, needIn, referenceNeeds, ringsOf, type Need, type Needs } from './reference-needs.ts';
import { comesAlong, formerOf, placeAfter, placeBefore, type StepDraft } from './finish-step.ts';
import { compareText, isJsonObject, textOf, type JsonObject } from '../../base/json.ts';
import type { Effect, EffectInput, KindRules } from '../kind-rules.ts';
import { isPassing, type Routed } from './rings.ts';

export interface Order {
  /** The steps of each change, by the key of its draft. */
  readonly steps: ReadonlyMap<string, readonly StepDraft[]>;
  readonly needs: Needs;
  readonly diagnostics: readonly Diagnostic[];
}

/** Orders steps. Adds to the waits for slots (`ofSlots`) those by restarts, parts of a change, replacements, references and former names. */
export function orderSteps(trails: readonly (readonly StepDraft[])[], ofSlots: Needs): Order {
  const steps = trails.flat();
  const all = new Map([...ofSlots].map(([id, firsts]) => [id, new Set(firsts)]));
  const need = needIn(all);
  for (const own of groupBy(steps, ({ draft }) => draft.change.address).values()) chainRestart(own, need);
  for (const trail of trails) {
    const [first, second] = trail;
    if (first?.draft.change.action !== 'replace') trail.slice(1).forEach((step, at) => need(step, trail[at] ?? step));
    // A replacement creates the new resource before it removes the old one, unless the new one needs the slot of the old one.
    else if (second !== undefined && !mustFollow(all, second.id, first.id)) need(first, second);
  }
  referenceNeeds(steps, need);
  for (const [step, first] of formerNeeds(steps, all)) need(step, first);
  return {
    steps: new Map(trails.map((trail) => [trail[0]?.draft.key ?? '', trail])),
    needs: all,
    diagnostics: referenceRings(steps, all, ofSlots),
  };
}

/** Makes a restart wait for the last update or move of its resource. */
function chainRestart(steps: readonly StepDraft[], need: Need): void {
  const restart = steps.find(({ action }) => action === 'restart');
  const last = steps.findLast(({ action }) => action === 'update' || action === 'move');
  if (restart !== undefined && last !== undefined) need(restart, last);
}

/**
 * Returns waits for creations whose `renamed_from` matched nothing. A step that gives this former name to another resource must run later, or a
 * later run could confuse the two resources. No wait if the creation needs that step, or if the creation of the project includes that step.
 */
function formerNeeds(steps: readonly StepDraft[], needs: Needs): readonly (readonly [StepDraft, StepDraft])[] {
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
      .map((step) => [step, first] as const),
  );
}

/** Returns an error for each cycle of waits, except cycles that slots alone cause: `routeSteps` reports those. */
function referenceRings(steps: readonly StepDraft[], needs: Needs, ofSlots: Needs): readonly Diagnostic[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  return ringsOf(needs).flatMap((ring): Diagnostic[] => {
    if (ring.every((id, at) => ofSlots.get(id)?.has(ring[(at + 1) % ring.length] ?? ''))) return [];
    const drafts = ring.flatMap((id) => byId.get(id)?.draft ?? []);
    const [first] = drafts;
    if (first === undefined) return [];
    const drawn = [...drafts, first].map(({ change }) => change.address).join(' → ');
    const message = `these changes depend on each other in a cycle, so none of them can run first: ${drawn}`;
    const hint = 'Remove one of the references or former names (renamed_from), apply, then write the reference again.';
    return [errorOn(first, 'reference_ring', message, hint)];
  });
}

interface Outlook {
  readonly order: Order;
  readonly holders: Routed['holders'];
  /** The changes that run; the resource of a blocked change stays in its slot. */
  readonly running: readonly Draft[];
  /** The changes that run, and those that do not run now only because of their time, a missing consent or a limit. */
  readonly covered: readonly Draft[];
}

/** Adds to each change in `covered` the effect of the slot that it empties. A change outside `covered` that lacks a consent gets a note instead. */
export function addOutlook(drafts: readonly Draft[], { order, holders, running, covered }: Outlook): void {
  const places = new Map(drafts.map((draft) => [draft, leftPlace(draft, order)]));
  if (drafts.every((draft) => places.get(draft) === null && draft.change.action !== 'move')) return;
  const worlds = [running, covered, drafts].map((those) => ({
    own: new Set(those),
    going: new Set(those.map((draft) => (leftPlace(draft, order) === null ? null : draft.live))),
    // For `covered`, every change counts as a taker: a change that is blocked by another one may take its slot later.
    takers: takersOf(those === covered ? drafts : those, order),
  }));
  for (const draft of drafts) {
    const { live, scope, change } = draft;
    const { rules, project } = scope;
    if (rules.effects.leave === undefined || !isAction(draft)) continue;
    note(draft, ...arrivalNotes(draft, holders));
    const place = places.get(draft) ?? null;
    const world = worlds.find(({ own }) => own.has(draft));
    if (place === null || live === null || world === undefined) continue;
    if ((holders.get(place) ?? []).some((held) => held.live !== live && !world.going.has(held.live))) continue;
    const until = world.takers.get(place) ?? null;
    const left = leavingOf(rules, live.spec, { project, leaving: { until, isPassage: isPassing(draft) } });
    const words = wordsIn(left);
    if (world !== worlds[2]) addEffect(draft, left);
    else if (change.blockedBy.includes('consent') && words.length > 0)
      note(draft, `if this change ran: ${words.join('; ')}`);
  }
}

function leftPlace({ key, live }: Draft, order: Order): string | null {
  const first = order.steps.get(key)?.find(({ target }) => target !== null && target === live);
  if (first === undefined) return null;
  const place = placeBefore(first);
  return place === placeAfter(first) ? null : place;
}

/** Returns notes for a move into a slot that is already empty: what the empty slot affects. An earlier run may have emptied the slot. */
function arrivalNotes({ change, specAfter, scope }: Draft, holders: Outlook['holders']): readonly string[] {
  const place = change.action === 'move' ? placeIn(scope, specAfter) : null;
  if (specAfter === null || place === null || holders.has(place)) return [];
  return wordsIn(leavingOf(scope.rules, specAfter, { project: scope.project }));
}

function takersOf(running: readonly Draft[], order: Order): ReadonlyMap<string, string> {
  const takers = new Map<string, string>();
  for (const { key, change } of running.toSorted((a, b) => compareText(a.change.address, b.change.address))) {
    const last = order.steps.get(key)?.findLast(({ after }) => after !== null);
    const place = last === undefined ? null : placeAfter(last);
    if (last !== undefined && place !== null && place !== placeBefore(last)) takers.set(place, change.address);
  }
  return takers;
}

function addEffect(draft: Draft, { impact, details, notes }: Effect): void {
  const { change } = draft;
  amend(draft, {
    impact: [...impact, ...change.impact.filter((word) => word !== 'none' && !impact.includes(word))],
    impactDetails: { ...details, ...change.impactDetails },
    notes: [...change.notes, ...notes],
  });
}

/** Returns the effect of an emptied slot. `before`: the spec of a resource in the slot. Without `more.leaving`, the slot is empty already. */
export function leavingOf(
  { effects }: Pick<KindRules, 'effects'>,
  before: JsonObject,
  more: Pick<EffectInput, 'project' | 'leaving'>,
): Effect {
  const input: EffectInput = { ...more, action: 'move', before, after: null, attributes: [], live: null, around: [] };
  return effects.leave?.(input) ?? NO_EFFECT;
}

export function wordsIn({ details }: Effect): readonly string[] {
  return Object.values(details).flatMap((detail) => (isJsonObject(detail) ? (textOf(detail['words']) ?? []) : []));
}
