// What runs of ours made: their own record, or a reply of an earlier one, says whose it is, whatever else would fit as well.
import { contextOf } from '../scope.ts';
import { bind } from './claims.ts';
import type { Claims } from './claims.ts';

/**
 * Binds each declaration to what was made for it. Where that is not there, nothing else in a pool is taken for it; a place
 * tells by itself who holds it.
 */
export function claimMade(claims: Claims): void {
  const { made } = claims.scope;
  if (made.size === 0) return;
  for (const desired of claims.open()) {
    const id = made.get(desired.address);
    if (id === undefined || claims.owners.has(id) || claims.placeOf(desired.spec) !== null) continue;
    const live = claims.known.find((one) => one.id === id) ?? null;
    bind(claims, desired, live, live === null ? `${id}, made by this run, is not there` : 'made by this run');
  }
}

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
