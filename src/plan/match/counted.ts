// Resources without a slot: matched by the name that the API keeps; nameless ones by counting.
import { namedAs, namedBy, attributeAt } from '../../model/attributes.ts';
import { canonicalJson } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { valueAt, type Leaf } from '../../model/paths.ts';
import { groupBy } from '../../base/group-by.ts';
import { comparing, holdOn, isAbsenceStated, managedLeaves, sameAt } from '../diff/difference.ts';
import { nameIn } from '../scope.ts';
import { bind, type MatchState } from './match-state.ts';

interface Pool {
  readonly wanted: readonly DesiredResource[];
  /** All live resources of the pool, and the unclaimed ones; oldest first. */
  readonly all: readonly LiveResource[];
  readonly free: readonly LiveResource[];
}

/**
 * The pools with a declaration that is not matched yet. Accepted ids belong to others; an accepted slot may still have declared
 * resources.
 */
function poolsOf(state: MatchState): readonly Pool[] {
  const open = state.open().filter(({ spec }) => state.placeOf(spec) === null && state.poolKeyOf(spec) !== null);
  if (open.length === 0) return [];
  const accepted = new Set(state.scope.declaration?.unmanagedOk);
  const live = groupBy(state.known, ({ spec }) => state.poolKeyOf(spec) ?? '');
  return [...groupBy(open, ({ spec }) => state.poolKeyOf(spec) ?? '')].map(([key, wanted]) => {
    const all = live.get(key) ?? [];
    return { wanted, all, free: all.filter(({ id }) => !state.owners.has(id) && !accepted.has(id)) };
  });
}

/** Binds each declaration whose name exactly one resource of its pool has. A declared absence under a name that no resource has is done. */
export function matchNamed(state: MatchState): void {
  const { rules } = state.scope;
  const path = namedBy(rules);
  if (path === null) return;
  for (const { wanted, all, free } of poolsOf(state)) {
    const named = groupBy(all, ({ spec }) => String(spec[path] ?? ''));
    for (const [name, wanting] of groupBy(wanted, (one) => namedAs(rules, one) ?? '')) {
      const [live, ...others] = named.get(name) ?? [];
      const isOne = name !== '' && live !== undefined && others.length === 0 && wanting.length === 1;
      for (const desired of wanting) {
        const words = `${rules.poolWords(desired.spec)}, the one named ${JSON.stringify(name)}`;
        if (isOne && free.includes(live)) bind(state, desired, live, words);
        else if (live === undefined && desired.absent && typeof desired.spec[path] === 'string')
          bind(state, desired, null, `${words}, does not exist`);
      }
    }
  }
}

/**
 * Pairs the rest: equal ones first, then nameless resources with the remaining declarations. Only a single pair is certain; guards block
 * changes of the others.
 */
export function matchCounted(state: MatchState): void {
  for (const { wanted, free } of poolsOf(state)) {
    const pairs = equalPairs(
      state,
      wanted.filter(({ absent }) => !absent),
      free,
    );
    for (const [desired, live] of pairs)
      bind(state, desired, live, wordsFor(state, desired, free.length, 'equal attributes'), GUESS);
    const nameless = free.filter((live) => !state.owners.has(live.id) && nameIn(state.scope, live.spec) === null);
    const rest = wanted.filter(({ address }) => !state.bindings.has(address));
    if (nameless.length > 0)
      rest.forEach((desired, at) => {
        const live = nameless[at] ?? null;
        bind(state, desired, live, wordsFor(state, desired, free.length, 'counting'), GUESS);
      });
  }
}

const GUESS = { guess: true } as const;

function wordsFor({ scope }: MatchState, { spec }: DesiredResource, candidates: number, how: string): string {
  const pool = scope.rules.poolWords(spec);
  return candidates === 1 ? `${pool}, the only candidate left` : `${pool}, one of ${candidates} candidates, by ${how}`;
}

interface Wanted {
  readonly desired: DesiredResource;
  readonly leaves: readonly Leaf[];
}

/** The declaration with the least choice comes first: without holds, and with the most attributes. */
function byChoice(a: Wanted, b: Wanted): number {
  return a.desired.lifecycle.hold.length - b.desired.lifecycle.hold.length || b.leaves.length - a.leaves.length;
}

/** Live resources that show the same of some leaves, by value, oldest first. */
interface Stock {
  /** The positions of the leaves that they show. A leaf that is not shown never differs. */
  readonly shown: readonly number[];
  readonly byValue: ReadonlyMap<string, LiveResource[]>;
}

function leavesAt(leaves: readonly Leaf[], positions: readonly number[]): readonly Leaf[] {
  return positions.flatMap((at) => leaves[at] ?? []);
}

/** Each declaration with the oldest resource that equals it, or differs only by a hold. */
function equalPairs(
  { scope }: MatchState,
  wanted: readonly DesiredResource[],
  free: readonly LiveResource[],
): ReadonlyMap<DesiredResource, LiveResource> {
  const { rules, holdsAtMs } = scope;
  const form = comparing(rules);
  const digest = (leaves: readonly Leaf[], spec: LiveResource['spec'] | null): string =>
    canonicalJson(
      leaves.map(({ path, segments, value }) => form(path, spec === null ? value : valueAt(spec, segments))),
    );
  const isShown = ({ path, segments }: Leaf, { spec }: LiveResource): boolean =>
    valueAt(spec, segments) !== undefined || isAbsenceStated(attributeAt(rules, path), spec);
  const stocks = new Map<string, readonly Stock[]>();
  const stocksFor = (leaves: readonly Leaf[]): readonly Stock[] => {
    const shape = JSON.stringify(leaves.map(({ segments }) => segments));
    const known = stocks.get(shape);
    if (known !== undefined) return known;
    const shownBy = (live: LiveResource): readonly number[] =>
      leaves.flatMap((leaf, at) => (isShown(leaf, live) ? [at] : []));
    const found = [...groupBy(free, (live) => shownBy(live).join())].map(([, own]): Stock => {
      const shown = shownBy(own[0]);
      return { shown, byValue: groupBy(own, ({ spec }) => digest(leavesAt(leaves, shown), spec)) };
    });
    const made = found.toSorted((a, b) => b.shown.length - a.shown.length);
    stocks.set(shape, made);
    return made;
  };
  const pairs = new Map<DesiredResource, LiveResource>();
  const taken = new Set<LiveResource>();
  const all = wanted.map((desired): Wanted => ({ desired, leaves: managedLeaves(desired) }));
  for (const { desired, leaves } of all.toSorted(byChoice)) {
    const isFree = (live: LiveResource): boolean => !taken.has(live);
    const isEqual = ({ spec }: LiveResource): boolean =>
      leaves.every(
        (leaf) => sameAt(rules, leaf, spec) || holdOn(rules, desired, leaf, spec, holdsAtMs)?.state === 'holds',
      );
    const equal = stocksFor(leaves).flatMap(({ shown, byValue }) => {
      const same = byValue.get(digest(leavesAt(leaves, shown), null)) ?? [];
      while (same[0] !== undefined && taken.has(same[0])) same.shift();
      return same.slice(0, 1);
    });
    const held = desired.lifecycle.hold.length > 0 ? free : [];
    const live = equal[0] ?? held.find((one) => isFree(one) && isEqual(one));
    if (live === undefined) continue;
    taken.add(live);
    pairs.set(desired, live);
  }
  return pairs;
}
