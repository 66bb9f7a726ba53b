// Blocks changes of resources that trueup matched only by counting, until the file names these resources.
import { listed } from '../../base/picked.ts';
import { addressOf } from '../../model/address.ts';
import type { Candidate } from '../../model/outcome/plan.ts';
import { amend, block, isAction, note, removes, type Draft } from '../diff/draft.ts';
import type { Allowance } from '../input.ts';
import type { Binding, Guess } from '../match/match-state.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { nameIn, type Scope } from '../scope.ts';
import { isAllowed } from './consents.ts';

/** A guess, with all declarations that share it. */
interface Guessed {
  readonly scope: Scope;
  readonly guess: Guess;
  readonly bindings: readonly Binding[];
}

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
      const found = scope.rules.choose === undefined ? counted(guessed, own) : chosen(guess, own, allow);
      const candidates = found.length === 0 ? [] : candidatesOf(guessed);
      for (const draft of found) refuseGuess(draft, candidates);
    }
}

/** Returns the drafts to block: guesses among several resources or at a named resource, and removals of other candidates. */
function counted({ scope, guess, bindings }: Guessed, drafts: readonly Draft[]): readonly Draft[] {
  const { members, isMany } = guess;
  const guesses = new Set(bindings.map(({ desired }) => desired.address));
  return drafts.filter(({ live, desired, change }) => {
    if (desired !== null && guesses.has(change.address))
      return isMany || (live !== null && nameIn(scope, live.spec) !== null);
    return live !== null && members.includes(live) && removes(change);
  });
}

/** Returns the drafts to block if the kind has `choose`: removals that no allowance names by id, unless all candidates are removed. */
function chosen({ members }: Guess, drafts: readonly Draft[], allow: readonly Allowance[]): readonly Draft[] {
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

/** A change lists at most this many candidates, because a pool can have hundreds. */
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
