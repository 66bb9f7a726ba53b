// Finds keys that an interrupted run created and did not store, from its requests in the journal.
import { arrayOf, isJsonObject, objectOf, type JsonObject } from '../../base/json.ts';
import { sinksIn } from '../shared/secret-sinks.ts';
import type { LiveKey } from './key.ts';

/** `told`: a reply named the key · `stored`: a reply named it, and a sink may hold its value · `guess`: no reply names the key. */
export type Leftover = 'told' | 'stored' | 'guess';

/** The reply and the list may show one creation time with different precision: one of them in whole seconds. */
const ROUNDING_MS = 1000;

/**
 * Unused keys, by id, that have the name of a request, did not exist before it, and are not in all its sinks. The creation time must
 * agree with the reply, because another account may have a key with the same id.
 */
export function leftoversIn(intents: readonly JsonObject[], keys: readonly LiveKey[], facts: JsonObject): JsonObject {
  const dead = intents.filter(({ state, alive, pool }) => state === 'open' && alive === false && isJsonObject(pool));
  const told = new Set(dead.map(({ id }) => id));
  const found: Record<string, Leftover> = {};
  // Newest request first: a key that a newer request explains belongs to no older request.
  for (const {
    address,
    pool,
    known,
    id,
    made_at_ms: madeAtMs = null,
    stored_since: since = null,
  } of dead.toReversed()) {
    const holders = sinksIn({ address: String(address) }, facts);
    for (const key of keys) {
      const isHeld = holders.length > 0 && holders.every(({ holds }) => holds?.['id'] === key.id);
      const isNew = key.lastUsedAtMs === null && !arrayOf(known).includes(key.id) && key.id !== since;
      const isIts = id === null ? !told.has(key.id) : key.id === id;
      if (key.name !== objectOf(pool)['name'] || !isNew || isHeld || !isIts) continue;
      const apartMs = typeof madeAtMs === 'number' && key.createdAtMs !== null ? key.createdAtMs - madeAtMs : null;
      if (apartMs !== null && Math.abs(apartMs) >= ROUNDING_MS) continue;
      found[key.id] ??= id === null || apartMs === null ? 'guess' : since === null ? 'stored' : 'told';
    }
  }
  return found;
}

export function leftoverOf({ leftovers }: JsonObject, { id }: Pick<LiveKey, 'id'>): Leftover | null {
  return (objectOf(leftovers)[id] ?? null) as Leftover | null;
}
