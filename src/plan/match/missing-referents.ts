// References to a name that nothing below the same parent has: nothing live, nothing declared, and nothing that comes with a copy.
import { didYouMean } from '../../base/text/words.ts';
import type { KindName } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ReferenceRule } from '../kind-rules.ts';
import type { ScopeParent } from '../scope.ts';
import type { Binding } from './match-state.ts';
import { throughCopies } from './inherited.ts';
import type { Matching } from './matching.ts';

/**
 * An error for each reference that is to be sent and would be refused. `parents`: all that others may be below. Below what nobody can look
 * into yet, nothing is said.
 */
export function missingReferents(
  matchings: readonly Matching[],
  parents: readonly ScopeParent[],
): readonly Diagnostic[] {
  const scopes = new Map(
    matchings.map((matching) => [keyOf(matching.scope.rules.kind, matching.scope.parent), matching]),
  );
  const kinds = new Map(matchings.map(({ scope: { rules } }) => [rules.kind, rules]));
  return [...kinds.values()].flatMap(({ kind, references = {} }) =>
    Object.entries(references).flatMap(([path, rule]) => {
      if (rule.among !== 'siblings' || rule.field === 'id') return [];
      const problems: Diagnostic[] = [];
      const names = new Map<string, number>();
      throughCopies(
        parents.filter(({ id, copyOf }) => id !== null || copyOf !== undefined),
        (parent) => {
          const own = namesOf(scopes.get(keyOf(rule.kind, parent)), rule.field);
          count(names, own, 1);
          const sent = scopes.get(keyOf(kind, parent))?.bindings.filter((binding) => isSent(binding, path)) ?? [];
          problems.push(...sent.flatMap((binding) => missing(binding, { path, rule, parent, names })));
          return () => count(names, own, -1);
        },
      );
      return problems;
    }),
  );
}

/** Counts each name up, or down. */
function count(counts: Map<string, number>, names: readonly string[], change: 1 | -1): void {
  for (const name of names) {
    const times = (counts.get(name) ?? 0) + change;
    if (times === 0) counts.delete(name);
    else counts.set(name, times);
  }
}

function keyOf(kind: KindName, parent: ScopeParent | null): string {
  return `${kind} ${parent?.address ?? ''}`;
}

/** The names of all that is in a scope, or will be. */
function namesOf(matching: Matching | undefined, field: string): readonly string[] {
  if (matching === undefined) return [];
  const specs: readonly JsonObject[] = [
    ...matching.bindings.flatMap(({ desired, live }) => [...(desired.absent ? [] : [desired.spec]), live?.spec ?? {}]),
    ...matching.unclaimed.map(({ spec }) => spec),
  ];
  return specs.flatMap(({ [field]: name }) => (typeof name === 'string' ? [name] : []));
}

/** What is there with the same value already is not sent. */
function isSent({ desired, live, inherited, frozen }: Binding, path: string): boolean {
  const value = desired.spec[path];
  return (
    !desired.absent && frozen === null && typeof value === 'string' && (live?.spec ?? inherited?.spec)?.[path] !== value
  );
}

interface Referring {
  readonly path: string;
  readonly rule: ReferenceRule;
  readonly parent: ScopeParent;
  /** How often each is there. */
  readonly names: ReadonlyMap<string, number>;
}

function missing({ desired }: Binding, { path, rule, parent, names }: Referring): readonly Diagnostic[] {
  const value = String(desired.spec[path]);
  if (names.has(value)) return [];
  const near = didYouMean(value, names.keys());
  return [
    {
      severity: 'error',
      code: 'unknown_referent',
      message: `${path} is ${JSON.stringify(value)}: ${parent.address} has no ${rule.kind} of that name, and no file declares one there`,
      hint:
        near === undefined ? `Declare the ${rule.kind} at ${parent.address}.` : `Did you mean ${JSON.stringify(near)}?`,
      address: desired.address,
      range: desired.sources[path] ?? desired.source,
    },
  ];
}
