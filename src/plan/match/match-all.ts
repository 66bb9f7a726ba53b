// Matches all scopes, parents first, resolves the references between declarations, and reports references that name nothing.
import { textOf, type JsonObject } from '../../base/json.ts';
import { nearHint } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import { placedBy, referencesOf } from '../../model/attributes.ts';
import {
  errorAt,
  warningAt,
  type DesiredResource,
  type KindName,
  type PruneRule,
  type ResourceId,
} from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LivePlace } from '../../model/live.ts';
import { inOrderOfKinds } from '../../model/kind.ts';
import { holdsReference, isUnborn, placeholdersIn, resolveIn, resolveText, type Known } from '../../model/values.ts';
import { isReplaced } from '../diff/difference.ts';
import type { PlanInput } from '../input.ts';
import type { KindRules } from '../kind-rules.ts';
import { scopesOf, type Scope, type ScopeParent } from '../scope.ts';
import { withRules } from './by-rule.ts';
import { membersOf, throughCopies, withInherited } from './inherited.ts';
import type { Binding } from './match-state.ts';
import { matchScope, type Matching } from './matching.ts';

export interface Matched {
  readonly matchings: readonly Matching[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Referent {
  readonly scope: Scope;
  readonly binding: Binding;
}

/** Matches all scopes. References to live resources become values; other references stay as they are. */
export function matchAll(input: PlanInput): Matched {
  const of = scopesOf(input);
  const kinds = inOrderOfKinds(input.kinds, (rules) => Object.values(referencesOf(rules)).map(({ kind }) => kind));
  const referents = new Map<Address, Referent>();
  const born = input.live.projects.filter(({ id }) => !isUnborn({ projectId: id }));
  // A declaration may also refer to a project that the files name without managing it.
  const projectIds = new Map(born.map(({ label, id }) => [label, id]));
  const known: Known = ({ ref, field }) => {
    const found = referents.get(ref);
    if (found !== undefined) return referredValue(found, field);
    return field === 'id' ? projectIds.get(ref) : undefined;
  };
  const members = new Map<KindName, readonly ScopeParent[]>();
  const matchings = kinds.flatMap((rules) => {
    const parents = members.get(rules.parent ?? '') ?? [];
    const scopes = of(rules, parents).map((scope) => resolvedScope(scope, known));
    const own = withInherited(scopes.map(matchScope), parents).map((matching) => withRules(matching, input));
    members.set(rules.kind, own.flatMap(membersOf));
    for (const { scope, bindings } of own)
      for (const binding of bindings) referents.set(binding.desired.address, { scope, binding });
    return own
      .filter(({ scope, bindings }) => scope.live.length + bindings.length > 0)
      .map((matching) => reparented(withinKind(matching, known)));
  });
  return {
    matchings,
    diagnostics: [
      ...matchings.flatMap((matching) => matching.diagnostics),
      ...missingReferents(matchings, [...members.values()].flat(), input.kinds),
    ],
  };
}

export function declaredByRule(input: PlanInput): readonly DesiredResource[] {
  const { matchings } = matchAll(input);
  return matchings.flatMap(({ scope }) => scope.declared.filter(({ byRule }) => byRule !== undefined));
}

/** Returns the live parent of each address's live children: its own resource or, for a copy to be created, the copied resource. */
export function livePlaces(input: PlanInput): ReadonlyMap<Address, LivePlace> {
  const members = matchAll(input).matchings.flatMap(membersOf);
  const places = new Map<Address, LivePlace>();
  throughCopies(members, undefined, ({ address, id }, origin: LivePlace | undefined) => {
    const place = id === null ? origin && { id: origin.id, isCopied: true } : { id, isCopied: false };
    if (place !== undefined) places.set(address, place);
    return place;
  });
  return places;
}

function withinKind(matching: Matching, known: Known): Matching {
  const { scope, bindings } = matching;
  if (!scope.declared.some(({ spec }) => holdsReference(spec))) return matching;
  return {
    ...matching,
    scope: declaring(scope, known),
    bindings: bindings.map((binding) => ({ ...binding, desired: resolved(scope, binding.desired, known) })),
  };
}

/** Keeps the live parent, with a warning, if a restore moved the resource or exchanged the names of the live and the declared parent. */
function reparented(matching: Matching): Matching {
  const { scope, bindings } = matching;
  const { rules, live: all } = scope;
  const paths = Object.entries(referencesOf(rules)).flatMap(([path, { kind, field }]) =>
    kind === rules.kind && field === 'id' ? [path] : [],
  );
  if (paths.length === 0) return matching;
  const madeAtMs = new Map(all.map(({ id, createdAtMs }) => [id, createdAtMs ?? null]));
  const formers = new Map(all.map(({ id, tookOver = null }) => [id, tookOver]));
  const diagnostics = [...matching.diagnostics];
  const kept = bindings.map((binding): Binding => {
    const { desired, live } = binding;
    for (const path of paths) {
      const [wanted, have] = [desired.spec[path], live?.spec[path]];
      if (typeof wanted !== 'string' || typeof have !== 'string' || wanted === have) continue;
      // No resource can be created below a younger parent, so a restore moved this resource there.
      const isMoved = (madeAtMs.get(have) ?? -Infinity) > (live?.createdAtMs ?? Infinity);
      if (!isMoved && !isSuccession(formers, wanted, have) && !isSuccession(formers, have, wanted)) continue;
      const message = `${desired.address} has the parent ${have} since a restore, but the file says ${wanted}; trueup does not change the parent`;
      diagnostics.push(warningAt(desired, path, 'reparented', message, 'Write the id of the present parent.'));
      return { ...binding, desired: { ...desired, spec: { ...desired.spec, [path]: have } } };
    }
    return binding;
  });
  return { ...matching, bindings: kept, diagnostics };
}

/** True if `heir` took over the name of `former`, in one restore or several. */
function isSuccession(
  formers: ReadonlyMap<ResourceId, ResourceId | null>,
  heir: ResourceId,
  former: ResourceId,
): boolean {
  const seen = new Set<ResourceId>();
  for (let at = formers.get(heir) ?? null; at !== null && !seen.has(at); at = formers.get(at) ?? null) {
    if (at === former) return true;
    seen.add(at);
  }
  return false;
}

function resolvedScope(scope: Scope, known: Known): Scope {
  const { project } = scope;
  const own = declaring(scope, known);
  if (project === null || typeof project.prune === 'boolean') return own;
  const prune = Object.entries(project.prune).map(([path, values]) => [
    path,
    values.map((value) => placeIn(value, known)),
  ]);
  return { ...own, project: { ...project, prune: Object.fromEntries(prune) as PruneRule } };
}

function declaring(scope: Scope, known: Known): Scope {
  return { ...scope, declared: scope.declared.map((one) => resolved(scope, one, known)) };
}

/** Returns the text with each known placeholder replaced by the id that it stands for. */
function placeIn(text: string, known: Known): string {
  return resolveText(text, (ref) => textOf(known({ ref, field: 'id' })) ?? undefined);
}

/** Resolves the references of a declaration, also in its former slot and its `via` slot. If a slot is a name, these two stay as they are. */
function resolved({ rules }: Scope, desired: DesiredResource, known: Known): DesiredResource {
  const spec = resolveIn(desired.spec, known);
  const { movedFrom, lifecycle } = desired;
  const { via } = lifecycle;
  const isNamed = placedBy(rules)?.isName === true;
  if (isNamed || [movedFrom, via].every((text) => placeholdersIn(text ?? '').length === 0))
    return spec === desired.spec ? desired : { ...desired, spec };
  const moved = { movedFrom: movedFrom && placeIn(movedFrom, known) };
  return { ...desired, spec, ...moved, lifecycle: { ...lifecycle, via: via && placeIn(via, known) } };
}

/** Returns the value of a reference: declared, or else live. Undefined for an id that is not known yet, or that a replacement changes. */
function referredValue({ scope, binding }: Referent, field: string): ReturnType<Known> {
  const { desired, live } = binding;
  if (live === null) return field === 'id' ? undefined : desired.spec[field];
  if (field !== 'id') return desired.spec[field] ?? live.spec[field];
  return isReplaced(scope.rules, desired, live) ? undefined : live.id;
}

/** Reports references to names that no sibling has, except in a new parent that is no copy: its contents are unknown. `read`: the planned kinds. */
function missingReferents(
  matchings: readonly Matching[],
  parents: readonly ScopeParent[],
  read: readonly KindRules[],
): readonly Diagnostic[] {
  const keyOf = (kind: KindName, parent: ScopeParent | null): string => `${kind} ${parent?.address ?? ''}`;
  const scopes = new Map(matchings.map((one) => [keyOf(one.scope.rules.kind, one.scope.parent), one]));
  const kinds = new Map(matchings.map(({ scope: { rules } }) => [rules.kind, rules]));
  const known = parents.filter(({ id, copyOf }) => id !== null || copyOf !== undefined);
  const problems: Diagnostic[] = [];
  for (const rules of kinds.values())
    for (const [path, { kind, field, among }] of Object.entries(referencesOf(rules))) {
      if (among !== 'siblings' || field === 'id' || !read.some((one) => one.kind === kind)) continue;
      throughCopies(known, new Map(), (parent, inherited: Names) => {
        const names = new Map([...inherited, ...namesOf(scopes.get(keyOf(kind, parent)), field)]);
        for (const binding of scopes.get(keyOf(rules.kind, parent))?.bindings ?? [])
          problems.push(...missing(binding, path, names, kind, parent.address));
        return names;
      });
    }
  return problems;
}

/** The names in a scope: false for a name that the plan changes to another name, true for every other name. */
type Names = ReadonlyMap<string, boolean>;

function namesOf(matching: Matching | undefined, field: string): Names {
  const names = new Map<string, boolean>();
  const add = ({ [field]: name }: JsonObject, isThere: boolean): void => {
    if (typeof name === 'string') names.set(name, isThere);
  };
  const { bindings = [], unclaimed = [] } = matching ?? {};
  const before = ({ live, inherited }: Binding): JsonObject => live?.spec ?? inherited?.spec ?? {};
  for (const binding of bindings) add(before(binding), false);
  for (const binding of bindings) {
    const { desired, frozen } = binding;
    add(desired.absent || frozen !== null ? before(binding) : { ...before(binding), ...desired.spec }, true);
  }
  for (const { spec } of unclaimed) add(spec, true);
  return names;
}

function missing(
  { desired, live, inherited, frozen }: Binding,
  path: string,
  names: Names,
  kind: KindName,
  parent: Address,
): readonly Diagnostic[] {
  const value = desired.spec[path];
  if (desired.absent || frozen !== null || typeof value !== 'string') return [];
  // An unchanged reference is accepted even if no list shows the name, but not if the plan changes the name.
  if (names.get(value) ?? (live ?? inherited)?.spec[path] === value) return [];
  const there = [...names].flatMap(([name, isThere]) => (isThere ? [name] : []));
  const otherwise =
    names.get(value) === false
      ? 'This plan renames the resource with that name: write its new name.'
      : `Declare the ${kind} at ${parent}.`;
  const message = `${path} is ${JSON.stringify(value)}, but ${parent} has no ${kind} of that name, and no file declares one there`;
  return [errorAt(desired, path, 'unknown_referent', message, nearHint(value, there, otherwise, JSON.stringify))];
}
