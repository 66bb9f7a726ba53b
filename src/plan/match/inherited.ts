// What comes with a copy: one that is still to be made has, from the start, what lies below the one that it is made from.
import type { Json, JsonObject } from '../../base/json.ts';
import { mergeDeep } from '../../model/paths.ts';
import { isReference } from '../../model/reference.ts';
import type { Address } from '../../model/address.ts';
import { unlistedAddress } from '../scope.ts';
import type { ScopeParent } from '../scope.ts';
import type { Binding } from './claims.ts';
import type { Matching } from './matching.ts';

/** What others may be below: what is declared, and what is live besides; of what is still to be made, what it will be a copy of. */
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

/** The matchings of one kind, in which declarations below a copy are bound to what comes with it, as that is planned. */
export function withInherited(matchings: readonly Matching[]): readonly Matching[] {
  if (!matchings.some(({ scope }) => scope.parent?.copyOf !== undefined)) return matchings;
  const found = new Map(matchings.map((matching) => [matching.scope.parent?.address, matching]));
  const done = new Map<Address, Matching>();
  /** Null where nobody knows what lies there. */
  const below = (address: Address, seen: readonly Address[]): readonly JsonObject[] | null => {
    const matching = found.get(address);
    if (matching === undefined || seen.includes(address)) return null;
    const own = inherit(matching, [...seen, address]);
    const { bindings, unclaimed, scope } = own;
    const declared = bindings.flatMap(({ desired, live, inherited }) =>
      desired.absent ? [] : [mergeDeep(live?.spec ?? inherited?.spec ?? {}, desired.spec)],
    );
    const origin = scope.parent?.copyOf;
    const known = new Set(bindings.map(({ desired }) => scope.rules.place(desired.spec)));
    const others = (origin === undefined ? null : below(origin, [...seen, address])) ?? [];
    return [
      ...declared,
      ...unclaimed.map(({ spec }) => spec),
      ...others.filter((spec) => !known.has(scope.rules.place(spec))),
    ];
  };
  const inherit = (matching: Matching, seen: readonly Address[]): Matching => {
    const { parent, rules } = matching.scope;
    const before = done.get(parent?.address ?? '');
    if (before !== undefined) return before;
    const origin = parent?.copyOf;
    const specs = origin === undefined ? null : below(origin, seen);
    if (parent === null || origin === undefined || specs === null) return matching;
    const places = new Map(specs.map((spec) => [rules.place(spec), spec]));
    const bindings = matching.bindings.map((binding): Binding => {
      const place = rules.place(binding.desired.spec);
      const spec = place === null ? undefined : places.get(place);
      if (spec === undefined || binding.live !== null) return binding;
      return { ...binding, matchedBy: `inherited from ${origin}`, inherited: { from: origin, spec } };
    });
    const result = { ...matching, bindings };
    done.set(parent.address, result);
    return result;
  };
  return matchings.map((matching) => inherit(matching, [matching.scope.parent?.address ?? '']));
}
