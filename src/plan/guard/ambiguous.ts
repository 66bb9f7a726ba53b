// Ambiguous changes: a resource that trueup matched only by counting is not changed until the file names it.
import { addressOf, type Address } from '../../model/address.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Candidate } from '../../model/outcome/plan.ts';
import { blocked, isAction, noted, removes, type Draft } from '../diff/draft.ts';
import type { Allowance } from '../input.ts';
import { poolKeyOf, type Binding } from '../match/match-state.ts';
import type { Matching } from '../match/matching.ts';
import { groupBy } from '../../base/group-by.ts';
import { nameIn, type Scope } from '../scope.ts';
import { isAllowed } from './consents.ts';

/** Live resources that each can be the same declaration. */
interface Pool {
  readonly scope: Scope;
  readonly guesses: ReadonlySet<Address>;
  /** Live resources that a guess matched, or that no declaration claims. */
  readonly members: readonly LiveResource[];
  readonly matched: ReadonlyMap<ResourceId, Address>;
  /** True if more than one is declared, or is live. */
  readonly isMany: boolean;
}

export function guardGuesses(
  matchings: readonly Matching[],
  drafts: readonly Draft[],
  allow: readonly Allowance[],
): Draft[] {
  const ambiguous = new Map<Draft, readonly ToldCandidate[]>();
  for (const matching of matchings) {
    if (!matching.bindings.some(({ guess }) => guess)) continue;
    const own = drafts.filter((draft) => draft.scope === matching.scope && isAction(draft));
    if (own.length === 0) continue;
    for (const pool of poolsOf(matching)) {
      const found = matching.scope.rules.choose === undefined ? counted(pool, own) : chosen(pool, own, allow);
      const candidates = found.length === 0 ? [] : candidatesOf(pool);
      for (const draft of found) ambiguous.set(draft, candidates);
    }
  }
  return drafts.map((draft) => {
    const candidates = ambiguous.get(draft);
    return candidates === undefined ? draft : asAmbiguous(draft, candidates);
  });
}

function poolsOf({ scope, bindings, unclaimed }: Matching): Pool[] {
  const keyOf = (spec: LiveResource['spec']): string => poolKeyOf(scope.rules, spec) ?? '';
  const accepted = new Set(scope.declaration?.unmanagedOk);
  const [free, live, declared] = [unclaimed.filter(({ id }) => !accepted.has(id)), scope.live, bindings].map((list) =>
    groupBy<LiveResource | Binding>(list, (one) => keyOf('desired' in one ? one.desired.spec : one.spec)),
  );
  return [
    ...groupBy(
      bindings.filter(({ guess }) => guess),
      ({ desired }) => keyOf(desired.spec),
    ),
  ].map(([key, guessed]): Pool => {
    const ids = new Set([
      ...guessed.flatMap(({ live: one, companions }) => [one, ...companions].flatMap((other) => other?.id ?? [])),
      ...(free?.get(key) ?? []).map((one) => ('id' in one ? one.id : '')),
    ]);
    return {
      scope,
      guesses: new Set(guessed.map(({ desired }) => desired.address)),
      members: scope.live.filter(({ id }) => ids.has(id)),
      matched: new Map(guessed.flatMap(({ live: one, desired }) => (one === null ? [] : [[one.id, desired.address]]))),
      isMany: Math.max(live?.get(key)?.length ?? 0, declared?.get(key)?.length ?? 0) > 1,
    };
  });
}

/** Counting alone changes nothing among several resources, nothing with a name of its own, and prunes nothing beside it. */
function counted({ scope, guesses, members, isMany }: Pool, drafts: readonly Draft[]): readonly Draft[] {
  const ids = new Set(members.map(({ id }) => id));
  return drafts.filter(({ live, desired, change }) => {
    if (desired !== null && guesses.has(change.address))
      return isMany || (live !== null && nameIn(scope, live.spec) !== null);
    return live !== null && ids.has(live.id) && removes(change);
  });
}

/** A kind with a choice removes one of several only with all of them, or if an allowance names its id. */
function chosen({ members }: Pool, drafts: readonly Draft[], allow: readonly Allowance[]): readonly Draft[] {
  const ids = new Set(members.map(({ id }) => id));
  const leaving = drafts.filter(({ live, change }) => live !== null && ids.has(live.id) && removes(change));
  const gone = new Set(leaving.map(({ live }) => live?.id));
  return members.every(({ id }) => gone.has(id)) ? [] : leaving.filter((draft) => !isNamed(draft, allow));
}

function isNamed(draft: Draft, allow: readonly Allowance[]): boolean {
  const address = draft.live === null ? null : addressOf(draft.scope.label, draft.live.id);
  return isAllowed(
    draft,
    allow.filter((one) => one.address === address),
  );
}

/** A pool can have hundreds of candidates, and each of its changes lists them. */
const MOST_CANDIDATES = 50;
const MOST_TOLD = 10;

/** For example `ep-1 (shop/a), 1–2 CU, last active 2026-11-20T11:00:00Z`. */
interface ToldCandidate extends Candidate {
  readonly words: string;
}

function candidatesOf({ scope, members, matched }: Pool): readonly ToldCandidate[] {
  return members.slice(0, MOST_CANDIDATES).map((live) => {
    const { facts = {}, words = '' } = scope.rules.describe?.(live) ?? {};
    const address = matched.get(live.id) ?? null;
    const name = `${live.id} (${address ?? 'no label'})`;
    return { id: live.id, address, facts, words: words === '' ? name : `${name}, ${words}` };
  });
}

function asAmbiguous(draft: Draft, told: readonly ToldCandidate[]): Draft {
  const lines = told.slice(0, MOST_TOLD).map(({ words }) => `candidate: ${words}`);
  const more = told.length - lines.length;
  const own = noted(draft, ...lines, ...(more > 0 ? [`and ${more} more candidates`] : []));
  const candidates = told.map(({ id, address, facts }) => ({ id, address, facts }));
  return blocked({ ...own, change: { ...own.change, candidates } }, 'ambiguous');
}
