// Replacements that were interrupted: the successor is there already, and its predecessor is still to be removed.
import type { DesiredResource } from '../model/desired.ts';
import type { LiveResource } from '../model/live.ts';
import type { Claims } from './claims.ts';
import { managedLeaves, sameAt, severityOf } from './difference.ts';

/**
 * Gives every pinned resource that is to be replaced its successor: something unclaimed in the pool of the wish, equal to it and
 * younger than the pinned one. Without this, a run that made the new one and then failed would be followed by one that makes another.
 */
export function claimSuccessors(claims: Claims): void {
  for (const [address, live] of claims.pinned) {
    const binding = claims.bindings.get(address);
    if (binding?.live !== live || binding.frozen !== null || binding.desired.absent) continue;
    if (!isReplaced(claims, binding.desired, live)) continue;
    const successor = successorOf(claims, binding.desired, live);
    if (successor === null) continue;
    claims.owners.set(successor.id, binding.desired);
    claims.bindings.set(address, { ...binding, successor });
  }
}

function isReplaced({ scope: { rules } }: Claims, desired: DesiredResource, live: LiveResource): boolean {
  return managedLeaves(desired).some(
    (leaf) => !sameAt(rules, leaf, live.spec) && severityOf(rules, leaf.path) === 'replace',
  );
}

/** The youngest one: what was made last. */
function successorOf(claims: Claims, desired: DesiredResource, live: LiveResource): LiveResource | null {
  const { rules } = claims.scope;
  const leaves = managedLeaves(desired);
  const pool = claims.poolKeyOf(desired.spec);
  const candidates = claims.known.filter(
    (one) =>
      !claims.owners.has(one.id) &&
      (one.createdAtMs ?? 0) > (live.createdAtMs ?? 0) &&
      pool !== null &&
      claims.poolKeyOf(one.spec) === pool &&
      leaves.every((leaf) => sameAt(rules, leaf, one.spec)),
  );
  const ordered = [...candidates].sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0) || (a.id < b.id ? -1 : 1));
  return ordered[0] ?? null;
}
