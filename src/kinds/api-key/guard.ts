// Never lock anybody out: what holds a revocation back, whoever asks for it.
import { addressOf } from '../../model/address.ts';
import type { RemovalGuard } from '../../plan/kind-rules.ts';
import type { KeyFacts } from './facts.ts';
import { lastUseWords } from './live-key.ts';
import type { LiveKey } from './live-key.ts';

/** The section of the file, and the first part of every address of a key. */
export const SECTION: string = 'api_keys';

/** A key used so lately may be the one that the run itself uses, when that is not established. */
const RECENT_MS = 86_400_000;

/**
 * The run's own key is never revoked. Where it could not be told which one that is, a key that was used within the last day
 * needs an allowance that names it; and every key does where the service shows no use of any key within the last day,
 * since at least our own use must be there: the times then lag or are missing, and prove nothing.
 */
export function revocationGuard(key: LiveKey, facts: KeyFacts, nowMs: number): RemovalGuard {
  if (facts.self === key.id)
    return { blockedBy: ['self'], allowance: null, notes: [`key ${key.id} is the one that this run uses`] };
  if (facts.self !== null || facts.orphans.includes(key.id)) return { blockedBy: [], allowance: null, notes: [] };
  const isRecent = key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < RECENT_MS;
  const isBlind = facts.newestUseMs === null || nowMs - facts.newestUseMs >= RECENT_MS;
  if (!isRecent && !isBlind) return { blockedBy: [], allowance: null, notes: [] };
  const address = addressOf(SECTION, key.id);
  const why = isRecent
    ? `it is not established which key this run uses, and key ${key.id} was ${lastUseWords(key, nowMs)}`
    : `the service shows no recent use of any key, so it cannot be told whether key ${key.id} is in use`;
  return { blockedBy: [], allowance: address, notes: [why] };
}
