// What it costs to take a live resource for a declaration: the heaviest change that this would bring, then how many.
import { canonicalJson } from '../../../base/json.ts';
import type { DesiredResource } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { valueAt, type Leaf } from '../../../model/paths.ts';
import { holdOn, managedLeaves, sameAt, severityOf, type Severity } from '../../diff/difference.ts';
import type { Scope } from '../../scope.ts';

/** One heavier change outweighs any number of lighter ones in pools of up to 1,000; within a weight, fewer attributes win. */
const WEIGHTS: Readonly<Record<Severity, number>> = {
  none: 0,
  update: 1e5,
  restart: 1e8,
  move: 1e11,
  replace: 1e11,
  immutable: 2e11,
  never: 2e11,
};
const MOST_ATTRIBUTES = 99;

/** A declaration without a place of its own, and what of it is compared. */
export interface Wanted {
  readonly desired: DesiredResource;
  readonly leaves: readonly Leaf[];
}

export function wantedOf(desired: DesiredResource): Wanted {
  return { desired, leaves: managedLeaves(desired) };
}

export function costsOf(scope: Scope, wanted: readonly Wanted[], live: readonly LiveResource[]): number[][] {
  const digests = new Map<string, readonly string[]>();
  return wanted.map((want) => {
    const shape = JSON.stringify(want.leaves.map(({ segments }) => segments));
    const known = new Map<string, number>();
    const keys = digests.get(shape) ?? live.map(({ spec }) => digestOf(want, spec));
    digests.set(shape, keys);
    return live.map(({ spec }, at) => {
      const key = keys[at] ?? '';
      const cost = known.get(key) ?? costOf(scope, want, spec);
      known.set(key, cost);
      return cost;
    });
  });
}

/** A text that resources share which are equal in all that the declaration says. */
function digestOf({ leaves }: Wanted, spec: LiveResource['spec']): string {
  return canonicalJson(leaves.map(({ segments }) => valueAt(spec, segments) ?? null));
}

function costOf(scope: Scope, { desired, leaves }: Wanted, live: LiveResource['spec']): number {
  const { rules, holdsAtMs } = scope;
  let heaviest = 0;
  let count = 0;
  for (const leaf of leaves) {
    if (sameAt(rules, leaf, live) || holdOn(rules, desired, leaf, live, holdsAtMs)?.state === 'holds') continue;
    count++;
    heaviest = Math.max(heaviest, WEIGHTS[severityOf(rules, leaf.path)]);
  }
  return heaviest + Math.min(count, MOST_ATTRIBUTES);
}
