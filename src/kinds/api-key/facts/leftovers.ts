// Keys that an interrupted run of ours made and did not keep: told from everybody else's by the journal's intents.
import { canonicalJson, isJsonObject, numberOf, textOf, type JsonObject } from '../../../base/json.ts';
import { isWhatReplyTold, madeAtTimeOf, type Reported } from '../../shared/made-by.ts';
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
 * Keys that an interrupted run made and did not store everywhere. Each was not there yet when a process that is gone asked for it, has the
 * name that was asked for, and was never used. Where a reply told its id, it must have been made when that reply says, or else at about the
 * time of the request: another account may give the same id. Where no reply arrived, keys of about that time are taken for ours as long as
 * there are no more of them than such intents.
 */
export function leftoversOf(intents: readonly JsonObject[], keys: readonly LiveKey[], sinks: Sinks): Leftovers {
  const dead = intents.flatMap((intent) => intentIn(intent) ?? []);
  const answered = new Set(dead.flatMap(({ id }) => id ?? []));
  const orphans = new Set<string>();
  const stored = new Set<string>();
  const probable = new Set<string>();
  const uncertain = new Set<string>();
  const isExplained = (id: string): boolean => answered.has(id) || orphans.has(id);
  // The newest intent first: it knew of most keys that were there, and a key that it explains was not made for an older one.
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

/** True for an unused key of the name that was neither there before nor stored since. */
function isNewcomer({ name, known, storedSince }: Intent, key: LiveKey): boolean {
  return key.name === name && key.lastUsedAtMs === null && !known.includes(key.id) && key.id !== storedSince;
}

/** How many intents may have made one of the same candidates, this one among them. */
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

/** Null for one that is stored, of a living run, or that cannot be read. */
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
