// The effect of the whole plan on slots: which are vacated, until when, and which have no holder now.
import { isKnown } from '../../model/attributes.ts';
import { compareText, isJsonObject, textOf, type JsonObject } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Impact } from '../../model/outcome/impact.ts';
import { isAction, noted, type Draft } from '../diff/draft.ts';
import type { Effect, EffectInput, KindRules } from '../kind-rules.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { placeIn } from '../scope.ts';
import { isPassing } from './rings.ts';
import type { StepIndex } from './step-index.ts';
import { placeAfter, placeBefore } from './step-draft.ts';

interface Outlook {
  readonly index: StepIndex;
  /** The changes that run; a blocked resource stays in its slot. */
  readonly running: readonly Draft[];
  /** The changes that a reviewed plan covers. */
  readonly covered: readonly Draft[];
}

/**
 * Adds to each draft the effect of the slot that it vacates: until a later change takes the slot, else for good. A change that waits for
 * a window or limit vacates the slot when it runs. A change without consent gets a note about what it would vacate.
 */
export function withOutlook(
  drafts: readonly Draft[],
  matchings: readonly Matching[],
  { index, running, covered }: Outlook,
): readonly Draft[] {
  const leaving = drafts.filter((draft) => leftPlace(draft, index) !== null || arrivesByMove(draft));
  if (leaving.length === 0) return drafts;
  const holders = holdersOf(matchings);
  const worlds = [running, covered, drafts].map((those) => ({
    isAsked: those === drafts,
    keys: new Set(those.map(({ key }) => key)),
    going: new Set(those.flatMap((draft) => (leftPlace(draft, index) === null ? [] : [draft.live]))),
    // A change that waits for another one takes its slot as soon as the other runs.
    takers: takersOf(those === covered ? drafts : those, index),
  }));
  return drafts.map((draft) => {
    const { rules, declaration: project } = draft.scope;
    if (rules.effects.leave === undefined || !isAction(draft)) return draft;
    const told = noted(draft, ...arrivalNotes(draft, holders));
    const place = leftPlace(draft, index);
    const { live } = draft;
    const world = worlds.find(({ keys }) => keys.has(draft.key));
    if (place === null || live === null || world === undefined) return told;
    const stays = (holders.get(place) ?? []).some((holder) => holder !== live && !world.going.has(holder));
    if (stays) return told;
    const until = world.takers.get(place) ?? null;
    const left = leavingOf(rules, live.spec, { project, leaving: { until, isPassage: isPassing(draft) } });
    if (!world.isAsked) return withEffect(told, left);
    const words = wordsIn(left);
    const isHeard = draft.change.blockedBy.includes('consent') && words.length > 0;
    return isHeard ? noted(told, `if this change ran: ${words.join('; ')}`) : told;
  });
}

/** The slot that the resource holds at the start and leaves by the change; null for none. */
function leftPlace({ key, live }: Draft, index: StepIndex): string | null {
  const first = index.stepsOf(key).find(({ target }) => target !== null && target === live);
  if (first === undefined) return null;
  const place = placeBefore(first);
  return place === placeAfter(first) ? null : place;
}

function arrivesByMove({ change, specAfter }: Draft): boolean {
  return change.action === 'move' && specAfter !== null;
}

/** Notes on a move into a slot without a holder: an earlier run may have stopped there. */
function arrivalNotes(draft: Draft, holders: ReadonlyMap<string, readonly LiveResource[]>): readonly string[] {
  const { specAfter, scope } = draft;
  if (specAfter === null || !arrivesByMove(draft)) return [];
  const place = placeIn(scope, specAfter);
  if (place === null || holders.has(place)) return [];
  return wordsIn(leavingOf(scope.rules, specAfter, { project: scope.declaration }));
}

function holdersOf(matchings: readonly Matching[]): ReadonlyMap<string, readonly LiveResource[]> {
  const held = matchings.flatMap(({ scope }) =>
    scope.live.flatMap((live) => {
      const place = isKnown(scope.rules, live) ? placeIn(scope, live.spec) : null;
      return place === null ? [] : [{ place, live }];
    }),
  );
  return new Map([...groupBy(held, ({ place }) => place)].map(([place, all]) => [place, all.map(({ live }) => live)]));
}

/** The address that takes each slot for good. */
function takersOf(running: readonly Draft[], index: StepIndex): ReadonlyMap<string, string> {
  const takers = running.flatMap((draft) => {
    const last = index.stepsOf(draft.key).findLast(({ after }) => after !== null);
    const place = last === undefined ? null : placeAfter(last);
    return place === null || last === undefined || place === placeBefore(last)
      ? []
      : [[place, draft.change.address] as const];
  });
  return new Map(takers.toSorted((a, b) => compareText(a[1], b[1])));
}

function withEffect(draft: Draft, { impact, details, notes }: Effect): Draft {
  const { change } = draft;
  const more = [...impact, ...change.impact.filter((word) => word !== 'none' && !impact.includes(word))];
  return {
    ...draft,
    change: {
      ...change,
      impact: more satisfies readonly Impact[],
      impactDetails: { ...details, ...change.impactDetails },
      notes: [...change.notes, ...notes],
    },
  };
}

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

/** The effect on others when a resource with this spec leaves its slot, or where nobody holds that slot. */
export function leavingOf(
  { effects }: Pick<KindRules, 'effects'>,
  before: JsonObject,
  more: Pick<EffectInput, 'project' | 'leaving'>,
): Effect {
  const input: EffectInput = { ...more, action: 'move', before, after: null, attributes: [], live: null, around: [] };
  return effects.leave?.(input) ?? NOTHING;
}

/** The words of an effect, a sentence for each impact. */
export function wordsIn({ details }: Effect): readonly string[] {
  return Object.values(details).flatMap((detail) => (isJsonObject(detail) ? (textOf(detail['words']) ?? []) : []));
}
