// Guards single changes: protection, stale pins, consents, windows, guessed matches, and the kind's objections to a removal.
import { textOf } from '../../base/json.ts';
import { listed } from '../../base/picked.ts';
import { addressOf, SETS } from '../../model/address.ts';
import { warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { interrupts } from '../../model/outcome/impact.ts';
import type { Block, Change, Candidate } from '../../model/outcome/plan.ts';
import { addressesOf, amend, block, isAction, losesData, note, removes, type Draft } from '../diff/draft.ts';
import type { PlanInput, Allowance } from '../input.ts';
import { gapsOf } from '../selection.ts';
import { addConsents, lacking, isAllowed } from './consents.ts';
import type { IsKept } from './protection.ts';
import { closedBlocks, coveringWindows, idleLimitsOf, inUse } from './limits.ts';
import type { Binding, Guess } from '../match/match-state.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { nameIn, type Scope } from '../scope.ts';

export function guardChanges(drafts: readonly Draft[], input: PlanInput, isKept: IsKept): void {
  const windows = coveringWindows(input.desired.safety);
  const idleLimits = idleLimitsOf(input.desired);
  const gaps = gapsOf(input.live.unread, input.kinds);
  const isTimeUnknown = (input.clockDoubt ?? null) !== null;
  const nowMs = isTimeUnknown ? null : input.nowMs;
  for (const draft of drafts.filter(isAction)) {
    addConsents(draft, input.allow);
    const { change, isStale, live, scope } = draft;
    const isLost = losesData(change);
    // Matching many patterns takes time, so it happens only if a pattern can block the change.
    const isProtected = (isStale || isLost) && isKept(scope, draft, addressesOf(change, scope.label));
    const isHidden = live !== null && removes(change) && gaps.mayHide(change.kind, scope.projectId, live.id);
    const isShut = interrupts(change.impact) && closedBlocks(windows, scope.label, nowMs).length > 0;
    const isTimed = isTimeUnknown && (isShut || change.due || BY_THE_CLOCK.has(change.origin));
    const blocks = listed<Block>(
      isProtected && isLost && 'protect',
      isProtected && isStale && 'stale_pin',
      isHidden && 'unread',
      isTimed && 'clock_unknown',
      isShut && 'window',
      inUse(draft, idleLimits, nowMs),
    );
    block(draft, ...blocks, ...lacking(draft, input));
  }
}

/** Origins of changes that time alone can cause. */
const BY_THE_CLOCK: ReadonlySet<string> = new Set(['restart', 'rotate', SETS]);

export function clockUnknown(changes: readonly Change[], { clockDoubt = null }: PlanInput): readonly Diagnostic[] {
  const isHeld = changes.some(({ blockedBy, held }) => blockedBy.includes('clock_unknown') || held.length > 0);
  if (clockDoubt === null || !isHeld) return [];
  const message = `the time at the service is not known (${clockDoubt}), so clock-driven changes are blocked`;
  const hint = 'Correct the clock that is wrong, on this machine or at the service, then run trueup plan again.';
  return [warningOf('clock_unknown', message, hint)];
}

/** Adds the kind's objections to a removal, and checks the name of the live resource; other changes stay as they are. */
export function guardRemoval(draft: Draft): void {
  const { live, scope, change } = draft;
  if (live === null || !removes(change)) return;
  guardName(draft, live);
  const guard = scope.rules.removalGuard?.(live, scope);
  note(draft, ...(guard?.notes ?? []));
  block(draft, ...(guard?.blockedBy ?? []));
}

/** If a file deletes a resource by id, but the live name differs from the file's, only a consent for that id counts. */
function guardName(draft: Draft, live: LiveResource): void {
  const { scope, change, desired } = draft;
  if (desired?.absent !== true || desired.pin !== live.id) return;
  const name = textOf(live.spec['name']);
  if (name === null || name === desired.name || name === desired.spec['name']) return;
  const misnamed = scope.rules.kind === PROJECT ? live.id : addressOf(scope.label, live.id);
  draft.misnamed = misnamed;
  const { address, consents } = change;
  if (consents !== undefined)
    amend(draft, { consents: consents.map((one) => (one.address === address ? { ...one, address: misnamed } : one)) });
}

/** A guess, with all declarations that share it. */
interface Guessed {
  readonly scope: Scope;
  readonly guess: Guess;
  readonly bindings: readonly Binding[];
}

/** Blocks changes whose live resource is only a guess, until the file or (for a kind with `choose`) an allowance names the resource. */
export function guardGuesses(
  matchings: readonly Matching[],
  drafts: readonly Draft[],
  allow: readonly Allowance[],
): void {
  const acting = groupBy(drafts.filter(isAction), ({ scope }) => scope);
  for (const { scope, bindings: all } of matchings)
    for (const [guess, bindings] of groupBy(all, (one) => one.guess)) {
      const own = acting.get(scope);
      if (guess === null || own === undefined) continue;
      const guessed = { scope, guess, bindings };
      const found = scope.rules.choose === undefined ? countedIn(guessed, own) : chosenIn(guess, own, allow);
      const candidates = found.length === 0 ? [] : candidatesOf(guessed);
      for (const draft of found) refuseGuess(draft, candidates);
    }
}

/** Returns the drafts to block: guesses that are ambiguous (`isMany`) or match a resource with a name, and removals of other guessed `members`. */
function countedIn({ scope, guess, bindings }: Guessed, drafts: readonly Draft[]): readonly Draft[] {
  const { members, isMany } = guess;
  const guesses = new Set(bindings.map(({ desired }) => desired.address));
  return drafts.filter(({ live, desired, change }) => {
    if (desired !== null && guesses.has(change.address))
      return isMany || (live !== null && nameIn(scope, live.spec) !== null);
    return live !== null && members.includes(live) && removes(change);
  });
}

/** Returns the drafts to block if the kind has `choose`: removals that no allowance names by id, unless the plan removes all `members`. */
function chosenIn({ members }: Guess, drafts: readonly Draft[], allow: readonly Allowance[]): readonly Draft[] {
  const leaving = drafts.filter(({ live, change }) => live !== null && members.includes(live) && removes(change));
  const gone = new Set(leaving.map(({ live }) => live));
  return members.every((one) => gone.has(one)) ? [] : leaving.filter((draft) => !isNamed(draft, allow));
}

function isNamed(draft: Draft, allow: readonly Allowance[]): boolean {
  const address = draft.live === null ? null : addressOf(draft.scope.label, draft.live.id);
  return isAllowed(
    draft,
    allow.filter((one) => one.address === address),
  );
}

/** A change lists at most this many candidates (live resources that may be meant), because a pool can have hundreds. */
const MOST_CANDIDATES = 50;
const MOST_TOLD = 10;

/** Returns the candidates, each with a text such as `ep-1 (shop/a), 1–2 CU, last active 2026-11-20T11:00:00Z`. */
function candidatesOf({ scope, guess, bindings }: Guessed): readonly (readonly [Candidate, string])[] {
  const matched = new Map(bindings.map(({ live, desired }) => [live, desired.address]));
  return guess.members.slice(0, MOST_CANDIDATES).map((live) => {
    const { facts = {}, words = '' } = scope.rules.describe?.(live) ?? {};
    const address = matched.get(live) ?? null;
    const name = `${live.id} (${address ?? 'no label'})`;
    return [{ id: live.id, address, facts }, words === '' ? name : `${name}, ${words}`];
  });
}

function refuseGuess(draft: Draft, told: ReturnType<typeof candidatesOf>): void {
  const more = told.length - MOST_TOLD;
  const lines = told.slice(0, MOST_TOLD).map(([, words]) => `candidate: ${words}`);
  note(draft, ...listed(...lines, more > 0 && `and ${more} more candidates`));
  amend(draft, { candidates: told.map(([candidate]) => candidate) });
  block(draft, 'ambiguous');
}
