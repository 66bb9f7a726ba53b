// Ambiguous changes: trueup does not change a resource that it matched only by counting, until the file names it.
import { listed } from '../../base/picked.ts';
import { addressOf } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Candidate } from '../../model/outcome/plan.ts';
import { amend, block, isAction, note, removes, type Draft } from '../diff/draft.ts';
import type { Allowance } from '../input.ts';
import { poolKeyOf, type Binding } from '../match/match-state.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { nameIn, type Scope } from '../scope.ts';
import { isAllowed } from './consents.ts';

/** A group of live resources that the same declarations may mean. */
interface Pool {
  readonly scope: Scope;
  readonly guessed: readonly Binding[];
  /** Live resources that no declaration matches, except by a guess. */
  readonly members: ReadonlySet<LiveResource>;
  /** True if the pool has several declarations or several live resources. */
  readonly isMany: boolean;
}

export function guardGuesses(
  matchings: readonly Matching[],
  drafts: readonly Draft[],
  allow: readonly Allowance[],
): void {
  const acting = groupBy(drafts.filter(isAction), ({ scope }) => scope);
  for (const matching of matchings) {
    const own = acting.get(matching.scope);
    if (own === undefined || !matching.bindings.some(({ guess }) => guess)) continue;
    for (const pool of poolsOf(matching)) {
      const found = matching.scope.rules.choose === undefined ? counted(pool, own) : chosen(pool, own, allow);
      const candidates = found.length === 0 ? [] : candidatesOf(pool);
      for (const draft of found) refuseGuess(draft, candidates);
    }
  }
}

function poolsOf({ scope, bindings, unclaimed }: Matching): Pool[] {
  const keyOf = ({ spec }: Pick<LiveResource, 'spec'>): string => poolKeyOf(scope.rules, spec) ?? '';
  const accepted = new Set(scope.declaration?.unmanagedOk);
  const free = new Set(unclaimed.filter(({ id }) => !accepted.has(id)));
  const pools = groupBy(scope.live, keyOf);
  return [...groupBy(bindings, ({ desired }) => keyOf(desired))].flatMap(([key, declared]) => {
    const live = pools.get(key) ?? [];
    const guessed = declared.filter(({ guess }) => guess);
    const claimed = new Set(guessed.flatMap((one) => [one.live, ...one.companions]));
    const members = new Set(live.filter((one) => claimed.has(one) || free.has(one)));
    const isMany = Math.max(live.length, declared.length) > 1;
    return guessed.length === 0 ? [] : [{ scope, guessed, members, isMany }];
  });
}

/** The drafts to block: guesses among several resources, guesses of a named resource, and removals of other candidates. */
function counted({ scope, guessed, members, isMany }: Pool, drafts: readonly Draft[]): readonly Draft[] {
  const guesses = new Set(guessed.map(({ desired }) => desired.address));
  return drafts.filter(({ live, desired, change }) => {
    if (desired !== null && guesses.has(change.address))
      return isMany || (live !== null && nameIn(scope, live.spec) !== null);
    return live !== null && members.has(live) && removes(change);
  });
}

/** The drafts to block if the kind has `choose`: removals that no allowance names by id. Removing all candidates needs no choice. */
function chosen({ members }: Pool, drafts: readonly Draft[], allow: readonly Allowance[]): readonly Draft[] {
  const leaving = drafts.filter(({ live, change }) => live !== null && members.has(live) && removes(change));
  const gone = new Set(leaving.map(({ live }) => live));
  return [...members].every((one) => gone.has(one)) ? [] : leaving.filter((draft) => !isNamed(draft, allow));
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

/** The candidates, each with a text such as `ep-1 (shop/a), 1–2 CU, last active 2026-11-20T11:00:00Z`. */
function candidatesOf({ scope, members, guessed }: Pool): readonly (readonly [Candidate, string])[] {
  const matched = new Map(guessed.map(({ live, desired }) => [live, desired.address]));
  return [...members].slice(0, MOST_CANDIDATES).map((live) => {
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
