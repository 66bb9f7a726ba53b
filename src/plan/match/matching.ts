// Finds the live resource of each declaration. Ids and former slots in the file come first, then slots and names; counting matches the rest.
import { listed } from '../../base/picked.ts';
import { isKnown, namedAs, namedBy } from '../../model/attributes.ts';
import { listOf } from '../../base/text/words.ts';
import { errorAt, markOf, type DesiredResource, type ResourceId } from '../../model/desired.ts';
import { warningOf, type Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { groupBy } from '../../base/group-by.ts';
import { isNamedForRemoval } from '../guard/consents.ts';
import { unlistedAddress, type Scope, nameIn } from '../scope.ts';
import {
  bind,
  holderOf,
  newMatchState,
  placeFrom,
  poolKeyOf,
  type Binding,
  type MatchState,
  type Guess,
} from './match-state.ts';
import { matchPins, matchSuccessors, reportStalePins, matchMoved } from './written.ts';
import { canonicalJson } from '../../base/json.ts';
import { holdOn, managedLeaves, sameAt } from '../diff/difference.ts';

export interface Matching {
  readonly scope: Scope;
  readonly bindings: readonly Binding[];
  readonly unclaimed: readonly LiveResource[];
  /** Resources of a type that this version does not know; trueup never changes them. */
  readonly unknown: readonly LiveResource[];
  /** Ids of resources that share one slot: trueup changes none of them. */
  readonly frozen: ReadonlySet<ResourceId>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Matches a scope. Each match function keeps the earlier bindings, so the order of the calls is their precedence. */
export function matchScope(scope: Scope): Matching {
  const known = scope.live.filter((live) => isKnown(scope.rules, live));
  const unknown = scope.live.filter((live) => !isKnown(scope.rules, live));
  const state = newMatchState(scope, known);
  for (const live of unknown) state.diagnostics.push(unknownType(scope, live));
  matchPins(state);
  if (scope.rules.choose === undefined) {
    freezeCrowded(state);
    matchMade(state);
    matchMoved(state);
    matchPlaces(state, false);
    matchNamed(state);
    matchSuccessors(state);
    matchPlaces(state, true);
    matchCounted(state);
  } else chooseEach(state);
  for (const desired of state.open())
    bind(state, desired, null, desired.absent ? 'the resource does not exist' : 'no live resource matches');
  reportStalePins(state);
  return {
    scope,
    bindings: scope.declared.flatMap(({ address }) => state.bindings.get(address) ?? []),
    unclaimed: known.filter(({ id }) => !state.owners.has(id)),
    unknown,
    frozen: state.frozen,
    diagnostics: state.diagnostics,
  };
}

/** Binds each declaration without a slot to the resource that this run created for it, and to no other of its pool. */
function matchMade(state: MatchState): void {
  const { rules, made } = state.scope;
  for (const desired of made.size === 0 ? [] : state.open()) {
    const id = made.get(desired.address);
    if (id === undefined || state.owners.has(id) || rules.place(desired.spec) !== null) continue;
    const live = state.known.find((one) => one.id === id) ?? null;
    bind(state, desired, live, live === null ? `${id}, created by this run, is not listed` : 'created by this run');
  }
}

function unknownType(scope: Scope, live: LiveResource): Diagnostic {
  const message = `${live.id} is neither matched nor pruned: this version of trueup does not know its type`;
  return warningOf('unknown_type', message, undefined, { address: unlistedAddress(scope, live) });
}

/** Freezes live resources that share a slot and may differ: trueup changes none of them. A declaration of such a slot is an error. */
function freezeCrowded(state: MatchState): void {
  const { scope, owners } = state;
  // If no attribute of the kind can be changed, the resources in one slot are equal, so any of them can match.
  if (Object.values(scope.rules.attributes).every(({ change }) => change === 'never')) return;
  for (const [place, holders] of state.holders) {
    const [first, second] = holders;
    if (place === null || first === undefined || second === undefined) continue;
    for (const { id } of holders) state.frozen.add(id);
    const words = `only one live resource can be ${place}, but the account has ${listOf(holders.map(({ id }) => id))}`;
    const touching = scope.declared.filter(
      (desired) =>
        [scope.rules.place(desired.spec), placeFrom(scope, desired)].includes(place) ||
        holders.some(({ id }) => owners.get(id) === desired),
    );
    const message = `${words}; trueup changes none of these resources`;
    const hint = 'Delete the surplus resource by hand, or ask the service to repair the account.';
    const [declared, ...others] = touching;
    const related = others.map(({ address, source }) => ({
      message: `${address} is declared here, too`,
      range: source,
    }));
    const address = unlistedAddress(scope, first);
    state.diagnostics.push(
      declared === undefined
        ? warningOf('crowded_place', message, hint, { address, related })
        : errorAt(declared, '', 'crowded_place', message, hint, { related }),
    );
    for (const desired of touching) {
      const live = holders.find(({ id }) => owners.get(id) === desired) ?? null;
      const because = live === null ? 'several live resources hold the slot of this address' : 'pinned id';
      bind(state, desired, live, because, { frozen: words });
    }
  }
}

function matchPlaces(state: MatchState, absent: boolean): void {
  const { rules } = state.scope;
  for (const desired of state.open()) {
    const place = rules.place(desired.spec);
    const holder = desired.absent === absent ? holderOf(state, place) : undefined;
    if (holder === undefined || state.owners.has(holder.id)) continue;
    if (isForeign(state, desired, holder)) bind(state, desired, null, 'no member matches', { foreign: holder });
    else {
      const others = (state.holders.get(place) ?? []).filter((one) => one !== holder && !state.owners.has(one.id));
      bind(state, desired, holder, rules.poolWords(desired.spec), { companions: others });
    }
  }
}

/** True for a resource in a member's slot that is no member: its annotation lacks the set, and this run did not create the resource. */
function isForeign({ scope }: MatchState, { set, address }: DesiredResource, holder: LiveResource): boolean {
  if (set === undefined || scope.made.get(address) === holder.id) return false;
  return holder.marks?.['set'] !== markOf(scope.projectId ?? '', set);
}

/** Lets the kind choose for each declaration between its pinned resource and the unclaimed resources of its pool. */
function chooseEach(state: MatchState): void {
  const { scope, owners } = state;
  const keyOf = ({ spec }: Pick<LiveResource, 'spec'>): string => poolKeyOf(scope.rules, spec) ?? '';
  const pools = groupBy(state.known, keyOf);
  for (const desired of state.open()) {
    const pinned = state.known.filter(({ id }) => id === desired.pin);
    const candidates = [...new Set([...(pools.get(keyOf(desired)) ?? []), ...pinned])].filter(
      ({ id }) => (owners.get(id) ?? desired) === desired,
    );
    const choice = scope.rules.choose?.(desired, candidates, scope);
    if (choice === undefined) continue;
    state.diagnostics.push(...choice.diagnostics);
    const { live, because, guess } = choice;
    const meant = listed(live !== null && live, ...choice.companions);
    // If it is only a guess which resource to delete, an allowance with an id decides.
    const isOpen = live !== null && guess && desired.absent;
    const own = (isOpen ? meant.find((one) => isNamedForRemoval(scope, one)) : null) ?? live;
    const companions = meant.filter((one) => one !== own);
    const members = candidates.filter((one) => meant.includes(one));
    bind(state, desired, own, because, { companions, guess: guess ? { members, isMany: members.length > 1 } : null });
  }
}

interface Pool {
  readonly key: string;
  readonly wanted: readonly DesiredResource[];
  /** All live resources of the pool, oldest first; `free`: those neither matched nor accepted by id. */
  readonly all: readonly LiveResource[];
  readonly free: readonly LiveResource[];
}

/** Returns the pools of unmatched declarations. A resource whose id is in `unmanaged_ok` is not free; if only its slot is there, it stays free. */
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

/** Binds a declaration to the only resource of the pool with its name. A removal (`absent`) binds to nothing if no resource has its written name. */
function matchNamed(state: MatchState): void {
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

/** Pairs declarations with equal, then with nameless resources. Guards block changes in a pool with several declarations or resources. */
function matchCounted(state: MatchState): void {
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
  const all = wanted
    .map((desired) => ({ desired, leaves: managedLeaves(desired), holds: desired.lifecycle.hold }))
    .sort((a, b) => a.holds.length - b.holds.length || b.leaves.length - a.leaves.length);
  const pairs = new Map<DesiredResource, LiveResource>();
  let left = free;
  // Many declarations are equal, so one search for equal resources serves all of them.
  for (const alike of groupBy(all, ({ leaves, holds }) => canonicalJson([leaves, holds])).values()) {
    const equal = alike.slice(0, 1).flatMap(({ desired, leaves }) =>
      left.flatMap((live) => {
        const others = leaves.filter((leaf) => !sameAt(rules, leaf, live.spec));
        const isHeld = others.every((leaf) => holdOn(rules, desired, leaf, live.spec, holdsAtMs)?.state === 'holds');
        return isHeld ? [{ live, differs: others.length > 0 }] : [];
      }),
    );
    equal.sort((a, b) => Number(a.differs) - Number(b.differs));
    alike.forEach(({ desired }, at) => equal[at] && pairs.set(desired, equal[at].live));
    const taken = new Set(pairs.values());
    left = left.filter((live) => !taken.has(live));
  }
  return pairs;
}
