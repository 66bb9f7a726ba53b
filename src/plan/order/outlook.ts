// What the plan as a whole does to places of capacity one: which are left, until when, and which nobody holds now.
import { isKnown } from '../../model/attributes.ts';
import { compareText } from '../../base/json.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Impact } from '../../model/outcome/impact.ts';
import { isAction, noted, type Draft } from '../diff/draft.ts';
import type { Effect } from '../kind-rules.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { placeIn } from '../scope.ts';
import { isPassing } from './rings.ts';
import type { StepIndex } from './step-index.ts';
import { placeAfter, placeBefore } from './step-draft.ts';

interface Outlook {
  readonly index: StepIndex;
  /** What will be carried out: what is held back stays where it is. */
  readonly running: readonly Draft[];
  /** What would be if nothing held it back but what a review stands under. */
  readonly covered: readonly Draft[];
}

/**
 * The drafts with what it means to others that they leave a place: in between, where somebody takes it later in the plan, else for
 * good. What is held back by what passes leaves what it would then. What else is held back leaves nothing; where somebody's word is missing
 * as well, it says what it would leave.
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
    // A change that waits for another one takes its place as soon as that runs.
    takers: takersOf(those === covered ? drafts : those, index),
  }));
  return drafts.map((draft) => {
    const { rules, declaration: project } = draft.scope;
    if (rules.vacancy === undefined || !isAction(draft)) return draft;
    const told = noted(draft, ...arrivalNotes(draft, holders));
    const place = leftPlace(draft, index);
    const { live } = draft;
    const world = worlds.find(({ keys }) => keys.has(draft.key));
    if (place === null || live === null || world === undefined) return told;
    const stays = (holders.get(place) ?? []).some((holder) => holder !== live && !world.going.has(holder));
    if (stays) return told;
    const until = world.takers.get(place) ?? null;
    const { left } = rules.vacancy.of({ spec: live.spec, project, until, isPassage: isPassing(draft) });
    if (!world.isAsked) return withEffect(told, left);
    return draft.change.blockedBy.includes('consent') ? noted(told, ...wouldLeave(left)) : told;
  });
}

/** The place that the resource holds at the start and that the change takes it away from; null without one. */
function leftPlace({ key, live }: Draft, index: StepIndex): string | null {
  const first = index.stepsOf(key).find(({ target }) => target !== null && target === live);
  if (first === undefined) return null;
  const place = placeBefore(first);
  return place === placeAfter(first) ? null : place;
}

function arrivesByMove({ change, specAfter }: Draft): boolean {
  return change.action === 'move' && specAfter !== null;
}

/** A place to which something moves, and which nobody holds: perhaps since an earlier run broke off. */
function arrivalNotes(draft: Draft, holders: ReadonlyMap<string, readonly LiveResource[]>): readonly string[] {
  const { specAfter, scope } = draft;
  if (specAfter === null || !arrivesByMove(draft)) return [];
  const place = placeIn(scope, specAfter);
  if (place === null || holders.has(place)) return [];
  const empty = { spec: specAfter, project: scope.declaration, until: null, isPassage: false };
  return [scope.rules.vacancy?.of(empty).before ?? []].flat();
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

/** Who takes each place for good, by address. */
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

function wouldLeave({ details }: Effect): readonly string[] {
  const words = Object.values(details).flatMap((detail) =>
    typeof detail === 'object' && detail !== null && 'words' in detail ? [String(detail['words'])] : [],
  );
  return words.length === 0 ? [] : [`if this change ran: ${words.join('; ')}`];
}
