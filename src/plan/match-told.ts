// Stale pins: what an earlier run of ours surely made for the declaration, before others that look alike.
import { bind } from './claims.ts';
import type { Claims } from './claims.ts';
import { contextOf } from './scope.ts';

/**
 * Binds each declaration whose pin is stale to what a reply told that an earlier run made for it, where that is in its pool and
 * nobody else's. Without such word the pool decides, as it does for all others.
 */
export function claimTold(claims: Claims): void {
  const { stale, scope } = claims;
  if (stale.size === 0 || scope.rules.madeBefore === undefined) return;
  const accepted = new Set(scope.declaration?.unmanagedOk);
  for (const desired of claims.open()) {
    if (!stale.has(desired.address) || claims.placeOf(desired.spec) !== null) continue;
    const pool = claims.poolKeyOf(desired.spec);
    const candidates = claims.known.filter(
      (live) =>
        !claims.owners.has(live.id) && !accepted.has(live.id) && pool !== null && claims.poolKeyOf(live.spec) === pool,
    );
    const made = scope.rules.madeBefore(desired, candidates, contextOf(scope));
    const live = made.live.at(-1);
    if (live !== undefined && made.certain)
      bind(claims, desired, live, 'made for it by an earlier run, as the journal tells', { guess: true });
  }
}
