// The state of matching a scope: which live resources the declarations match so far.
import { placedBy, namedAs, canonicalAt, poolOf } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/** A declaration and its live resource; null if it has none. */
export interface Binding {
  readonly desired: DesiredResource;
  readonly live: LiveResource | null;
  readonly matchedBy: string;
  /** Other live resources of this declaration, so that they are neither unmanaged nor pruned. */
  readonly companions: readonly LiveResource[];
  /** True if the pin names no live resource here, or one whose name another resource took over. */
  readonly stalePin: boolean;
  /** The resource that replaces `live`, if it exists already. */
  readonly successor: LiveResource | null;
  /** The reason why nothing is changed; null if changes are possible. */
  readonly frozen: string | null;
  /** The resource that has the member's name, although trueup did not create it for the set. */
  readonly foreign?: LiveResource;
  /** The resource that the copy of its parent contains: no step creates it, and its id is not known yet. */
  readonly inherited?: LiveResource;
  /** True if only counting or age led to the match, not an id, slot or name. */
  readonly guess: boolean;
}

export interface MatchState {
  readonly scope: Scope;
  readonly known: readonly LiveResource[];
  readonly holders: ReadonlyMap<string, readonly LiveResource[]>;
  readonly owners: Map<ResourceId, DesiredResource>;
  readonly bindings: Map<Address, Binding>;
  isStale(desired: DesiredResource): boolean;
  readonly frozen: Set<ResourceId>;
  readonly diagnostics: Diagnostic[];
  /** Declarations without a binding, in order of address. */
  open(): readonly DesiredResource[];
  placeOf(spec: JsonObject): string | null;
  placeFrom(desired: DesiredResource): string | null;
  /** Resources with equal keys may be meant by one declaration; null if the spec does not say enough. */
  poolKeyOf(spec: JsonObject): string | null;
}

export function newMatchState(scope: Scope, known: readonly LiveResource[]): MatchState {
  const { rules } = scope;
  const placeOf = (spec: JsonObject): string | null => rules.place(spec);
  const bindings = new Map<Address, Binding>();
  const ids = new Set(scope.live.map(({ id }) => id));
  return {
    scope,
    known,
    holders: groupBy(
      known.filter(({ spec }) => placeOf(spec) !== null),
      ({ spec }) => placeOf(spec) ?? '',
    ),
    owners: new Map(),
    bindings,
    isStale: ({ pin, absent }) => pin !== null && !absent && !ids.has(pin),
    frozen: new Set(),
    diagnostics: [],
    open: () =>
      bindings.size === scope.desired.length ? [] : scope.desired.filter(({ address }) => !bindings.has(address)),
    placeOf,
    placeFrom: ({ spec, movedFrom }) => (movedFrom === null ? null : placeOf(movedTo(scope, spec, movedFrom))),
    poolKeyOf: (spec) => poolKeyOf(rules, spec),
  };
}

/** True if only a guess links the declaration to a live or new resource: neither id, slot nor name does. */
export function isUnpinned({ rules }: Pick<Scope, 'rules'>, { desired, stalePin, guess }: Binding): boolean {
  if (rules.choose !== undefined || rules.place(desired.spec) !== null) return false;
  if (desired.pin !== null && !stalePin) return false;
  return guess || namedAs(rules, desired) === null;
}

export function poolKeyOf(rules: KindRules, spec: JsonObject): string | null {
  const pool = Object.entries(poolOf(rules, spec));
  if (pool.some(([, value]) => value === null || value === undefined)) return null;
  return canonicalJson(pool.map(([path, value]) => [path, canonicalAt(rules, path, value)]));
}

export function movedTo({ rules }: Pick<Scope, 'rules'>, spec: JsonObject, where: string): JsonObject {
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
    stalePin: state.isStale(desired),
    successor: null,
    frozen: null,
    guess: false,
    ...more,
  });
}
