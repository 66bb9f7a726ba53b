// Matching: which live resource each declaration is, and why. Pins first, then places and names, then the least costly of the rest.
import { listOf } from '../../base/text/words.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { groupBy } from '../../base/group-by.ts';
import { contextOf, unlistedAddress } from '../scope.ts';
import type { Scope } from '../scope.ts';
import { bind, newClaims } from './claims.ts';
import type { Binding, Claims } from './claims.ts';
import { claimMoved } from './moved.ts';
import { claimNamed } from './named.ts';
import { claimPins, stalePinWarnings } from './pins.ts';
import { claimPools } from './pools/pools.ts';
import { claimSuccessors } from './successors.ts';

export interface Matching {
  readonly scope: Scope;
  /** In order of address. */
  readonly bindings: readonly Binding[];
  /** Known resources that no declaration claims. */
  readonly unclaimed: readonly LiveResource[];
  /** Resources of a type that this tool does not know. */
  readonly unknown: readonly LiveResource[];
  /** Ids in places that hold more than they may: nothing there is touched. */
  readonly frozen: ReadonlySet<ResourceId>;
  /** Ids that a declaration whose pin is stale may mean, and nothing tells: each with those declarations. */
  readonly doubtful: ReadonlyMap<ResourceId, readonly DesiredResource[]>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Where a resource is that is not in this scope: the label of its project, or null. */
export type Elsewhere = (id: ResourceId) => string | null;

export function matchScope(scope: Scope, elsewhere: Elsewhere): Matching {
  const known = scope.live.filter((live) => scope.rules.known(live));
  const unknown = scope.live.filter((live) => !scope.rules.known(live));
  const claims = newClaims(scope, known);
  claims.diagnostics.push(...unknown.map((live) => unknownType(scope, live)));
  claimPins(claims, unknown, elsewhere);
  if (scope.rules.choose === undefined) {
    freezeCrowded(claims);
    claimMade(claims);
    claimMoved(claims);
    claimPlaces(claims, false);
    claimNamed(claims);
    claimTold(claims);
    claimPools(claims, false);
    claimSuccessors(claims);
    claimPlaces(claims, true);
    claimPools(claims, true);
  } else chooseEach(claims);
  for (const desired of claims.open())
    bind(claims, desired, null, desired.absent ? 'it does not exist' : 'nothing live matches');
  return {
    scope,
    bindings: scope.desired
      .map(({ address }) => claims.bindings.get(address))
      .filter((binding) => binding !== undefined),
    unclaimed: known.filter(({ id }) => !claims.owners.has(id)),
    unknown,
    frozen: claims.frozen,
    doubtful: claims.doubtful,
    diagnostics: [...claims.diagnostics, ...stalePinWarnings(claims)],
  };
}

/**
 * Binds each declaration to what was made for it. Where that is not there, nothing else in a pool is taken for it; a place
 * tells by itself who holds it.
 */
function claimMade(claims: Claims): void {
  const { made } = claims.scope;
  if (made.size === 0) return;
  for (const desired of claims.open()) {
    const id = made.get(desired.address);
    if (id === undefined || claims.owners.has(id) || claims.placeOf(desired.spec) !== null) continue;
    const live = claims.known.find((one) => one.id === id) ?? null;
    bind(claims, desired, live, live === null ? `${id}, made by this run, is not there` : 'made by this run');
  }
}

/**
 * Binds each declaration whose pin is stale to what a reply told that an earlier run made for it, where that is in its pool and
 * nobody else's. Without such word the pool decides, as it does for all others.
 */
function claimTold(claims: Claims): void {
  const { stale, scope } = claims;
  if (stale.size === 0 || scope.rules.madeBefore === undefined) return;
  const accepted = new Set(scope.declaration?.unmanagedOk);
  for (const desired of claims.open()) {
    if (!stale.has(desired.address) || claims.placeOf(desired.spec) !== null) continue;
    const pool = claims.poolKeyOf(desired.spec);
    const candidates = claims.known.filter(
      (live) =>
        !claims.owners.has(live.id) && !accepted.has(live.id) && pool !== null && claims.poolKeyOf(live.spec) === pool,
    );
    const made = scope.rules.madeBefore(desired, candidates, contextOf(scope));
    const live = made.live.at(-1);
    if (live !== undefined && made.certain)
      bind(claims, desired, live, 'made for it by an earlier run, as the journal tells', { guess: true });
  }
}

function unknownType(scope: Scope, live: LiveResource): Diagnostic {
  return {
    severity: 'warning',
    code: 'unknown_type',
    message: `${live.id} is of a type that this version does not know, so it is neither matched nor pruned`,
    address: unlistedAddress(scope, live),
  };
}

/** A place that should hold one and holds several is not touched; where a declaration speaks of it, that is an error. */
function freezeCrowded(claims: Claims): void {
  const { scope } = claims;
  for (const [place, holders] of claims.holders) {
    const first = holders[0];
    if (first === undefined || holders.length < 2) continue;
    for (const { id } of holders) claims.frozen.add(id);
    const words = `${scope.rules.place(first.spec)} is held by ${listOf(holders.map(({ id }) => id))}, though there can be only one`;
    const touching = scope.desired.filter(
      (desired) =>
        claims.placeOf(desired.spec) === place ||
        claims.placeFrom(desired) === place ||
        holders.some(({ id }) => claims.owners.get(id) === desired),
    );
    claims.diagnostics.push({
      severity: touching.length === 0 ? 'warning' : 'error',
      code: 'crowded_place',
      message: `${words}: nothing there is touched`,
      hint: 'delete the surplus one by hand, or ask the service to repair it',
      address: touching[0]?.address ?? unlistedAddress(scope, first),
      ...(touching[0] === undefined ? {} : { range: touching[0].source }),
      related: touching.slice(1).map(({ address, source }) => ({ message: `${address} is there too`, range: source })),
    });
    for (const desired of touching) {
      const live = holders.find(({ id }) => claims.owners.get(id) === desired) ?? null;
      bind(claims, desired, live, live === null ? 'several live resources hold its place' : 'pinned id', {
        frozen: words,
      });
    }
  }
}

/** The holder of a declaration's place is the declaration. */
function claimPlaces(claims: Claims, absent: boolean): void {
  for (const desired of claims.open()) {
    const place = claims.placeOf(desired.spec);
    if (place === null || desired.absent !== absent) continue;
    const holder = claims.holders.get(place)?.[0];
    if (holder !== undefined && !claims.owners.has(holder.id))
      bind(claims, desired, holder, claims.scope.rules.poolWords(desired.spec));
  }
}

/** For kinds that choose themselves: each declaration sees what is still unclaimed in its pool, and its pin. */
function chooseEach(claims: Claims): void {
  const { scope, pinned } = claims;
  const pools = groupBy(claims.known, (live) => claims.poolKeyOf(live.spec) ?? '');
  for (const desired of claims.open()) {
    const own = pinned.get(desired.address) ?? null;
    const candidates = (pools.get(claims.poolKeyOf(desired.spec) ?? '') ?? []).filter(
      ({ id }) => !claims.owners.has(id) || id === own?.id,
    );
    if (own !== null && !candidates.includes(own)) candidates.push(own);
    const choice = scope.rules.choose?.(desired, candidates, contextOf(scope));
    if (choice === undefined) continue;
    claims.diagnostics.push(...choice.diagnostics);
    bind(claims, desired, choice.live, choice.because, { companions: choice.companions });
  }
}
