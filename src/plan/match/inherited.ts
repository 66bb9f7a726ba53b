// Contents of a copy: a parent that is created as a copy has everything below its origin from the start.
import { groupBy } from '../../base/group-by.ts';
import { copiedFrom } from '../../model/attributes.ts';
import type { JsonObject } from '../../base/json.ts';
import { mergeDeep } from '../../model/paths.ts';
import { isReference, placeholderOf } from '../../model/reference.ts';
import type { LiveResource } from '../../model/live.ts';
import { differenceOf } from '../diff/difference.ts';
import { unlistedAddress, type Scope, type ScopeParent } from '../scope.ts';
import { movedTo, type Binding } from './match-state.ts';
import { matchScope, type Elsewhere, type Matching } from './matching.ts';

/** The resources of a scope as parents: declared ones and unclaimed live ones. A parent that does not exist yet names its origin. */
export function membersOf({ scope, bindings, unclaimed }: Matching): readonly ScopeParent[] {
  const { projectId } = scope;
  const members: readonly ScopeParent[] = [
    ...bindings.map(({ desired: { address, absent }, live }) => {
      return { address, projectId, id: live?.id ?? null, isGoing: absent };
    }),
    ...unclaimed.map((live) => ({ address: unlistedAddress(scope, live), projectId, id: live.id })),
  ];
  const copies = bindings.flatMap(({ desired: { address, spec, absent }, live }) => {
    const origin = live === null && !absent ? copiedFrom(scope.rules, spec, scope.live) : null;
    return origin === null ? [] : [{ address, origin }];
  });
  if (copies.length === 0) return members;
  const addresses = new Map(members.flatMap(({ id, address }) => (id === null ? [] : [[id, address] as const])));
  const origins = new Map(
    copies.map(({ address, origin }) => [address, isReference(origin) ? origin.ref : addresses.get(String(origin))]),
  );
  const copied = new Set(origins.values());
  return members.map((member) => {
    const copyOf = origins.get(member.address);
    const isOrigin = copied.has(member.address);
    return { ...member, ...(copyOf === undefined ? {} : { copyOf }), ...(isOrigin ? { isOrigin } : {}) };
  });
}

/**
 * Visits the parents, each after its origin. The function that `enter` returns is called after all copies of that parent. Parents that
 * are copies of each other in a cycle are left out.
 */
export function throughCopies(parents: readonly ScopeParent[], enter: (parent: ScopeParent) => () => void): void {
  const copies = groupBy(
    parents.filter(({ copyOf }) => copyOf !== undefined),
    ({ copyOf = '' }) => copyOf,
  );
  const todo = parents.filter(({ copyOf }) => copyOf === undefined).map((root) => (): void => visit(root));
  const visit = (parent: ScopeParent): void => {
    todo.push(enter(parent));
    for (const copy of copies.get(parent.address) ?? []) todo.push(() => visit(copy));
  };
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) next();
}

/**
 * The matchings of a kind, with declarations below a copy bound to the contents that come with it. `parents`: all possible parents of the
 * kind.
 */
export function withInherited(
  matchings: readonly Matching[],
  parents: readonly ScopeParent[],
  elsewhere: Elsewhere,
): readonly Matching[] {
  if (!parents.some(({ copyOf }) => copyOf !== undefined)) return matchings;
  const found = new Map(matchings.map((matching) => [matching.scope.parent?.address, matching]));
  const bound = new Map<Matching, Matching>();
  // The planned contents of the current parent, by slot.
  const there = new Map<string, JsonObject>();
  throughCopies(parents, ({ address }) => {
    const matching = found.get(address);
    if (matching === undefined) return () => undefined;
    const own = inheriting(matching, there, elsewhere);
    bound.set(matching, own);
    return laidOn(there, placesIn(own));
  });
  return matchings.map((matching) => bound.get(matching) ?? matching);
}

/** Inherited contents match as live resources do: a rename means the same here and there. */
function inheriting(matching: Matching, there: ReadonlyMap<string, JsonObject>, elsewhere: Elsewhere): Matching {
  const { scope } = matching;
  const from = scope.parent?.copyOf;
  if (from === undefined) return matching;
  const { bindings, diagnostics } = matchScope({ ...scope, live: comingAlong(scope, there) }, elsewhere);
  const bound = bindings.map((binding): Binding => {
    const { desired, live } = binding;
    if (live === null) return binding;
    const inherited = { ...live, id: placeholderOf(desired.address) };
    return { ...binding, live: null, matchedBy: `inherited from ${from}`, inherited };
  });
  return { ...matching, bindings: bound, diagnostics };
}

/** The inherited contents that the declarations of the scope may mean. Ids are not known yet, so the slot stands for the id. */
function comingAlong(scope: Scope, there: ReadonlyMap<string, JsonObject>): readonly LiveResource[] {
  const { rules, projectId, parent } = scope;
  const places = scope.desired.flatMap(({ spec, movedFrom }) => [
    rules.place(spec),
    ...(movedFrom === null ? [] : [rules.place(movedTo(scope, spec, movedFrom))]),
  ]);
  return [...new Set(places)].flatMap((place): LiveResource[] => {
    const spec = place === null ? undefined : there.get(place);
    if (place === null || spec === undefined) return [];
    const parentId = parent === null ? {} : { parentId: parent.id ?? placeholderOf(parent.address) };
    const { kind } = rules;
    return [{ kind, id: place, projectId, ...parentId, spec, observed: {}, createdAtMs: null }];
  });
}

/**
 * The contents that copies of the parent will have, by slot; undefined for a slot that will be empty. A removal runs last, so its target
 * is still copied.
 */
function placesIn({
  scope: { rules, holdsAtMs },
  bindings,
  unclaimed,
}: Matching): readonly (readonly [string, JsonObject | undefined])[] {
  const left = bindings.flatMap(({ inherited }): [string | null, undefined][] =>
    inherited === undefined ? [] : [[rules.place(inherited.spec), undefined]],
  );
  const declared = bindings.map(({ desired, live, inherited, frozen }): [string | null, JsonObject | undefined] => {
    const found = live ?? inherited;
    if (found === undefined) return [rules.place(desired.spec), desired.absent ? undefined : desired.spec];
    const isLeft = desired.absent || frozen !== null;
    const spec = isLeft ? found.spec : mergeDeep(found.spec, differenceOf(rules, desired, found, holdsAtMs).desired);
    return [rules.place(spec), spec];
  });
  const others = unclaimed.map(({ spec }): [string | null, JsonObject] => [rules.place(spec), spec]);
  return [...left, ...declared, ...others].flatMap(([place, spec]) => (place === null ? [] : [[place, spec] as const]));
}

/** Writes the entries into the map; the returned function undoes that. */
export function laidOn<T>(map: Map<string, T>, entries: readonly (readonly [string, T | undefined])[]): () => void {
  const before = entries.map(([key]) => [key, map.get(key)] as const);
  const write = ([key, value]: readonly [string, T | undefined]): void => {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  };
  entries.forEach(write);
  return () => before.forEach(write);
}
