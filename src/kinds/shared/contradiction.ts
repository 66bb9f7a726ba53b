// Lists that say of one id what cannot both be true: such a list tells nothing.
import { canonicalJson } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';

/** The first id that stands there twice with another spec or time of making; null when each is the same wherever it stands. */
export function contradictionIn(live: readonly LiveResource[]): ResourceId | null {
  const seen = new Map<ResourceId, LiveResource>();
  if (new Set(live.map(({ id }) => id)).size === live.length) return null;
  for (const one of live) {
    const first = seen.get(one.id);
    if (first === undefined) seen.set(one.id, one);
    else if (first.createdAtMs !== one.createdAtMs || canonicalJson(first.spec) !== canonicalJson(one.spec))
      return one.id;
  }
  return null;
}
