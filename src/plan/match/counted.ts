// Matches resources without a slot: named ones by the API's name, nameless ones by counting.
import { attributeAt, namedAs, namedBy } from '../../model/attributes.ts';
import { canonicalJson } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { valueAt, type Leaf } from '../../model/values.ts';
import { groupBy } from '../../base/group-by.ts';
import { holdOn, isAbsenceStated, managedLeaves, sameAt } from '../diff/difference.ts';
import { nameIn, type Scope } from '../scope.ts';
import { bind, poolKeyOf, type Guess, type MatchState } from './match-state.ts';

interface Pool {
  readonly key: string;
  readonly wanted: readonly DesiredResource[];
  /** All live resources of the pool, oldest first; `free`: those neither matched nor accepted by id. */
  readonly all: readonly LiveResource[];
  readonly free: readonly LiveResource[];
}

/** Returns the pools of unmatched declarations. A resource that the file accepts by id is not free; one in an accepted slot is free. */
function poolsOf({ scope, known, owners, open }: MatchState): readonly Pool[] {
  const { rules } = scope;
  const keyOf = ({ spec }: Pick<LiveResource, 'spec'>): string | null => poolKeyOf(rules, spec);
  const pools = groupBy(
    open().filter(({ spec }) => rules.place(spec) === null),
    keyOf,
  );
  if (pools.size === 0) return [];
  const accepted = new Set(scope.project?.unmanagedOk);
  const live = groupBy(known, keyOf);
  return [...pools].flatMap(([key, wanted]) => {
    const all = live.get(key) ?? [];
    return key === null
      ? []
      : [{ key, wanted, all, free: all.filter(({ id }) => !owners.has(id) && !accepted.has(id)) }];
  });
}

/** Binds a declaration if exactly one resource of the pool has its name. `state: absent` is done if no resource has the name. */
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

/** Pairs declarations with equal resources, then the rest with nameless ones. Only a single pair is certain; guards block others. */
export function matchCounted(state: MatchState): void {
  const { scope, owners, bindings } = state;
  const pools = poolsOf(state);
  const sharing = groupBy(pools.length === 0 ? [] : scope.declared, ({ spec }) => poolKeyOf(scope.rules, spec));
  for (const { key, wanted, all, free } of pools) {
    const guess: Guess = { members: free, isMany: Math.max(all.length, sharing.get(key)?.length ?? 0) > 1 };
    const guessed = (desired: DesiredResource, live: LiveResource | null, how: string): void => {
      const words = free.length === 1 ? 'the only candidate left' : `one of ${free.length} candidates, by ${how}`;
      bind(state, desired, live, `${scope.rules.poolWords(desired.spec)}, ${words}`, { guess });
    };
    const declared = wanted.filter(({ absent }) => !absent);
    for (const [desired, live] of equalPairs(scope, declared, free)) guessed(desired, live, 'equal attributes');
    const rest = wanted.filter(({ address }) => !bindings.has(address));
    // A declared name that several resources have identifies none of them, so these resources count as nameless.
    const names = new Set([null, ...rest.map((desired) => namedAs(scope.rules, desired))]);
    const nameless = free.filter((live) => !owners.has(live.id) && names.has(nameIn(scope, live.spec)));
    if (nameless.length > 0) rest.forEach((desired, at) => guessed(desired, nameless[at] ?? null, 'counting'));
  }
}

/**
 * Pairs each declaration with an equal resource, or else with one that differs only in held attributes. Declarations with the least choice
 * come first: those with few holds, then those with many attributes.
 */
function equalPairs(
  { rules, holdsAtMs }: Scope,
  wanted: readonly DesiredResource[],
  free: readonly LiveResource[],
): ReadonlyMap<DesiredResource, LiveResource> {
  // Many declarations are equal, so one search for equal resources serves all of them.
  const equals = new Map<string, LiveResource[]>();
  const pairs = new Map<DesiredResource, LiveResource>();
  const taken = new Set<LiveResource>();
  const all = wanted
    .map((desired) => ({ desired, leaves: managedLeaves(desired), holds: desired.lifecycle.hold }))
    .sort((a, b) => a.holds.length - b.holds.length || b.leaves.length - a.leaves.length);
  for (const { desired, leaves, holds } of all) {
    const rankOf = ({ spec }: LiveResource): number => {
      const other = leaves.filter((leaf) => !sameAt(rules, leaf, spec));
      if (other.length > 0)
        return other.every((leaf) => holdOn(rules, desired, leaf, spec, holdsAtMs)?.state === 'holds') ? 0 : -1;
      // A hidden attribute never differs, so a resource that shows more attributes is more surely equal.
      const isShown = ({ path, segments }: Leaf): boolean =>
        valueAt(spec, segments) !== undefined || isAbsenceStated(attributeAt(rules, path), spec);
      return 1 + leaves.filter(isShown).length;
    };
    const key = canonicalJson([leaves, holds]);
    const equal =
      equals.get(key) ??
      free
        .map((live) => ({ live, rank: rankOf(live) }))
        .filter(({ rank }) => rank >= 0)
        .sort((a, b) => b.rank - a.rank)
        .map(({ live }) => live);
    equals.set(key, equal);
    let live = equal.shift();
    while (live !== undefined && taken.has(live)) live = equal.shift();
    if (live === undefined) continue;
    taken.add(live);
    pairs.set(desired, live);
  }
  return pairs;
}
