// Finds keys that an interrupted run created and did not keep, by the intents in the journal.
import { canonicalJson, isJsonObject, numberOf, textOf, type JsonObject } from '../../../base/json.ts';
import { isWhatReplyTold, madeAtTimeOf, type Reported } from '../../shared/made-by.ts';
import type { KeyFacts, SinkFact } from './facts.ts';
import type { LiveKey } from '../live-key.ts';
import { allHold } from './sink-state.ts';

type Sinks = Readonly<Record<string, readonly SinkFact[]>>;

interface Intent extends Reported {
  readonly name: string;
  readonly known: readonly unknown[];
  /** Null if no reply arrived. */
  readonly id: string | null;
  readonly address: string;
  /** The id of another key whose value the same sinks took later. */
  readonly storedSince: string | null;
}

export type Leftovers = Pick<KeyFacts, 'orphans' | 'unstored' | 'probable' | 'uncertain'>;

/**
 * Finds keys that an interrupted run created and did not store in all sinks. Such a key is unused, has the name of an intent, and was not
 * there before it. If a reply told the id, the time of creation must agree, because another account may use the same id. Without a reply,
 * keys of about the time of the request count, unless there are more keys than intents.
 */
export function leftoversOf(intents: readonly JsonObject[], keys: readonly LiveKey[], sinks: Sinks): Leftovers {
  const dead = intents.flatMap((intent) => intentIn(intent) ?? []);
  const answered = new Set(dead.flatMap(({ id }) => id ?? []));
  const orphans = new Set<string>();
  const stored = new Set<string>();
  const probable = new Set<string>();
  const uncertain = new Set<string>();
  const isExplained = (id: string): boolean => answered.has(id) || orphans.has(id);
  // The newest intent comes first: it knew most keys, and a key that it explains belongs to no older intent.
  for (const intent of dead.toReversed()) {
    const holders = sinks[intent.address] ?? [];
    const newcomers = keys.filter((key) => isNewcomer(intent, key) && !allHold(holders, key.id));
    if (intent.id !== null) {
      for (const { id, createdAtMs } of newcomers.filter((key) => key.id === intent.id)) {
        const isOurs = isWhatReplyTold(intent, createdAtMs);
        if (isOurs === 'unknown') uncertain.add(id);
        if (isOurs !== 'yes') continue;
        orphans.add(id);
        if (intent.storedSince === null) stored.add(id);
      }
      continue;
    }
    const open = newcomers.filter(({ id }) => !isExplained(id));
    const candidates = open.filter((key) => madeAtTimeOf(intent.atMs, key.createdAtMs));
    const isClear = candidates.length <= countOfPeers(intent, dead, candidates);
    for (const key of open) {
      const isOurs = isClear && candidates.includes(key);
      (isOurs ? orphans : uncertain).add(key.id);
      if (isOurs) probable.add(key.id);
    }
  }
  const found = [...orphans].sort();
  return {
    orphans: found,
    unstored: found.filter((id) => !stored.has(id)),
    probable: found.filter((id) => probable.has(id)),
    uncertain: [...uncertain].filter((id) => !orphans.has(id)).sort(),
  };
}

/** True for an unused key of the name that is new and was not stored since. */
function isNewcomer({ name, known, storedSince }: Intent, key: LiveKey): boolean {
  return key.name === name && key.lastUsedAtMs === null && !known.includes(key.id) && key.id !== storedSince;
}

/** The number of intents, this one included, that may have created one of the candidates. */
function countOfPeers(intent: Intent, all: readonly Intent[], candidates: readonly LiveKey[]): number {
  const known = canonicalJson(intent.known.map(String));
  return all.filter(
    ({ id, name, known: before, atMs }) =>
      id === null &&
      name === intent.name &&
      canonicalJson(before.map(String)) === known &&
      candidates.some((key) => madeAtTimeOf(atMs, key.createdAtMs)),
  ).length;
}

/** Null for an intent that is stored, unreadable, or of a run that is still alive. */
function intentIn(json: JsonObject): Intent | null {
  const { pool, known, id, state, alive: isAlive, address, stored_since: storedSince } = json;
  const { at_ms: atMs, made_at_ms: madeAtMs } = json;
  if (state !== 'open' || isAlive !== false || !isJsonObject(pool) || !Array.isArray(known)) return null;
  const { name } = pool;
  if (typeof name !== 'string') return null;
  return {
    name,
    known,
    id: textOf(id),
    atMs: numberOf(atMs),
    madeAtMs: numberOf(madeAtMs),
    address: String(address),
    storedSince: textOf(storedSince),
  };
}
