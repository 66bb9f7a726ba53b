// When a key was made by the clock that rules of time go by: a service may date what it makes by another one than its replies.
import type { JsonObject } from '../../../base/json.ts';
import { isWhatReplyTold } from '../../shared/made-by.ts';
import type { KeyFacts } from './facts.ts';
import type { LiveKey } from '../live-key.ts';

/** Clocks that differ by less count as one. */
const SKEW_MS = 60_000;

/** By id, where the journal tells another time than the service does. A reply that told no time proves no more than that the key is not older. */
export function datedBy(journal: readonly JsonObject[], keys: readonly LiveKey[]): KeyFacts['dated'] {
  const found = journal.flatMap(({ id, made_at_ms: madeAtMs, answered_at_ms: atMs }) => {
    const createdAtMs = keys.find((one) => one.id === id)?.createdAtMs ?? null;
    if (typeof id !== 'string' || typeof atMs !== 'number' || createdAtMs === null) return [];
    if (Math.abs(atMs - createdAtMs) < SKEW_MS) return [];
    const told = { atMs, madeAtMs: typeof madeAtMs === 'number' ? madeAtMs : null };
    const answer = isWhatReplyTold(told, createdAtMs);
    if (answer === 'no') return [];
    return [[id, answer === 'yes' ? atMs : Math.max(atMs, createdAtMs)] as const];
  });
  return Object.fromEntries(found);
}

/** The key with the time at which it was made by the service's `Date`. */
export function inServerTime(key: LiveKey, { dated }: Pick<KeyFacts, 'dated'>): LiveKey {
  const atMs = Object.hasOwn(dated, key.id) ? dated[key.id] : undefined;
  return atMs === undefined ? key : { ...key, createdAtMs: atMs };
}
