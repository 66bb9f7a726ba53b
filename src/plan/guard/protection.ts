// Blocks changes that would delete a protected resource along with another, or that the service would refuse because of references.
import { canonicalAt, type KindTraits, referencesOf, type ReferenceRule } from '../../model/attributes.ts';
import { asPart, coversAddress, scopeOf, type Address, aboveOf } from '../../model/address.ts';
import { covers, type DesiredResource, type SafetyLimits } from '../../model/desired.ts';
import { PROJECT } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { UnmanagedResource } from '../../model/outcome/plan.ts';
import { addressesOf, type Draft, block, losesData, note, removes, takesAway } from '../diff/draft.ts';
import { groupBy } from '../../base/group-by.ts';
import type { Matching } from '../match/matching.ts';
import { unlistedAddress, type Scope } from '../scope.ts';
import { listOfFirst } from '../../base/text/words.ts';
import { jsonEqual, type JsonObject } from '../../base/json.ts';
import { isReference } from '../../model/values.ts';
import { nameOf, namesWith } from '../order/reference-needs.ts';

interface Resource {
  readonly address: Address;
  readonly live: LiveResource | null;
  readonly desired: DesiredResource | null;
}

/** True if the declaration protects the resource (live or new), or if a pattern covers one of the resource's names, before or after the plan. */
export type IsKept = (
  scope: Scope,
  resource: Pick<Resource, 'live' | 'desired'>,
  addresses: readonly Address[],
) => boolean;

type Protecting = Pick<SafetyLimits, 'project' | 'protect' | 'isOperators' | 'wereOperators'>;

export function keeping(
  drafts: readonly Draft[],
  matchings: readonly Matching[],
  safety: readonly Protecting[],
): IsKept {
  const names = safety.some(({ protect }) => protect.length > 0) ? namesIn(drafts, matchings) : NO_NAMES;
  return (scope, { live, desired }, addresses) =>
    desired?.lifecycle.protect === true ||
    isProtected([...addresses, ...(names.get(live ?? addresses[0] ?? '') ?? [])], scope, safety);
}

/** All names of each resource, by live resource or, for a new resource, by address. */
type Names = ReadonlyMap<LiveResource | Address, readonly Address[]>;

const NO_NAMES: Names = new Map();

/**
 * True if a pattern protects the resource. A pattern of the files means a project by its label, its id, or its names in the files. A pattern
 * of the operator also means a project by its names in the account. If such a name could not be read, every operator pattern means the project.
 */
function isProtected(
  names: readonly Address[],
  { label, project, liveProject, rules }: Scope,
  safety: readonly Protecting[],
): boolean {
  const meant = (text: string): string => (rules.key === undefined ? text : folded(rules, rules.key, text));
  const below = (own: string): readonly Address[] => names.map((name) => own + name.slice(label.length));
  const given = [project?.name, project?.renamedFrom].flatMap((name) => name ?? []);
  const byFiles = [label, liveProject?.id ?? label, ...given.map(asPart)].flatMap(below);
  const inAccount = liveProject?.namesInAccount ?? [];
  const byAll = [...byFiles, ...inAccount.flatMap((name) => (name === null ? [] : below(asPart(name))))];
  return safety.some((block) => {
    const isOperators = block.isOperators === true || block.wereOperators === true;
    const ofProject = (glob: string): string => label + glob.slice(scopeOf(glob).length);
    const isUntold = isOperators && inAccount.includes(null);
    const globs = isUntold ? block.protect.flatMap((glob) => [glob, ofProject(glob)]) : block.protect;
    const all = isOperators ? byAll : byFiles;
    return covers(block, label) && globs.some((glob) => all.some((name) => coversAddress(meant(glob), meant(name))));
  });
}

/** Brings the name in an address to its normal form, so that equal names are equal texts. The name is the last part before any `/**`. */
function folded(rules: KindTraits, key: string, text: string): string {
  return text.replace(/(?<=\/)[^/]+(?=(?:\/\*\*)?$)/u, (name) => String(canonicalAt(rules, key, name)));
}

function resourcesOf({ scope, bindings }: Matching): readonly Resource[] {
  const declared = new Map(bindings.map(({ live, desired }) => [live, desired]));
  return [
    ...scope.live.map((live) => {
      const desired = declared.get(live) ?? null;
      return { address: desired?.address ?? unlistedAddress(scope, live), live, desired };
    }),
    ...bindings
      .filter(({ live, desired }) => live === null && !desired.absent)
      .map(({ desired }) => ({ address: desired.address, live: null, desired })),
  ];
}

function namesIn(drafts: readonly Draft[], matchings: readonly Matching[]): Names {
  // One resource can have several changes.
  const next = groupBy(drafts, ({ change, live }) => live ?? change.address);
  const names = new Map<LiveResource | Address, readonly Address[]>();
  const byParent = new Map<string, readonly Address[]>();
  for (const matching of matchings) {
    const { parent, rules, label } = matching.scope;
    const direct = rules.parent === null ? null : label;
    const above =
      parent === null ? [direct] : (byParent.get(`${rules.parent} ${parent.id ?? parent.address}`) ?? [parent.address]);
    for (const resource of resourcesOf(matching)) {
      const { address, live } = resource;
      const now = live === null ? [] : [live.spec[rules.key ?? 'name'], live.id];
      const later = (next.get(live ?? address) ?? []).map(({ specAfter }) => specAfter?.['name']);
      const own = [...now, ...later].filter((name) => typeof name === 'string');
      const found = addressesFor(matching.scope, above, resource, own);
      names.set(live ?? address, found);
      byParent.set(`${rules.kind} ${live?.id ?? address}`, found);
    }
  }
  return names;
}

/** Returns all addresses of a resource: by its label and by its names (`own`), below each address of its parent (`above`). */
function addressesFor(
  { label, rules, parent }: Scope,
  above: readonly (Address | null)[],
  { address, live, desired }: Resource,
  own: readonly string[],
): readonly Address[] {
  if (rules.kind === PROJECT) return [label];
  const labelled =
    parent === null
      ? addressesOf({ address, resourceId: live?.id ?? null }, label)
      : above.map((one) => `${one}${address.slice(parent.address.length)}`);
  // A member of a set has addresses only below its set, whatever its name in the account.
  if (parent === null && desired?.set !== undefined) return labelled;
  const named = above.flatMap((one) =>
    own.map((name) => [one, rules.segment, asPart(name)].filter((part) => part !== null).join('/')),
  );
  return [...new Set([...labelled, ...named])];
}

/** Blocks removals of resources that others refer to, or whose removal deletes a protected resource. */
export function guardReferred(drafts: readonly Draft[], matchings: readonly Matching[], isKept: IsKept): void {
  const wanted = new Set(matchings.flatMap(({ scope }) => rulesOf(scope).map(([, { kind }]) => kind)));
  const taken = drafts.filter(({ change }) => takesAway(change) && wanted.has(change.kind));
  if (taken.length === 0) return;
  // Without `--due`, the resource of a due change keeps its references.
  const byLive = new Map(drafts.filter(({ isAsked }) => isAsked).map((draft) => [draft.live, draft]));
  const all = matchings.flatMap((matching) => usesIn(matching, byLive, isKept));
  const uses = groupBy(all, ({ key }) => key);
  for (const draft of taken) {
    const { change, live, scope } = draft;
    const found =
      live === null ? [] : namesWith(scope, { ...live.spec, id: live.id }).flatMap((key) => uses.get(key) ?? []);
    const hold = (way: Use['way'], word: 'refused' | 'protect', words: Words): void =>
      holdBy(draft, word, new Set(found.flatMap((use) => (use.way === way ? [use.address] : []))), words);
    hold('goes', 'protect', GOES_ALONG);
    // A removal runs after the steps that move or remove a protected dependent. An expiry waits for no step, so the dependent blocks it.
    if (removes(change)) hold('holds', 'refused', STAYS);
    else hold('leaves', 'protect', IS_THERE);
  }
}

/** Blocks each removal, expiry or reset of a parent that contains a protected resource. */
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

/** Returns a test for resources that are deleted along with another: the plan does not show such resources as unlisted. */
export function goesAlong(matchings: readonly Matching[]): (resource: UnmanagedResource) => boolean {
  const going = new Set(
    matchings.flatMap(({ scope, bindings }) =>
      bindings.flatMap(({ desired, live }) =>
        (desired.absent || desired.byRule !== undefined) && live !== null
          ? namesWith(scope, { ...live.spec, id: live.id })
          : [],
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

/** Two ends for the sentence of a note: one for a single resource, one for several. */
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

/** A resource that refers to another (`key`). `holds`: stays · `goes`: protected, deleted with it · `leaves`: protected, gives up the reference. */
interface Use {
  readonly key: string;
  readonly address: Address;
  readonly way: 'holds' | 'goes' | 'leaves';
}

function rulesOf({ rules }: Scope): readonly (readonly [string, ReferenceRule])[] {
  return Object.entries(referencesOf(rules)).filter(([, { onRemoval }]) => onRemoval !== undefined);
}

/**
 * Returns how the resources of a scope depend on others after the plan. Leaves out a resource that is deleted along with the one that it
 * refers to, unless it is declared or protected. For a protected resource, adds the references that it has now and loses by the plan.
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
