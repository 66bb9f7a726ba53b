// Pools: among resources that could all be the declaration, the assignment that changes least, oldest first.
import { canonicalJson } from '../../../base/json.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { valueAt, type Leaf } from '../../../model/paths.ts';
import { assignLeastCost } from './assignment.ts';
import { assignPreferred } from './assignment-ties.ts';
import { bind, type MatchState } from '../match-state.ts';
import { costsOf, wantedOf, type Wanted } from './pool-costs.ts';
import { preferenceOf, stayingOf, leavingOf } from './pool-hints.ts';
import { groupBy } from '../../../base/group-by.ts';
import { spendPairs } from '../../scope.ts';

/** Binds what has no pin, no place and no name of its own. */
export function matchPools(state: MatchState, absent: boolean): void {
  const open = state.open().filter((desired) => desired.absent === absent && state.placeOf(desired.spec) === null);
  const wanting = groupBy(open, ({ spec }) => state.poolKeyOf(spec) ?? '');
  wanting.delete('');
  if (wanting.size === 0) return;
  // Somebody else's, by the file's own word; a whole place that is accepted may still have declared ones.
  const accepted = new Set(state.scope.declaration?.unmanagedOk);
  const free = groupBy(
    state.known.filter(({ id }) => !state.owners.has(id) && !accepted.has(id)),
    ({ spec }) => state.poolKeyOf(spec) ?? '',
  );
  for (const [pool, desired] of wanting) matchPool(state, desired, free.get(pool) ?? [], absent);
}

function matchPool(
  state: MatchState,
  desired: readonly DesiredResource[],
  members: readonly LiveResource[],
  absent: boolean,
): void {
  if (members.length === 0) return;
  const { scope } = state;
  const candidates = absent ? leavingOf(scope, desired.length, members) : stayingOf(scope, desired.length, members);
  const guessed = desired.filter(({ address }) => state.stale.has(address));
  // What a stale pin named is gone, and what took its place came later: the others choose first.
  const inTurn = guessed.length === 0 ? desired : [...desired.filter((one) => !guessed.includes(one)), ...guessed];
  const wanted = inTurn.map(wantedOf);
  const preference = absent ? null : preferenceOf(scope, wanted, candidates);
  // Who is preferred among equals is decided over all of them.
  const equals = preference === null ? pairEquals(state, wanted, candidates) : new Map<Wanted, LiveResource>();
  const restWanted = wanted.filter((want) => !equals.has(want));
  const taken = new Set(equals.values());
  const restLive = candidates.filter((live) => !taken.has(live));
  if (restWanted.length > 0 && restLive.length > 0 && !spendPairs(scope, restWanted.length, restLive.length))
    return refusePool(state, restWanted, members.length);
  const costs = costsOf(scope, restWanted, restLive);
  const columns =
    preference === null
      ? assignLeastCost(costs, restLive.length)
      : assignPreferred(costs, restLive.length, preference.worse);
  const chosen = new Map<Wanted, Chosen>();
  for (const [want, live] of equals) chosen.set(want, { live, cost: 0, because: null });
  restWanted.forEach((want, row) => {
    const column = columns[row] ?? -1;
    const live = restLive[column];
    if (live !== undefined)
      chosen.set(want, { live, cost: costs[row]?.[column] ?? 0, because: preference?.because(row, column) ?? null });
  });
  const guessedBefore = absent ? guessesIn(state, members) : 0;
  for (const [want, one] of chosen)
    bind(state, want.desired, one.live, words(state, want, members.length + guessedBefore, one), { guess: true });
  if (guessed.length === 0) return;
  for (const { id } of members) if (!state.owners.has(id)) state.uncertain.set(id, guessed);
}

/** Nothing of a project is planned in which it would take too long to find out who is who. */
function refusePool({ scope, diagnostics }: MatchState, [first, ...others]: readonly Wanted[], live: number): void {
  if (first === undefined) return;
  const { address, source, spec } = first.desired;
  diagnostics.push({
    severity: 'error',
    code: 'pool_too_large',
    message: `${address} and ${others.length} more declarations could each be any of ${live} live resources (${scope.rules.poolWords(spec)}): that is too many to tell apart`,
    hint: 'write the id of each, as `trueup pin` does for smaller numbers, or declare fewer of them',
    address,
    range: source,
  });
}

/** How many of a pool were matched by a guess before: those that shall be absent could be any of them. */
function guessesIn(state: MatchState, [first]: readonly LiveResource[]): number {
  const key = first === undefined ? null : state.poolKeyOf(first.spec);
  const isIn = (live: LiveResource | null): boolean => live !== null && state.poolKeyOf(live.spec) === key;
  return [...state.bindings.values()].filter(({ guess, live }) => guess && isIn(live)).length;
}

interface Chosen {
  readonly live: LiveResource;
  readonly cost: number;
  /** What chose it among equals; null for its age. */
  readonly because: string | null;
}

function words(state: MatchState, want: Wanted, candidates: number, { cost, because }: Chosen): string {
  const pool = state.scope.rules.poolWords(want.desired.spec);
  if (candidates === 1) return `${pool}, the only one left`;
  const how = `${pool}, ${cost === 0 ? 'equal, one' : 'the closest'} of ${candidates}`;
  return because === null ? how : `${how}, ${because}`;
}

/**
 * Pairs off what is wanted and what is live that are exactly equal, without looking at costs. That keeps the optimum when the declaration says
 * all that any other one says: then exchanging its partner for another can only make differences, never save one.
 */
function pairEquals(
  state: MatchState,
  wanted: readonly Wanted[],
  live: readonly LiveResource[],
): Map<Wanted, LiveResource> {
  const { rules } = state.scope;
  const all = new Map(
    wanted.flatMap(({ leaves }) => leaves.map((leaf) => [JSON.stringify(leaf.segments), leaf] as const)),
  );
  const keys = [...all.values()];
  const digest = (valueOf: (leaf: Leaf) => LiveResource['spec'][string] | undefined): string =>
    canonicalJson(keys.map((leaf) => rules.canonical(leaf.path, valueOf(leaf))));
  const stock = groupBy(live, ({ spec }) => digest((leaf) => valueAt(spec, leaf.segments)));
  const pairs = new Map<Wanted, LiveResource>();
  for (const want of wanted) {
    if (want.leaves.length !== keys.length || want.desired.lifecycle.hold.length > 0) continue;
    const group = stock.get(digest((leaf) => valueAt(want.desired.spec, leaf.segments))) ?? [];
    const match = group.shift();
    if (match === undefined) continue;
    pairs.set(want, match);
  }
  return pairs;
}
