// Names that nobody has: what is declared refers to another below the same parent by a name which none of those that are there, declared or inherited has.
import { didYouMean } from '../../base/text/words.ts';
import type { Address } from '../../model/address.ts';
import type { KindName } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ReferenceRule } from '../kind-rules.ts';
import type { ScopeParent } from '../scope.ts';
import type { Binding } from './claims.ts';
import type { Matching } from './matching.ts';

/** An error for each reference that is to be sent and would be refused. Below what nobody can look into yet, nothing is said. */
export function missingReferents(
  matchings: readonly Matching[],
  parents: ReadonlyMap<Address, ScopeParent>,
): readonly Diagnostic[] {
  const scopes = new Map(
    matchings.map((matching) => [keyOf(matching.scope.rules.kind, matching.scope.parent), matching]),
  );
  const namesIn = (kind: KindName, field: string, parent: ScopeParent, left: number): readonly string[] | null => {
    const own = namesOf(scopes.get(keyOf(kind, parent)), field);
    if (parent.id !== null) return own;
    const origin = parents.get(parent.copyOf ?? '');
    const inherited = origin === undefined || left === 0 ? null : namesIn(kind, field, origin, left - 1);
    return inherited === null ? null : [...own, ...inherited];
  };
  return matchings.flatMap(({ scope: { rules, parent }, bindings }) =>
    Object.entries(rules.references ?? {}).flatMap(([path, rule]) => {
      if (parent === null || rule.among !== 'siblings' || rule.field === 'id') return [];
      const sent = bindings.filter((binding) => isSent(binding, path));
      const names = sent.length === 0 ? null : namesIn(rule.kind, rule.field, parent, parents.size);
      return names === null ? [] : sent.flatMap((binding) => missing(binding, { path, rule, parent, names }));
    }),
  );
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
  readonly names: readonly string[];
}

function missing({ desired }: Binding, { path, rule, parent, names }: Referring): readonly Diagnostic[] {
  const value = String(desired.spec[path]);
  if (names.includes(value)) return [];
  const near = didYouMean(value, names);
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
