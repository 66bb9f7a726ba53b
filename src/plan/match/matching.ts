// Finds the live resource of each declaration. Pins come first, then slots and names; counting matches the rest.
import { listed } from '../../base/picked.ts';
import { isKnown } from '../../model/attributes.ts';
import { listOf } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import { errorAt, markOf, type DesiredResource, type ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { groupBy } from '../../base/group-by.ts';
import { isNamedForRemoval } from '../guard/consents.ts';
import { unlistedAddress, type Scope } from '../scope.ts';
import { matchCounted, matchNamed } from './counted.ts';
import { bind, holderOf, newMatchState, placeFrom, poolKeyOf, type Binding, type MatchState } from './match-state.ts';
import { matchMoved } from './moved.ts';
import { matchPins, matchSuccessors, reportStalePins } from './pins.ts';

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

export interface Resource {
  readonly address: Address;
  readonly live: LiveResource | null;
  readonly desired: DesiredResource | null;
}

export function resourcesOf({ scope, bindings }: Matching): readonly Resource[] {
  const declared = new Map(bindings.map(({ live, desired }) => [live, desired]));
  return [
    ...scope.live.map((live) => {
      const desired = declared.get(live) ?? null;
      return { address: desired?.address ?? unlistedAddress(scope, live), live, desired };
    }),
    ...bindings
      .filter(({ live, desired }) => live === null && !desired.absent)
      .map(({ desired }) => ({ address: desired.address, live: null, desired })),
  ];
}

/** Matches a scope. Each match function keeps the earlier bindings, so the order of the calls is their precedence. */
export function matchScope(scope: Scope): Matching {
  const known = scope.live.filter((live) => isKnown(scope.rules, live));
  const unknown = scope.live.filter((live) => !isKnown(scope.rules, live));
  const state = newMatchState(scope, known);
  for (const live of unknown) state.diagnostics.push(unknownType(scope, live));
  matchPins(state, unknown);
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
    bindings: scope.declared
      .map(({ address }) => state.bindings.get(address))
      .filter((binding) => binding !== undefined),
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
  return {
    severity: 'warning',
    code: 'unknown_type',
    message: `${live.id} is neither matched nor pruned: this version of trueup does not know its type`,
    address: unlistedAddress(scope, live),
  };
}

/** True if the kind has no attribute that changes, so that two resources in one slot are equal. */
function isPlain({ rules }: Scope): boolean {
  return Object.values(rules.attributes).every(({ change }) => change === 'never');
}

/** Freezes each slot with several live resources that may differ; a declaration of such a slot is an error. */
function freezeCrowded(state: MatchState): void {
  const { scope, owners } = state;
  if (isPlain(scope)) return;
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
        ? { severity: 'warning', code: 'crowded_place', message, hint, address, related }
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
      bind(state, desired, holder, rules.poolWords(desired.spec), { companions: desired.absent ? [] : others });
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
