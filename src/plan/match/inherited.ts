// Matches the declarations below a parent that a plan creates as a copy: the copy has the contents of its origin from the start.
import { defined } from '../../base/picked.ts';
import { groupBy } from '../../base/group-by.ts';
import { copiedFrom } from '../../model/attributes.ts';
import type { JsonObject } from '../../base/json.ts';
import { isReference, placeholderOf, mergeDeep } from '../../model/values.ts';
import type { LiveResource } from '../../model/live.ts';
import { differenceOf } from '../diff/difference.ts';
import { unlistedAddress, type Scope, type ScopeParent } from '../scope.ts';
import { placeFrom, type Binding } from './match-state.ts';
import { matchScope, type Matching } from './matching.ts';

/** Returns the resources of a scope as parents for other kinds. A parent that will be created as a copy names its origin (`copyOf`). */
export function membersOf({ scope, bindings, unclaimed }: Matching): readonly ScopeParent[] {
  const { projectId } = scope;
  const members: readonly ScopeParent[] = [
    ...bindings.map(({ desired: { address, absent, byRule }, live }) => {
      const { contents = [] } = byRule ?? {};
      return { address, projectId, id: live?.id ?? null, isGoing: absent, contents, isAround: true };
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
    const isAround = member.isAround === true || copied.has(member.address);
    return { ...member, ...defined({ copyOf }), isAround };
  });
}

/** Calls `visit` for each parent after its origin. `ofOrigin`: the result for the origin, or `none` without an origin. Skips cycles of copies. */
export function throughCopies<T>(
  parents: readonly ScopeParent[],
  none: T,
  visit: (parent: ScopeParent, ofOrigin: T) => T,
): void {
  const copies = groupBy(parents, ({ copyOf }) => copyOf);
  const todo = (copies.get(undefined) ?? []).map((parent) => ({ parent, ofOrigin: none }));
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const own = visit(next.parent, next.ofOrigin);
    for (const parent of copies.get(next.parent.address) ?? []) todo.push({ parent, ofOrigin: own });
  }
}

type Contents = ReadonlyMap<string | null, JsonObject>;

/** Binds declarations below a copy to the contents that the copy inherits. `parents`: all possible parents of the kind. */
export function withInherited(matchings: readonly Matching[], parents: readonly ScopeParent[]): readonly Matching[] {
  if (!parents.some(({ copyOf }) => copyOf !== undefined)) return matchings;
  const found = new Map(matchings.map((matching) => [matching.scope.parent?.address, matching]));
  throughCopies(parents, new Map(), ({ address }, there: Contents) => {
    const matching = found.get(address);
    if (matching === undefined) return there;
    const own = inheriting(matching, there);
    found.set(address, own);
    return contentsOf(own, there);
  });
  return matchings.map((matching) => found.get(matching.scope.parent?.address) ?? matching);
}

/** Matches declarations with inherited contents as if these were live, so that `renamed_from` works for inherited contents, too. */
function inheriting(matching: Matching, there: Contents): Matching {
  const { scope } = matching;
  const from = scope.parent?.copyOf;
  if (from === undefined) return matching;
  const { bindings, diagnostics } = matchScope({ ...scope, live: comingAlong(scope, there) });
  const bound = bindings.map((binding): Binding => {
    const { desired, live } = binding;
    if (live === null) return binding;
    const inherited = { ...live, id: placeholderOf(desired.address) };
    return { ...binding, live: null, matchedBy: `inherited from ${from}`, inherited };
  });
  return { ...matching, bindings: bound, diagnostics };
}

/** Returns the inherited contents that the scope's declarations may mean. Their ids are not known yet, so the slot serves as the id. */
function comingAlong(scope: Scope, there: Contents): readonly LiveResource[] {
  const { rules, projectId, parent } = scope;
  const places = new Set(scope.declared.flatMap((desired) => [rules.place(desired.spec), placeFrom(scope, desired)]));
  return [...places].flatMap((place): LiveResource[] => {
    const spec = there.get(place);
    if (place === null || spec === undefined) return [];
    const parentId = parent === null ? {} : { parentId: parent.id ?? placeholderOf(parent.address) };
    const { kind } = rules;
    return [{ kind, id: place, projectId, ...parentId, spec, observed: {}, createdAtMs: null }];
  });
}

/** Returns the contents that copies of the parent will have. Removals run last, so a copy still has the resources to be removed. */
function contentsOf({ scope: { rules, holdsAtMs }, bindings, unclaimed }: Matching, there: Contents): Contents {
  const contents = new Map<string | null, JsonObject>(there);
  for (const { inherited } of bindings) if (inherited !== undefined) contents.delete(rules.place(inherited.spec));
  for (const { desired, live, inherited, frozen } of bindings) {
    const found = live ?? inherited;
    const isLeft = desired.absent || frozen !== null;
    const spec =
      found === undefined
        ? desired.spec
        : isLeft
          ? found.spec
          : mergeDeep(found.spec, differenceOf(rules, desired, found, holdsAtMs).desired);
    if (found === undefined && desired.absent) contents.delete(rules.place(spec));
    else contents.set(rules.place(spec), spec);
  }
  for (const { spec } of unclaimed) contents.set(rules.place(spec), spec);
  return contents;
}
