// Names that the API keeps: within a pool, the one resource that has the declared name is the declaration.
import { canonicalJson } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import { bind, type MatchState } from './match-state.ts';
import { groupBy } from '../../base/group-by.ts';

/**
 * Binds each declaration whose name one resource of its pool has, and no other declaration wants. What shall be absent and names a
 * name that nobody has is gone: nothing else is taken for it.
 */
export function matchNamed(state: MatchState): void {
  const { rules, declaration } = state.scope;
  const { naming } = rules;
  if (naming === undefined) return;
  const nameOf = (spec: DesiredResource['spec']): string | null => {
    const name = spec[naming];
    return typeof name === 'string' ? name : null;
  };
  const keyOf = (spec: DesiredResource['spec']): string => canonicalJson([state.poolKeyOf(spec), nameOf(spec)]);
  const open = state
    .open()
    .filter(({ spec }) => nameOf(spec) !== null && state.placeOf(spec) === null && state.poolKeyOf(spec) !== null);
  if (open.length === 0) return;
  const accepted = new Set(declaration?.unmanagedOk);
  const named = groupBy(
    state.known.filter(({ id, spec }) => nameOf(spec) !== null && !state.owners.has(id) && !accepted.has(id)),
    ({ spec }) => keyOf(spec),
  );
  for (const [key, wanting] of groupBy(open, ({ spec }) => keyOf(spec))) {
    const [live, ...others] = named.get(key) ?? [];
    for (const desired of wanting) {
      const pool = rules.poolWords(desired.spec);
      const name = JSON.stringify(nameOf(desired.spec));
      if (live !== undefined && others.length === 0 && wanting.length === 1)
        bind(state, desired, live, `${pool}, the one named ${name}`);
      else if (live === undefined && desired.absent) bind(state, desired, null, `${pool} named ${name} is gone`);
    }
  }
}
