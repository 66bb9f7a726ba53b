// Never lock anybody out: what holds a revocation back, whoever asks for it.
import { addressBelow } from '../../../model/kind.ts';
import type { KindPlace } from '../../../model/kind.ts';
import type { RemovalGuard } from '../../../plan/kind-rules.ts';
import { provenOthers } from '../facts/facts.ts';
import type { KeyFacts } from '../facts/facts.ts';
import { PLACE, lastUseWords } from '../live-key.ts';
import type { LiveKey } from '../live-key.ts';

/** By so much a service may lag in showing a use: until then a key used lately may be ours although another one's last use moves. */
const LAG_MS = 300_000;

const FREE: RemovalGuard = { blockedBy: [], allowance: null, notes: [] };

/**
 * The run's own key is never revoked. Where it could not be told which one that is, any key may be it, whatever its last use: it needs
 * an allowance that names it. So does a key that was used within the last minutes, though
 * another one seems to be ours; not one of which a place holds a value that is not ours.
 */
export function revocationGuard(key: LiveKey, facts: KeyFacts, nowMs: number, place: KindPlace = PLACE): RemovalGuard {
  if (facts.self === key.id)
    return { blockedBy: ['self'], allowance: null, notes: [`key ${key.id} is the one that this run uses`] };
  if (facts.isSelfSure || provenOthers(Object.values(facts.sinks)).has(key.id)) return FREE;
  const isRecent = key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < LAG_MS;
  if (facts.self !== null && !isRecent) return FREE;
  const address = addressBelow(null, place, key.id);
  const why =
    facts.self === null
      ? `it is not established which key this run uses, so key ${key.id} may be it (${lastUseWords(key, nowMs)})`
      : `key ${key.id} was ${lastUseWords(key, nowMs)}: this run may use it, where the service shows uses late`;
  return { blockedBy: [], allowance: address, notes: [why] };
}
