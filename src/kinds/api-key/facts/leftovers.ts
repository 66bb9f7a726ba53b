// Keys that an interrupted run of ours made and did not keep: told from everybody else's by the journal's intents.
import { canonicalJson, isJsonObject } from '../../../base/json.ts';
import type { JsonObject } from '../../../base/json.ts';
import { isWhatReplyTold, madeAtTimeOf } from '../../shared/made-by.ts';
import type { Reported } from '../../shared/made-by.ts';
import type { KeyFacts, SinkFact } from './facts.ts';
import type { LiveKey } from '../live-key.ts';
import { allHold } from './sink-state.ts';

type Sinks = Readonly<Record<string, readonly SinkFact[]>>;

interface Intent extends Reported {
  readonly name: string;
  readonly known: readonly unknown[];
  /** Id in the reply; null when none arrived. */
  readonly id: string | null;
  readonly address: string;
  /** Id of another key whose value was stored in the same places since. */
  readonly storedSince: string | null;
}

export type Leftovers = Pick<KeyFacts, 'orphans' | 'unstored' | 'probable' | 'uncertain'>;

/**
 * Ids that are ours and useless: the journal has the intent, its process is dead, the id is new since then, it was never used, and not
 * every sink holds it. An answer that told the id told when it was made, or it was made at that time: another account's key may have
 * the same id. Without an answer that told the id: made at that time, by no more of them than such intents.
 */
export function leftoversOf(intents: readonly JsonObject[], keys: readonly LiveKey[], sinks: Sinks): Leftovers {
  const dead = intents.flatMap((intent) => intentIn(intent) ?? []);
  const answered = new Set(dead.flatMap(({ id }) => id ?? []));
  const orphans = new Set<string>();
  const stored = new Set<string>();
  const probable = new Set<string>();
  const uncertain = new Set<string>();
  const isExplained = (id: string): boolean => answered.has(id) || orphans.has(id);
  // The newest knew most of what was there: what it explains was not made for an older one.
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
    const isClear = candidates.length <= peersOf(intent, dead, candidates);
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

/** Unused, of the name, and neither there before nor stored since. */
function isNewcomer({ name, known, storedSince }: Intent, key: LiveKey): boolean {
  return key.name === name && key.lastUsedAtMs === null && !known.includes(key.id) && key.id !== storedSince;
}

/** Intents that may all have made one of the same candidates. */
function peersOf(intent: Intent, all: readonly Intent[], candidates: readonly LiveKey[]): number {
  const known = canonicalJson(intent.known.map(String));
  return all.filter(
    ({ id, name, known: before, atMs }) =>
      id === null &&
      name === intent.name &&
      canonicalJson(before.map(String)) === known &&
      candidates.some((key) => madeAtTimeOf(atMs, key.createdAtMs)),
  ).length;
}

/** Null for one of a living process, or that cannot be read. */
function intentIn(json: JsonObject): Intent | null {
  const { pool, known, id, owner_alive: isAlive, address, stored_since: storedSince } = json;
  const { at_ms: atMs, made_at_ms: madeAtMs } = json;
  if (isAlive !== false || !isJsonObject(pool) || !Array.isArray(known)) return null;
  const { name } = pool;
  if (typeof name !== 'string') return null;
  return {
    name,
    known,
    id: typeof id === 'string' ? id : null,
    atMs: typeof atMs === 'number' ? atMs : null,
    madeAtMs: typeof madeAtMs === 'number' ? madeAtMs : null,
    address: String(address),
    storedSince: typeof storedSince === 'string' ? storedSince : null,
  };
}
