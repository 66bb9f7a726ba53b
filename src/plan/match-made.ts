// What the run that is read back made: its own record says whose it is, whatever else would fit as well.
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
