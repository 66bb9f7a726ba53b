// Reports references to a name that no sibling has: neither live, declared nor inherited.
import { referencesOf, type ReferenceRule } from '../../model/attributes.ts';
import { didYouMean } from '../../base/text/words.ts';
import { problemAt, type KindName } from '../../model/desired.ts';
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
  const scopes = new Map(
    matchings.map((matching) => [keyOf(matching.scope.rules.kind, matching.scope.parent), matching]),
  );
  const kinds = new Map(matchings.map(({ scope: { rules } }) => [rules.kind, rules]));
  return [...kinds.values()].flatMap((rules) =>
    Object.entries(referencesOf(rules)).flatMap(([path, rule]) => {
      const isRead = read.some((one) => one.kind === rule.kind);
      if (rule.among !== 'siblings' || rule.field === 'id' || !isRead) return [];
      const problems: Diagnostic[] = [];
      const known = parents.filter(({ id, copyOf }) => id !== null || copyOf !== undefined);
      throughCopies(known, new Map(), (parent, inherited: ReadonlyMap<string, boolean>) => {
        const names = new Map([...inherited, ...namesOf(scopes.get(keyOf(rule.kind, parent)), rule.field)]);
        const bindings = scopes.get(keyOf(rules.kind, parent))?.bindings ?? [];
        for (const binding of bindings) problems.push(...missing(binding, { path, rule, parent, names }));
        return names;
      });
      return problems;
    }),
  );
}

function keyOf(kind: KindName, parent: ScopeParent | null): string {
  return `${kind} ${parent?.address ?? ''}`;
}

/** The names in a scope: true for a name that exists after the plan, false for a name that the plan changes. */
function namesOf(matching: Matching | undefined, field: string): readonly (readonly [string, boolean])[] {
  if (matching === undefined) return [];
  const bound = matching.bindings.map(({ desired, live, inherited, frozen }) => {
    const before = live?.spec ?? inherited?.spec ?? {};
    return { before, after: desired.absent || frozen !== null ? before : { ...before, ...desired.spec } };
  });
  const named = ({ [field]: name }: JsonObject, isThere: boolean): readonly (readonly [string, boolean])[] =>
    typeof name === 'string' ? [[name, isThere]] : [];
  return [
    ...bound.flatMap(({ before }) => named(before, false)),
    ...bound.flatMap(({ after }) => named(after, true)),
    ...matching.unclaimed.flatMap(({ spec }) => named(spec, true)),
  ];
}

interface Referring {
  readonly path: string;
  readonly rule: ReferenceRule;
  readonly parent: ScopeParent;
  readonly names: ReadonlyMap<string, boolean>;
}

function missing(
  { desired, live, inherited, frozen }: Binding,
  { path, rule, parent, names }: Referring,
): readonly Diagnostic[] {
  const value = desired.spec[path];
  if (desired.absent || frozen !== null || typeof value !== 'string') return [];
  // A live resource may refer to a name that no list shows, but not to a name that the plan changes.
  if (names.get(value) ?? (live ?? inherited)?.spec[path] === value) return [];
  const near = didYouMean(
    value,
    [...names].flatMap(([name, isThere]) => (isThere ? [name] : [])),
  );
  const hint =
    near !== undefined
      ? `Did you mean ${JSON.stringify(near)}?`
      : names.get(value) === false
        ? 'This plan renames the resource with that name: write its new name.'
        : `Declare the ${rule.kind} at ${parent.address}.`;
  return [
    problemAt(desired, path, {
      severity: 'error',
      code: 'unknown_referent',
      message: `${path} is ${JSON.stringify(value)}, but ${parent.address} has no ${rule.kind} of that name, and no file declares one there`,
      hint,
    }),
  ];
}
