// Blocks of removals: the service refuses to remove a resource in use, and a removal must not delete a protected resource with it.
import { referencesOf, type ReferenceRule } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { listOf } from '../../base/text/words.ts';
import { jsonEqual, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import { isReference } from '../../model/reference.ts';
import type { UnmanagedResource } from '../../model/outcome/plan.ts';
import { blocked, noted, removes, takesAway, type Draft } from '../diff/draft.ts';
import type { Matching } from '../match/matching.ts';
import { nameOf, namesBy } from '../order/referents.ts';
import { contextOf, unlistedAddress, type Scope } from '../scope.ts';
import { aboveOf, isProtected, namesOf as namesOfOne, protects, type Protecting } from './protection.ts';

/** Blocks removals of resources that others refer to, or whose removal deletes a protected one. */
export function guardReferred(drafts: readonly Draft[], protecting: Protecting): readonly Draft[] {
  const { matchings } = protecting;
  const wanted = new Set(matchings.flatMap(({ scope }) => rulesOf(scope).map(([, { kind }]) => kind)));
  if (!drafts.some(({ change }) => takesAway(change) && wanted.has(change.kind))) return drafts;
  const byLive = new Map(drafts.flatMap((draft) => (draft.live === null ? [] : [[draft.live, draft] as const])));
  const uses = groupBy(
    matchings.flatMap((matching) => usesIn(matching, byLive, protecting)),
    ({ key }) => key,
  );
  return drafts.map((draft) => {
    const { change, live, scope } = draft;
    if (live === null || !takesAway(change) || !wanted.has(change.kind)) return draft;
    const found = namesOf(scope, live.id, live.spec).flatMap((key) => uses.get(key) ?? []);
    const by = (one: Use['way']): readonly Address[] => [
      ...new Set(found.flatMap(({ address, way }) => (way === one ? [address] : []))),
    ];
    const along = heldBy(draft, 'protect', by('goes'), GOES_ALONG);
    // A removal waits for others to leave; an expiry does not.
    return removes(change)
      ? heldBy(along, 'refused', by('holds'), [
          'depends on this resource and stays: delete or change the dependent resource, too',
          'depend on this resource and stay: delete or change the dependent resources, too',
        ])
      : heldBy(along, 'protect', by('leaves'), [
          'is still there, and is protected',
          'are still there, and are protected',
        ]);
  });
}

/** Blocks removals of a parent with something protected below it. */
export function guardHolders(drafts: readonly Draft[], protecting: Protecting): readonly Draft[] {
  const { matchings } = protecting;
  const parents = new Set(matchings.flatMap(({ scope }) => [scope.parent?.address ?? [], scope.label].flat()));
  const isHolder = ({ change }: Draft): boolean => takesAway(change) && parents.has(change.address);
  if (!drafts.some(isHolder)) return drafts;
  const kept = groupBy(
    matchings
      .flatMap((matching) => protectedIn(matching, protecting))
      .flatMap((address) => aboveOf(address).map((above) => ({ above, address }))),
    ({ above }) => above,
  );
  const keptIn = ({ change }: Draft): readonly Address[] =>
    (kept.get(change.address) ?? []).map(({ address }) => address);
  return drafts.map((draft) => (isHolder(draft) ? heldBy(draft, 'protect', keptIn(draft), GOES_ALONG) : draft));
}

/** Blocks moves of something protected to a parent that can expire. */
export function guardArrivals(drafts: readonly Draft[], { matchings, safety, names }: Protecting): readonly Draft[] {
  const made = new Map(
    matchings.flatMap(({ bindings }) =>
      bindings.flatMap(({ live, desired: { address, absent, spec } }) =>
        live === null && !absent ? [[address, spec] as const] : [],
      ),
    ),
  );
  return drafts.map((draft) => {
    const { live, scope, change, specAfter } = draft;
    if (live === null || specAfter === null || removes(change)) return draft;
    const notes = rulesOf(scope).flatMap(([path, rule]) => {
      const { [path]: value = null } = specAfter;
      if (jsonEqual(value, live.spec[path] ?? null)) return [];
      return rule.ends?.(value, isReference(value) ? (made.get(value.ref) ?? null) : null, contextOf(scope)) ?? [];
    });
    return notes.length > 0 && protects(draft, safety, names) ? blocked(noted(draft, ...notes), 'protect') : draft;
  });
}

/** Protected resources of a scope, live or new, listed or not. */
function protectedIn(
  { scope, bindings, unclaimed }: Matching,
  { safety, names }: Pick<Protecting, 'safety' | 'names'>,
): readonly Address[] {
  const isKept = (address: Address, live: LiveResource | null): boolean =>
    isProtected(namesOfOne({ address, live }, names), scope, safety);
  return [
    ...bindings.flatMap(({ desired: { address, lifecycle, absent }, live }) =>
      (live !== null || !absent) && (lifecycle.protect || isKept(address, live)) ? [address] : [],
    ),
    ...unclaimed.flatMap((live) => {
      const address = unlistedAddress(scope, live);
      return isKept(address, live) ? [address] : [];
    }),
  ];
}

/** True for a resource that is deleted with another one: the deletion shows it, so no list of unlisted resources does. */
export function goesAlong(matchings: readonly Matching[]): (resource: UnmanagedResource) => boolean {
  const going = new Set(
    matchings.flatMap(({ scope, bindings }) =>
      bindings.flatMap(({ desired, live }) =>
        desired.absent && live !== null ? namesOf(scope, live.id, live.spec) : [],
      ),
    ),
  );
  const along = new Set(
    matchings.flatMap(({ scope }) =>
      rulesOf(scope)
        .filter(([, { onRemoval }]) => onRemoval === 'goes')
        .flatMap(([path, rule]) =>
          scope.live.filter(({ spec }) => going.has(nameOf(scope, rule, String(spec[path])))).map(resourceKey),
        ),
    ),
  );
  return (resource) => !resource.pruned && along.has(resourceKey(resource));
}

function resourceKey({ kind, id }: Pick<UnmanagedResource, 'kind' | 'id'>): string {
  return JSON.stringify([kind, id]);
}

const GOES_ALONG = [
  'would be deleted with it, and is protected',
  'would be deleted with it, and are protected',
] as const;

function heldBy(
  draft: Draft,
  block: 'refused' | 'protect',
  addresses: readonly Address[],
  [one, many]: readonly [string, string],
): Draft {
  if (addresses.length === 0) return draft;
  const named = [...addresses].sort().slice(0, 5);
  const rest = addresses.length - named.length;
  const note = `${listOf(named)}${rest > 0 ? ` and ${rest} more` : ''} ${addresses.length === 1 ? one : many}`;
  return blocked(noted(draft, note), block);
}

/** `leaves`: it is protected, and the plan moves or removes it. */
interface Use {
  readonly key: string;
  readonly address: Address;
  readonly way: 'holds' | 'goes' | 'leaves';
}

interface User {
  readonly address: Address;
  readonly isDeclared: boolean;
  readonly isKept: boolean;
}

function rulesOf({ rules }: Scope): readonly (readonly [string, ReferenceRule])[] {
  return Object.entries(referencesOf(rules)).filter(([, { onRemoval }]) => onRemoval !== undefined);
}

/**
 * The references of the resources of a scope after the plan. A resource that would be deleted too blocks nothing, unless a file
 * declares it or it is protected; a protected one also counts where it is now.
 */
function usesIn(
  { scope, bindings }: Matching,
  byLive: ReadonlyMap<Draft['live'], Draft>,
  { safety, names }: Protecting,
): readonly Use[] {
  const rules = rulesOf(scope);
  if (rules.length === 0) return [];
  const declared = new Map(bindings.flatMap(({ desired, live }) => (live === null ? [] : [[live, desired] as const])));
  const usesOf = (spec: JsonObject, { address, isDeclared, isKept }: User): readonly Use[] =>
    rules.flatMap(([path, rule]): readonly Use[] => {
      const value = spec[path];
      if (typeof value !== 'string') return [];
      const key = nameOf(scope, rule, value);
      if (rule.onRemoval !== 'goes') return [{ key, address, way: 'holds' }];
      if (isKept) return [{ key, address, way: 'goes' }];
      return isDeclared ? [{ key, address, way: 'holds' }] : [];
    });
  const made = bindings.flatMap(({ desired: { address, absent, spec, lifecycle }, live }) => {
    const isKept = lifecycle.protect || isProtected(namesOfOne({ address, live }, names), scope, safety);
    return live === null && !absent ? usesOf(spec, { address, isDeclared: true, isKept }) : [];
  });
  const staying = scope.live.flatMap((live) => {
    const draft = byLive.get(live);
    const desired = declared.get(live);
    const address = desired?.address ?? unlistedAddress(scope, live);
    const isNamed = isProtected(namesOfOne({ address, live }, names), scope, safety);
    const isKept = desired?.lifecycle.protect === true || isNamed;
    const user = { address, isDeclared: desired?.absent === false, isKept };
    const isGoing = draft !== undefined && removes(draft.change);
    const after = isGoing ? [] : usesOf(draft?.specAfter ?? live.spec, user);
    if (!isKept) return after;
    const kept = new Set(after.map(({ key }) => key));
    const now = usesOf(live.spec, user).filter(({ key, way }) => way === 'goes' && !kept.has(key));
    return [...after, ...now.map((use): Use => ({ ...use, way: 'leaves' }))];
  });
  return [...made, ...staying];
}

function namesOf(scope: Scope, id: string, spec: JsonObject): readonly string[] {
  const byAttribute = Object.entries(spec).flatMap(([field, value]) =>
    typeof value === 'string' ? namesBy(scope, field, value) : [],
  );
  return [...namesBy(scope, 'id', id), ...byAttribute];
}
