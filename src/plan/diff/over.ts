// Declarations that depend on an expired one are neither created nor reported as missing.
import { isOver, referencesOf } from '../../model/attributes.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { isReference } from '../../model/reference.ts';
import type { Matching } from '../match/matching.ts';
import type { Scope } from '../scope.ts';
import { isDerived } from './draft.ts';

/** The expired declarations, and those that would be created below one or refer to one: addresses, and ids of live resources. */
export function overIn(matchings: readonly Matching[]): ReadonlySet<string> {
  const over = new Set<string>();
  for (let before = -1; over.size > before;) {
    before = over.size;
    for (const { scope, bindings } of matchings)
      for (const { desired, live, inherited, frozen } of bindings) {
        if (desired.absent || frozen !== null || isDerived(scope.rules)) continue;
        if (isOver(scope.rules, desired.spec, scope.context.nowMs))
          over.add(live?.id ?? desired.address).add(desired.address);
        else if (live === null && inherited === undefined && dependsOn(scope, desired, over)) over.add(desired.address);
      }
  }
  return over;
}

/** `over`: addresses, and ids of live resources. */
function dependsOn({ parent, rules }: Scope, { spec }: DesiredResource, over: ReadonlySet<string>): boolean {
  if (over.size === 0) return false;
  const references = referencesOf(rules);
  const referred = Object.entries(spec).flatMap(([path, value]) =>
    isReference(value) ? [value.ref] : references[path]?.field === 'id' && typeof value === 'string' ? [value] : [],
  );
  return [parent?.address ?? [], ...referred].flat().some((address) => over.has(address));
}
