// Holds the state of matching a scope: which live resources the declarations match so far.
import { placedBy, namedAs, canonicalAt, poolOf } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/** A declaration with its live resource; `live` is null if there is none. */
export interface Binding {
  readonly desired: DesiredResource;
  readonly live: LiveResource | null;
  readonly matchedBy: string;
  /** Other live resources that belong to this declaration, so they are neither reported nor pruned. */
  readonly companions: readonly LiveResource[];
  /** True if the pin names no live resource here, or names a resource whose name another resource took over. */
  readonly stalePin: boolean;
  /** The new resource of a replacement, if an interrupted run created it; null otherwise. */
  readonly successor: LiveResource | null;
  /** Says why the plan changes nothing here; null if changes are possible. */
  readonly frozen: string | null;
  /** For a member of a set: the live resource that has the member's name, although trueup did not create this resource for the set. */
  readonly foreign?: LiveResource;
  /** True for a missing member of a preview set that `list_in_doubt` blocks. */
  readonly isDoubtful?: true;
  /** The resource that a new copy of the parent will contain: no step creates this resource, and its id is not known yet. */
  readonly inherited?: LiveResource;
  /** Set if only equal attributes, counting or age led to the match; null if an id, a slot or a name did. */
  readonly guess: Guess | null;
}

/** The live resources among which a match was guessed; all bindings of one guess share this object. */
export interface Guess {
  readonly members: readonly LiveResource[];
  /** True if several declarations, or several live resources, are in the same pool. */
  readonly isMany: boolean;
}

export interface MatchState {
  readonly scope: Scope;
  readonly ids: ReadonlySet<ResourceId>;
  readonly known: readonly LiveResource[];
  /** The resources in each slot, oldest first, without those of a type that this version does not know. */
  readonly holders: ReadonlyMap<string | null, readonly LiveResource[]>;
  readonly owners: Map<ResourceId, DesiredResource>;
  readonly bindings: Map<Address, Binding>;
  readonly frozen: Set<ResourceId>;
  readonly diagnostics: Diagnostic[];
  /** Declarations without a binding, in order of address. */
  readonly open: () => readonly DesiredResource[];
}

export function newMatchState(scope: Scope, known: readonly LiveResource[]): MatchState {
  const bindings = new Map<Address, Binding>();
  return {
    scope,
    ids: new Set(scope.live.map(({ id }) => id)),
    known,
    holders: groupBy(known, ({ spec }) => scope.rules.place(spec)),
    owners: new Map(),
    bindings,
    frozen: new Set(),
    diagnostics: [],
    open: () =>
      bindings.size === scope.declared.length ? [] : scope.declared.filter(({ address }) => !bindings.has(address)),
  };
}

/** Returns the live resource in the slot, or the oldest if there are several; undefined if the slot is null or empty. */
export function holderOf({ holders }: MatchState, place: string | null): LiveResource | undefined {
  return place === null ? undefined : holders.get(place)?.[0];
}

/** True if the declaration pins an id that no live resource here has. */
export function isStale({ ids }: MatchState, { pin, absent }: DesiredResource): boolean {
  return pin !== null && !absent && !ids.has(pin);
}

/** Returns the former slot that the declaration gives; null if it gives none. */
export function placeFrom(scope: Scope, { spec, movedFrom }: DesiredResource): string | null {
  return movedFrom === null ? null : scope.rules.place(movedTo(scope, spec, movedFrom));
}

/** True if only a guess links the declaration to a live or new resource: neither id, slot nor name does. */
export function isUnpinned({ rules }: Scope, { desired, stalePin, guess }: Binding): boolean {
  if (rules.choose !== undefined || rules.place(desired.spec) !== null) return false;
  if (desired.pin !== null && !stalePin) return false;
  return guess !== null || namedAs(rules, desired) === null;
}

/** Returns the key of the pool to which the spec belongs; null if the spec lacks a part of the key. */
export function poolKeyOf(rules: KindRules, spec: JsonObject): string | null {
  const pool = Object.entries(poolOf(rules, spec));
  if (pool.some(([, value]) => value === null || value === undefined)) return null;
  return canonicalJson(pool.map(([path, value]) => [path, canonicalAt(rules, path, value)]));
}

export function movedTo({ rules }: Scope, spec: JsonObject, where: string): JsonObject {
  const placed = placedBy(rules);
  return placed === null ? spec : { ...spec, [placed.attribute]: where };
}

export function bind(
  state: MatchState,
  desired: DesiredResource,
  live: LiveResource | null,
  matchedBy: string,
  more: Partial<Pick<Binding, 'companions' | 'foreign' | 'frozen' | 'guess' | 'stalePin'>> = {},
): void {
  const { companions = [] } = more;
  for (const one of live === null ? companions : [live, ...companions]) state.owners.set(one.id, desired);
  state.bindings.set(desired.address, {
    desired,
    live,
    matchedBy,
    companions,
    stalePin: isStale(state, desired),
    successor: null,
    frozen: null,
    guess: null,
    ...more,
  });
}
