// Reports references to a name that no sibling has: neither live, declared nor inherited.
import type { Address } from '../../model/address.ts';
import { referencesOf } from '../../model/attributes.ts';
import { nearHint } from '../../base/text/words.ts';
import { errorAt, type KindName } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KindRules } from '../kind-rules.ts';
import type { ScopeParent } from '../scope.ts';
import type { Binding } from './match-state.ts';
import { throughCopies } from './inherited.ts';
import type { Matching } from './matching.ts';

/** `parents`: all possible parents; `read`: the kinds that were read. Reports nothing below a parent whose contents are not known. */
export function missingReferents(
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

/** The names in a scope: true for a name that exists after the plan, false for a name that the plan changes. */
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
  // A live resource may refer to a name that no list shows, but not to a name that the plan changes.
  if (names.get(value) ?? (live ?? inherited)?.spec[path] === value) return [];
  const there = [...names].flatMap(([name, isThere]) => (isThere ? [name] : []));
  const otherwise =
    names.get(value) === false
      ? 'This plan renames the resource with that name: write its new name.'
      : `Declare the ${kind} at ${parent}.`;
  const message = `${path} is ${JSON.stringify(value)}, but ${parent} has no ${kind} of that name, and no file declares one there`;
  return [errorAt(desired, path, 'unknown_referent', message, nearHint(value, there, otherwise, JSON.stringify))];
}
