// What comes with a copy: a parent that is still to be made as one has, from the start, all that is below its origin.
import { groupBy } from '../../base/group-by.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { mergeDeep } from '../../model/paths.ts';
import { isReference, placeholderOf } from '../../model/reference.ts';
import type { Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import { differenceOf } from '../diff/difference.ts';
import { unlistedAddress, type Scope, type ScopeParent } from '../scope.ts';
import { movedTo, type Binding } from './match-state.ts';
import { matchScope, type Elsewhere, type Matching } from './matching.ts';

/** The resources of a scope as parents: the declared ones and the live ones besides. One that is still to be made tells what it will be a copy of. */
export function membersOf({ scope, bindings, unclaimed }: Matching): readonly ScopeParent[] {
  const projectId = scope.project?.id ?? null;
  const members: readonly ScopeParent[] = [
    ...bindings.map(({ desired: { address, absent }, live }) => {
      return { address, projectId, id: live?.id ?? null, isGoing: absent };
    }),
    ...unclaimed.map((live) => ({ address: unlistedAddress(scope, live), projectId, id: live.id })),
  ];
  const { copies } = scope.rules;
  if (copies === undefined) return members;
  const addresses = new Map(members.flatMap(({ id, address }) => (id === null ? [] : [[id, address] as const])));
  const addressOf = (value: Json | null): Address | undefined =>
    isReference(value) ? value.ref : typeof value === 'string' ? addresses.get(value) : undefined;
  const origins = new Map(
    bindings.flatMap(({ desired, live }) => {
      const origin = live === null && !desired.absent ? addressOf(copies(desired.spec, scope.live)) : undefined;
      return origin === undefined ? [] : [[desired.address, origin] as const];
    }),
  );
  const copied = new Set(origins.values());
  return members.map((member) => {
    const copyOf = origins.get(member.address);
    const isOrigin = copied.has(member.address);
    return { ...member, ...(copyOf === undefined ? {} : { copyOf }), ...(isOrigin ? { isOrigin } : {}) };
  });
}

/**
 * Visits the parents, each after the one that it is made as a copy of. The function that `enter` returns is called when all copies of
 * that parent were visited. Parents that are copies of each other in a ring are left out.
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

/** The matchings of one kind, in which declarations below a copy are bound to what comes with it, as that is planned. `parents`: all that one of the kind may be below. */
export function withInherited(
  matchings: readonly Matching[],
  parents: readonly ScopeParent[],
  elsewhere: Elsewhere,
): readonly Matching[] {
  if (!parents.some(({ copyOf }) => copyOf !== undefined)) return matchings;
  const found = new Map(matchings.map((matching) => [matching.scope.parent?.address, matching]));
  const bound = new Map<Matching, Matching>();
  // By place, what is below the parent that is looked at, or will be.
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

/** Matched with what comes along as with what is live: a rename means the same here and there. */
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

/** What the declarations of the scope may mean of that. Ids are to come, so each stands under the words for its place. */
function comingAlong(scope: Scope, there: ReadonlyMap<string, JsonObject>): readonly LiveResource[] {
  const { rules, project, parent } = scope;
  const places = scope.desired.flatMap(({ spec, movedFrom }) => [
    rules.place(spec),
    ...(movedFrom === null ? [] : [rules.place(movedTo(scope, spec, movedFrom))]),
  ]);
  return [...new Set(places)].flatMap((place): LiveResource[] => {
    const spec = place === null ? undefined : there.get(place);
    if (place === null || spec === undefined) return [];
    const parentId = parent === null ? {} : { parentId: parent.id ?? placeholderOf(parent.address) };
    const { kind } = rules;
    return [{ kind, id: place, projectId: project?.id ?? null, ...parentId, spec, observed: {}, createdAtMs: null }];
  });
}

/** What copies of the parent will have of it, by place; undefined for what is not to be there. What goes comes along first: removals come last. */
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

/** Writes the entries into the map; the function that it returns undoes that. */
export function laidOn<T>(map: Map<string, T>, entries: readonly (readonly [string, T | undefined])[]): () => void {
  const before = entries.map(([key]) => [key, map.get(key)] as const);
  const write = ([key, value]: readonly [string, T | undefined]): void => {
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  };
  entries.forEach(write);
  return () => before.forEach(write);
}
