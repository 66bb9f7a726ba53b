// Keys that an interrupted run of ours made and did not keep: told from everybody else's by the journal's intents.
import { canonicalJson, isJsonObject } from '../../base/json.ts';
import type { JsonObject } from '../../base/json.ts';
import type { KeyFacts, SinkFact } from './facts.ts';
import type { LiveKey } from './live-key.ts';
import { allHold } from './sink-state.ts';

type Sinks = Readonly<Record<string, readonly SinkFact[]>>;

/** A late commit comes within seconds; clocks of service and machine may differ by more. */
const WINDOW_MS = 86_400_000;

interface Intent {
  readonly name: string;
  readonly known: readonly unknown[];
  /** Id in the reply; null when none arrived. */
  readonly id: string | null;
  readonly atMs: number | null;
  readonly address: string;
  /** Id of another key whose value was stored in the same places since. */
  readonly storedSince: string | null;
}

/**
 * Ids that are surely ours and useless: the journal has the intent, its process is dead, the id is new since then, it was never
 * used, there are no more such ids than such intents, and not every sink holds it.
 */
export function leftoversOf(
  intents: readonly JsonObject[],
  keys: readonly LiveKey[],
  sinks: Sinks,
): Pick<KeyFacts, 'orphans' | 'unstored'> {
  const dead = intents.flatMap((intent) => intentIn(intent) ?? []);
  const answered = new Set(dead.flatMap(({ id }) => id ?? []));
  const orphans = new Set<string>();
  const stored = new Set<string>();
  const isExplained = (id: string): boolean => answered.has(id) || orphans.has(id);
  // The newest knew most of what was there: what it explains was not made for an older one.
  for (const intent of dead.toReversed()) {
    const holders = sinks[intent.address] ?? [];
    const candidates = keys.filter(
      (key) =>
        key.name === intent.name &&
        key.lastUsedAtMs === null &&
        !intent.known.includes(key.id) &&
        key.id !== intent.storedSince &&
        (intent.id === null
          ? isOfThatTime(key, intent.atMs) && !isExplained(key.id) && !allHold(holders, key.id)
          : key.id === intent.id),
    );
    if (candidates.length > peersOf(intent, dead)) continue;
    for (const { id } of candidates) {
      if (allHold(holders, id)) continue;
      orphans.add(id);
      if (intent.id !== null && intent.storedSince === null) stored.add(id);
    }
  }
  const found = [...orphans].sort();
  return { orphans: found, unstored: found.filter((id) => !stored.has(id)) };
}

/** Intents that may all have made one of the same candidates. */
function peersOf(intent: Intent, all: readonly Intent[]): number {
  if (intent.id !== null) return 1;
  const known = canonicalJson(intent.known.map(String));
  return all.filter(
    (other) => other.id === null && other.name === intent.name && canonicalJson(other.known.map(String)) === known,
  ).length;
}

/** Null for one of a living process, or that cannot be read. */
function intentIn(json: JsonObject): Intent | null {
  const { pool, known, id, owner_alive: isAlive, at_ms: atMs, address, stored_since: storedSince } = json;
  if (isAlive !== false || !isJsonObject(pool) || !Array.isArray(known)) return null;
  const { name } = pool;
  if (typeof name !== 'string') return null;
  return {
    name,
    known,
    id: typeof id === 'string' ? id : null,
    atMs: typeof atMs === 'number' ? atMs : null,
    address: String(address),
    storedSince: typeof storedSince === 'string' ? storedSince : null,
  };
}

function isOfThatTime(key: LiveKey, atMs: number | null): boolean {
  return key.createdAtMs === null || atMs === null || Math.abs(key.createdAtMs - atMs) <= WINDOW_MS;
}
