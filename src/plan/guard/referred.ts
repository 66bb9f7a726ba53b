// Blocks removals that the service would refuse because of references, or that would also delete a protected resource.
import { referencesOf, type ReferenceRule } from '../../model/attributes.ts';
import { groupBy } from '../../base/group-by.ts';
import { listOfFirst } from '../../base/text/words.ts';
import { jsonEqual, type JsonObject } from '../../base/json.ts';
import type { Address } from '../../model/address.ts';
import type { LiveResource } from '../../model/live.ts';
import { isReference } from '../../model/values.ts';
import type { UnmanagedResource } from '../../model/outcome/plan.ts';
import { addressesOf, block, losesData, note, removes, takesAway, type Draft } from '../diff/draft.ts';
import { isByRule } from '../match/by-rule.ts';
import { resourcesOf, type Matching } from '../match/matching.ts';
import { nameOf, namesBy } from '../order/reference-needs.ts';
import type { Scope } from '../scope.ts';
import { aboveOf, type IsKept } from './protection.ts';

/** Blocks removals of resources that others refer to, or whose removal deletes a protected resource. */
export function guardReferred(
  drafts: readonly Draft[],
  matchings: readonly Matching[],
  { isKept, due }: { readonly isKept: IsKept; readonly due: boolean },
): void {
  const wanted = new Set(matchings.flatMap(({ scope }) => rulesOf(scope).map(([, { kind }]) => kind)));
  const taken = drafts.filter(({ change }) => takesAway(change) && wanted.has(change.kind));
  if (taken.length === 0) return;
  // A due change that this run does not carry out leaves the references of its resource as they are.
  const meant = drafts.filter(({ change }) => due || !change.due);
  const byLive = new Map(meant.map((draft) => [draft.live, draft]));
  const all = matchings.flatMap((matching) => usesIn(matching, byLive, isKept));
  const uses = groupBy(all, ({ key }) => key);
  for (const draft of taken) {
    const { change, live, scope } = draft;
    const found = live === null ? [] : namesOf(scope, live).flatMap((key) => uses.get(key) ?? []);
    const hold = (way: Use['way'], word: 'refused' | 'protect', words: Words): void =>
      holdBy(draft, word, new Set(found.flatMap((use) => (use.way === way ? [use.address] : []))), words);
    hold('goes', 'protect', GOES_ALONG);
    // A removal waits for a protected dependent to be moved or removed. An expiry does not wait, so the expiry is blocked.
    if (removes(change)) hold('holds', 'refused', STAYS);
    else hold('leaves', 'protect', IS_THERE);
  }
}

/** Blocks removals of a parent that contains a protected resource. */
export function guardHolders(drafts: readonly Draft[], matchings: readonly Matching[], isKept: IsKept): void {
  const parents = new Set(matchings.flatMap(({ scope }) => [scope.parent?.address, scope.label]));
  const holders = drafts.filter(({ change }) => losesData(change) && parents.has(change.address));
  if (holders.length === 0) return;
  const kept = matchings.flatMap((matching) =>
    resourcesOf(matching).flatMap((one) => (isKept(matching.scope, one, [one.address]) ? [one.address] : [])),
  );
  const below = groupBy(
    kept.flatMap((address) => aboveOf(address).map((above) => ({ above, address }))),
    ({ above }) => above,
  );
  for (const draft of holders) {
    const inside = (below.get(draft.change.address) ?? []).map(({ address }) => address);
    holdBy(draft, 'protect', new Set(inside), GOES_ALONG);
  }
}

/** Blocks moves of a protected resource to a parent that can expire. */
export function guardArrivals(drafts: readonly Draft[], matchings: readonly Matching[], isKept: IsKept): void {
  const specOfNew = (ref: Address): JsonObject | null => {
    const bindings = matchings.flatMap((matching) => matching.bindings);
    const found = bindings.find(({ live, desired }) => desired.address === ref && live === null && !desired.absent);
    return found?.desired.spec ?? null;
  };
  for (const draft of drafts) {
    const { live, scope, change, specAfter } = draft;
    if (live === null || specAfter === null || removes(change)) continue;
    const notes = rulesOf(scope).flatMap(([path, rule]) => {
      const { [path]: value = null } = specAfter;
      if (rule.ends === undefined || jsonEqual(value, live.spec[path] ?? null)) return [];
      return rule.ends(value, isReference(value) ? specOfNew(value.ref) : null, scope) ?? [];
    });
    if (notes.length === 0 || !isKept(scope, draft, addressesOf(change, scope.label))) continue;
    note(draft, ...notes);
    block(draft, 'protect');
  }
}

/** Returns a test for resources that are deleted along with another one. The plan shows them below that one, not as unlisted. */
export function goesAlong(matchings: readonly Matching[]): (resource: UnmanagedResource) => boolean {
  const going = new Set(
    matchings.flatMap(({ scope, bindings }) =>
      bindings.flatMap(({ desired, live }) =>
        (desired.absent || isByRule(desired)) && live !== null ? namesOf(scope, live) : [],
      ),
    ),
  );
  const along = new Set<string>();
  for (const { scope } of going.size === 0 ? [] : matchings)
    for (const [path, rule] of rulesOf(scope))
      for (const live of rule.onRemoval === 'goes' ? scope.live : [])
        if (going.has(nameOf(scope, rule, String(live.spec[path])))) along.add(resourceKey(live));
  return (resource) => !resource.pruned && along.has(resourceKey(resource));
}

function resourceKey({ kind, id }: Pick<UnmanagedResource, 'kind' | 'id'>): string {
  return JSON.stringify([kind, id]);
}

/** Ends a sentence about one resource, and a sentence about several. */
type Words = readonly [string, string];

const GOES_ALONG: Words = ['would be deleted with it, and is protected', 'would be deleted with it, and are protected'];
const IS_THERE: Words = ['is still there, and is protected', 'are still there, and are protected'];
const STAYS: Words = [
  'depends on this resource and stays: delete or change the dependent resource, too',
  'depend on this resource and stay: delete or change the dependent resources, too',
];

function holdBy(draft: Draft, word: 'refused' | 'protect', addresses: ReadonlySet<Address>, [one, many]: Words): void {
  if (addresses.size === 0) return;
  note(draft, `${listOfFirst([...addresses].sort(), 5)} ${addresses.size === 1 ? one : many}`);
  block(draft, word);
}

/** `holds`: the dependent blocks the removal · `goes`: it is protected and deleted, too · `leaves`: protected, but moved or removed. */
interface Use {
  readonly key: string;
  readonly address: Address;
  readonly way: 'holds' | 'goes' | 'leaves';
}

function rulesOf({ rules }: Scope): readonly (readonly [string, ReferenceRule])[] {
  return Object.entries(referencesOf(rules)).filter(([, { onRemoval }]) => onRemoval !== undefined);
}

/**
 * Returns how the resources of a scope depend on others after the plan. A dependent that would be deleted, too, blocks nothing unless it is
 * declared or protected. A protected dependent also counts with its present references.
 */
function usesIn(matching: Matching, byLive: ReadonlyMap<Draft['live'], Draft>, isKept: IsKept): readonly Use[] {
  const { scope } = matching;
  const rules = rulesOf(scope);
  if (rules.length === 0) return [];
  return resourcesOf(matching).flatMap((resource) => {
    const { address, live, desired } = resource;
    const isProtected = isKept(scope, resource, [address]);
    const isDeclared = desired?.absent === false;
    const usesOf = (spec: JsonObject): readonly Use[] =>
      rules.flatMap(([path, rule]): readonly Use[] => {
        const value = spec[path];
        if (typeof value !== 'string') return [];
        const key = nameOf(scope, rule, value);
        if (rule.onRemoval === 'goes' && isProtected) return [{ key, address, way: 'goes' }];
        return rule.onRemoval !== 'goes' || isDeclared ? [{ key, address, way: 'holds' }] : [];
      });
    if (live === null) return usesOf(desired?.spec ?? {});
    const draft = byLive.get(live);
    const isGoing = draft !== undefined && removes(draft.change);
    const after = isGoing ? [] : usesOf(draft?.specAfter ?? live.spec);
    if (!isProtected) return after;
    const kept = new Set(after.map(({ key }) => key));
    const now = usesOf(live.spec).filter(({ key, way }) => way === 'goes' && !kept.has(key));
    return [...after, ...now.map((use): Use => ({ ...use, way: 'leaves' }))];
  });
}

function namesOf(scope: Scope, { id, spec }: LiveResource): readonly string[] {
  const byAttribute = Object.entries(spec).flatMap(([field, value]) =>
    typeof value === 'string' ? namesBy(scope, field, value) : [],
  );
  return [...namesBy(scope, 'id', id), ...byAttribute];
}
