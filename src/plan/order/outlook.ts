// Adds the effect of the whole plan on slots: which become empty, until when, and which are empty now.
import { compareText, isJsonObject, textOf, type JsonObject } from '../../base/json.ts';
import { amend, isAction, NO_EFFECT, note, type Draft } from '../diff/draft.ts';
import type { Effect, EffectInput, KindRules } from '../kind-rules.ts';
import { placeIn } from '../scope.ts';
import type { Order } from './order.ts';
import { isPassing, type Routed } from './rings.ts';
import { placeAfter, placeBefore } from './finish-step.ts';

interface Outlook {
  readonly order: Order;
  readonly holders: Routed['holders'];
  /** The changes that run; the resource of a blocked change stays in its slot. */
  readonly running: readonly Draft[];
  /** The changes of a reviewed plan that run now or later. */
  readonly covered: readonly Draft[];
}

/** Adds to each change the effect of the slot that it empties; a change outside `covered` that waits for a consent gets a note. */
export function addOutlook(drafts: readonly Draft[], { order, holders, running, covered }: Outlook): void {
  const places = new Map(drafts.map((draft) => [draft, leftPlace(draft, order)]));
  if (drafts.every((draft) => places.get(draft) === null && draft.change.action !== 'move')) return;
  const worlds = [running, covered, drafts].map((those) => ({
    own: new Set(those),
    going: new Set(those.map((draft) => (leftPlace(draft, order) === null ? null : draft.live))),
    // For `covered`, every change may fill a slot: a change that waits for another change fills its slot later.
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

/** Returns notes on a move into a slot that is empty now, because an earlier run may have stopped halfway. */
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

/** Returns the effect of a slot that a resource with this spec leaves, or that is empty already. */
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
