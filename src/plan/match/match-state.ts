// The state of matching one scope: who has claimed what so far.
import { placedBy, namedAs, canonicalAt, poolOf } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindRules } from '../kind-rules.ts';
import type { Scope } from '../scope.ts';

/** A declaration and the live resource that it is (null when there is none). */
export interface Binding {
  readonly desired: DesiredResource;
  readonly live: LiveResource | null;
  readonly matchedBy: string;
  /** Other live resources that belong to the same declaration: neither unmanaged nor pruned. */
  readonly companions: readonly LiveResource[];
  /** Its pin names nothing that is live here, or a resource whose name another one took over. */
  readonly stalePin: boolean;
  /** What is to take the place of `live`, where that is there already. */
  readonly successor: LiveResource | null;
  /** Why nothing is done about it; null when nothing stands in the way. */
  readonly frozen: string | null;
  /** What it will be from the start, where its parent is made as a copy: no step makes it, and its id is not known yet. */
  readonly inherited?: LiveResource;
  /** True where nothing but counting or age tells it: neither its id, its place nor its name. */
  readonly guess: boolean;
}

export interface MatchState {
  readonly scope: Scope;
  readonly known: readonly LiveResource[];
  /** Live holders by place. */
  readonly holders: ReadonlyMap<string, readonly LiveResource[]>;
  readonly owners: Map<ResourceId, DesiredResource>;
  readonly bindings: Map<Address, Binding>;
  /** Live resources found by their pin. */
  readonly pinned: Map<Address, LiveResource>;
  /** Declarations whose pin names nothing live here, each with the label of the project where it lives; null where nowhere. */
  readonly stale: Map<Address, string | null>;
  /** Declarations whose pin names a resource whose name another one took over. */
  readonly swapped: Set<Address>;
  readonly frozen: Set<ResourceId>;
  readonly diagnostics: Diagnostic[];
  /** Declarations without a binding, in order of address. */
  open(): readonly DesiredResource[];
  placeOf(spec: JsonObject): string | null;
  /** The place that `moved_from` names; null without one. */
  placeFrom(desired: DesiredResource): string | null;
  /** Equal for what could be the same resource; null when the spec does not say enough. */
  poolKeyOf(spec: JsonObject): string | null;
}

export function newMatchState(scope: Scope, known: readonly LiveResource[]): MatchState {
  const { rules } = scope;
  const placeOf = (spec: JsonObject): string | null => rules.place(spec);
  const bindings = new Map<Address, Binding>();
  return {
    scope,
    known,
    holders: groupBy(
      known.filter(({ spec }) => placeOf(spec) !== null),
      ({ spec }) => placeOf(spec) ?? '',
    ),
    owners: new Map(),
    bindings,
    pinned: new Map(),
    stale: new Map(),
    swapped: new Set(),
    frozen: new Set(),
    diagnostics: [],
    open: () =>
      bindings.size === scope.desired.length ? [] : scope.desired.filter(({ address }) => !bindings.has(address)),
    placeOf,
    placeFrom: ({ spec, movedFrom }) => (movedFrom === null ? null : placeOf(movedTo(scope, spec, movedFrom))),
    poolKeyOf: (spec) => poolKeyOf(rules, spec),
  };
}

/** True where nothing but a guess ties the declaration to what is live, or will once it is made: no id, no place, no name. */
export function isUnpinned({ rules }: Pick<Scope, 'rules'>, { desired, stalePin, guess }: Binding): boolean {
  if (rules.choose !== undefined || rules.place(desired.spec) !== null) return false;
  if (desired.pin !== null && !stalePin) return false;
  return guess || namedAs(rules, desired) === null;
}

/** Equal for what could be the same resource; null when the spec does not say enough. */
export function poolKeyOf(rules: KindRules, spec: JsonObject): string | null {
  const pool = Object.entries(poolOf(rules, spec));
  if (pool.some(([, value]) => value === null || value === undefined)) return null;
  return canonicalJson(pool.map(([path, value]) => [path, canonicalAt(rules, path, value)]));
}

/** The spec with the attribute that says where it is set to another value. */
export function movedTo({ rules }: Pick<Scope, 'rules'>, spec: JsonObject, where: string): JsonObject {
  const placed = placedBy(rules);
  return placed === null ? spec : { ...spec, [placed.attribute]: where };
}

/** Claims what the declaration is matched with, and its companions. */
export function bind(
  state: MatchState,
  desired: DesiredResource,
  live: LiveResource | null,
  matchedBy: string,
  more: Partial<Pick<Binding, 'companions' | 'frozen' | 'guess'>> = {},
): void {
  const companions = more.companions ?? [];
  for (const one of live === null ? companions : [live, ...companions]) state.owners.set(one.id, desired);
  state.bindings.set(desired.address, {
    desired,
    live,
    matchedBy,
    companions,
    stalePin: state.stale.has(desired.address) || state.swapped.has(desired.address),
    successor: null,
    frozen: more.frozen ?? null,
    guess: more.guess ?? false,
  });
}
