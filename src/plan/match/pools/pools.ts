// Pools: among resources that could all be the declaration, the assignment that changes least, oldest first.
import { canonicalJson } from '../../../base/json.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { valueAt } from '../../../model/paths.ts';
import type { Leaf } from '../../../model/paths.ts';
import { assignLeastCost } from './assignment.ts';
import { assignPreferred } from './assignment-ties.ts';
import { bind } from '../claims.ts';
import type { Claims } from '../claims.ts';
import { costsOf, wishOf } from './pool-costs.ts';
import type { Wish } from './pool-costs.ts';
import { preferenceOf, stayingOf, leavingOf } from './pool-hints.ts';
import { groupBy } from '../../../base/group-by.ts';
import { spendPairs } from '../../scope.ts';

/** Binds what has no pin, no place and no name of its own. */
export function claimPools(claims: Claims, absent: boolean): void {
  const open = claims.open().filter((desired) => desired.absent === absent && claims.placeOf(desired.spec) === null);
  const wanting = groupBy(open, ({ spec }) => claims.poolKeyOf(spec) ?? '');
  wanting.delete('');
  if (wanting.size === 0) return;
  // Somebody else's, by the file's own word; a whole place that is accepted may still have declared ones.
  const accepted = new Set(claims.scope.declaration?.unmanagedOk);
  const free = groupBy(
    claims.known.filter(({ id }) => !claims.owners.has(id) && !accepted.has(id)),
    ({ spec }) => claims.poolKeyOf(spec) ?? '',
  );
  for (const [pool, desired] of wanting) claimPool(claims, desired, free.get(pool) ?? [], absent);
}

function claimPool(
  claims: Claims,
  desired: readonly DesiredResource[],
  members: readonly LiveResource[],
  absent: boolean,
): void {
  if (members.length === 0) return;
  const { scope } = claims;
  const candidates = absent ? leavingOf(scope, desired.length, members) : stayingOf(scope, desired.length, members);
  const guessed = desired.filter(({ address }) => claims.stale.has(address));
  // What a stale pin named is gone, and what took its place came later: the others choose first.
  const inTurn = guessed.length === 0 ? desired : [...desired.filter((one) => !guessed.includes(one)), ...guessed];
  const wishes = inTurn.map(wishOf);
  const preference = absent ? null : preferenceOf(scope, wishes, candidates);
  // Who is preferred among equals is decided over all of them.
  const equals = preference === null ? pairEquals(claims, wishes, candidates) : new Map<Wish, LiveResource>();
  const restWishes = wishes.filter((wish) => !equals.has(wish));
  const taken = new Set(equals.values());
  const restLive = candidates.filter((live) => !taken.has(live));
  if (restWishes.length > 0 && restLive.length > 0 && !spendPairs(scope, restWishes.length, restLive.length))
    return refusePool(claims, restWishes, members.length);
  const costs = costsOf(scope, restWishes, restLive);
  const columns =
    preference === null
      ? assignLeastCost(costs, restLive.length)
      : assignPreferred(costs, restLive.length, preference.worse);
  const chosen = new Map<Wish, Chosen>();
  for (const [wish, live] of equals) chosen.set(wish, { live, cost: 0, because: null });
  restWishes.forEach((wish, row) => {
    const column = columns[row] ?? -1;
    const live = restLive[column];
    if (live !== undefined)
      chosen.set(wish, { live, cost: costs[row]?.[column] ?? 0, because: preference?.because(row, column) ?? null });
  });
  const guessedBefore = absent ? guessesIn(claims, members) : 0;
  for (const [wish, one] of chosen)
    bind(claims, wish.desired, one.live, words(claims, wish, members.length + guessedBefore, one), { guess: true });
  if (guessed.length === 0) return;
  for (const { id } of members) if (!claims.owners.has(id)) claims.doubtful.set(id, guessed);
}

/** Nothing of a project is planned in which it would take too long to find out who is who. */
function refusePool({ scope, diagnostics }: Claims, [first, ...others]: readonly Wish[], live: number): void {
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
function guessesIn(claims: Claims, [first]: readonly LiveResource[]): number {
  const key = first === undefined ? null : claims.poolKeyOf(first.spec);
  const isIn = (live: LiveResource | null): boolean => live !== null && claims.poolKeyOf(live.spec) === key;
  return [...claims.bindings.values()].filter(({ guess, live }) => guess && isIn(live)).length;
}

interface Chosen {
  readonly live: LiveResource;
  readonly cost: number;
  /** What chose it among equals; null for its age. */
  readonly because: string | null;
}

function words(claims: Claims, wish: Wish, candidates: number, { cost, because }: Chosen): string {
  const pool = claims.scope.rules.poolWords(wish.desired.spec);
  if (candidates === 1) return `${pool}, the only one left`;
  const how = `${pool}, ${cost === 0 ? 'equal, one' : 'the closest'} of ${candidates}`;
  return because === null ? how : `${how}, ${because}`;
}

/**
 * Pairs off wishes and resources that are exactly equal, without looking at costs. That keeps the optimum when the wish says
 * all that any other wish says: then exchanging its partner for another can only make differences, never save one.
 */
function pairEquals(claims: Claims, wishes: readonly Wish[], live: readonly LiveResource[]): Map<Wish, LiveResource> {
  const { rules } = claims.scope;
  const all = new Map(
    wishes.flatMap(({ leaves }) => leaves.map((leaf) => [JSON.stringify(leaf.segments), leaf] as const)),
  );
  const keys = [...all.values()];
  const digest = (valueOf: (leaf: Leaf) => LiveResource['spec'][string] | undefined): string =>
    canonicalJson(keys.map((leaf) => rules.canonical(leaf.path, valueOf(leaf))));
  const stock = groupBy(live, ({ spec }) => digest((leaf) => valueAt(spec, leaf.segments)));
  const pairs = new Map<Wish, LiveResource>();
  for (const wish of wishes) {
    if (wish.leaves.length !== keys.length || wish.desired.lifecycle.hold.length > 0) continue;
    const group = stock.get(digest((leaf) => valueAt(wish.desired.spec, leaf.segments))) ?? [];
    const match = group.shift();
    if (match === undefined) continue;
    pairs.set(wish, match);
  }
  return pairs;
}
