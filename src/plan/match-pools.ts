// Pools: among resources that could all be the declaration, the assignment that changes least, oldest first.
import { canonicalJson } from '../base/json.ts';
import type { DesiredResource } from '../model/desired.ts';
import type { LiveResource } from '../model/live.ts';
import { valueAt } from '../model/paths.ts';
import type { Leaf } from '../model/paths.ts';
import { assignLeastCost } from './assignment.ts';
import { bind } from './claims.ts';
import type { Claims } from './claims.ts';
import { holdOn, managedLeaves, sameAt, severityOf } from './difference.ts';
import type { Severity } from './difference.ts';
import { groupBy } from './scope.ts';

/** One heavier change outweighs any number of lighter ones in pools of up to 1,000; within a weight, fewer attributes win. */
const WEIGHTS: Readonly<Record<Severity, number>> = {
  none: 0,
  update: 1e5,
  restart: 1e8,
  move: 1e11,
  replace: 1e11,
  never: 2e11,
};
const MOST_ATTRIBUTES = 99;

/** Binds what has no pin and no place of its own. */
export function claimPools(claims: Claims, absent: boolean): void {
  const open = claims.open().filter((desired) => desired.absent === absent && claims.placeOf(desired.spec) === null);
  const wanting = groupBy(open, ({ spec }) => claims.poolKeyOf(spec) ?? '');
  wanting.delete('');
  if (wanting.size === 0) return;
  // Somebody else's, by the file's own word; a whole branch that is accepted may still have declared ones.
  const accepted = new Set(claims.scope.declaration?.unmanagedOk);
  const free = groupBy(
    claims.known.filter(({ id }) => !claims.owners.has(id) && !accepted.has(id)),
    ({ spec }) => claims.poolKeyOf(spec) ?? '',
  );
  for (const [pool, desired] of wanting) claimPool(claims, desired, free.get(pool) ?? []);
}

function claimPool(claims: Claims, desired: readonly DesiredResource[], candidates: readonly LiveResource[]): void {
  if (candidates.length === 0) return;
  const guessed = desired.filter(({ address }) => claims.stale.has(address));
  // What a stale pin named is gone, and what took its place came later: the others choose first.
  const inTurn = guessed.length === 0 ? desired : [...desired.filter((one) => !guessed.includes(one)), ...guessed];
  const wishes: readonly Wish[] = inTurn.map((one) => ({ desired: one, leaves: managedLeaves(one) }));
  const equals = pairEquals(claims, wishes, candidates);
  const restWishes = wishes.filter((wish) => !equals.has(wish));
  const taken = new Set(equals.values());
  const restLive = candidates.filter((live) => !taken.has(live));
  const costs = costsOf(claims, restWishes, restLive);
  const columns = assignLeastCost(costs, restLive.length);
  const chosen = new Map(equals);
  restWishes.forEach((wish, row) => {
    const live = restLive[columns[row] ?? -1];
    if (live !== undefined) chosen.set(wish, live);
  });
  for (const [wish, live] of chosen) {
    const cost = equals.has(wish) ? 0 : (costs[restWishes.indexOf(wish)]?.[restLive.indexOf(live)] ?? 0);
    bind(claims, wish.desired, live, words(claims, wish, candidates.length, cost));
  }
  if (guessed.length === 0) return;
  for (const { id } of candidates) if (!claims.owners.has(id)) claims.doubtful.set(id, guessed);
}

function words(claims: Claims, wish: Wish, candidates: number, cost: number): string {
  const pool = claims.scope.rules.poolWords(wish.desired.spec);
  if (candidates === 1) return `${pool}, the only one left`;
  return `${pool}, ${cost === 0 ? 'equal, one' : 'the closest'} of ${candidates}`;
}

interface Wish {
  readonly desired: DesiredResource;
  readonly leaves: readonly Leaf[];
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

function costsOf(claims: Claims, wishes: readonly Wish[], live: readonly LiveResource[]): number[][] {
  const digests = new Map<string, readonly string[]>();
  return wishes.map((wish) => {
    const shape = JSON.stringify(wish.leaves.map(({ segments }) => segments));
    const known = new Map<string, number>();
    const keys = digests.get(shape) ?? live.map(({ spec }) => digestOf(wish, spec));
    digests.set(shape, keys);
    return live.map(({ spec }, at) => {
      const key = keys[at] ?? '';
      const cost = known.get(key) ?? costOf(claims, wish, spec);
      known.set(key, cost);
      return cost;
    });
  });
}

/** The same for resources that are equal in all that the wish speaks of. */
function digestOf({ leaves }: Wish, spec: LiveResource['spec']): string {
  return canonicalJson(leaves.map(({ segments }) => valueAt(spec, segments) ?? null));
}

function costOf(claims: Claims, { desired, leaves }: Wish, live: LiveResource['spec']): number {
  const { rules, nowMs } = claims.scope;
  let heaviest = 0;
  let count = 0;
  for (const leaf of leaves) {
    if (sameAt(rules, leaf, live) || holdOn(rules, desired, leaf, live, nowMs)?.state === 'holds') continue;
    count++;
    heaviest = Math.max(heaviest, WEIGHTS[severityOf(rules, leaf.path)]);
  }
  return heaviest + Math.min(count, MOST_ATTRIBUTES);
}
