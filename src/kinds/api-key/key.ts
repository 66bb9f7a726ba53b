// Derives the facts for decisions about a live key: age, last use, rotation, retirement, and whether an interrupted run left the key behind.
import type { RecordShape } from '../../apply/sinks/sink.ts';
import { arrayOf, compareText, isJsonObject, objectOf, textOf, type JsonObject } from '../../base/json.ts';
import { inert } from '../../base/text/inert.ts';
import { isoTime, latestMsOf } from '../../base/time/clock.ts';
import { formatDuration, humanDuration } from '../../base/time/duration.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { rotationOf, type Rotation } from '../shared/secret-entry.ts';
import { sinksIn } from '../shared/secret-sinks.ts';

export const RECORD: RecordShape = {
  members: ['name', 'id', 'key', 'created_at'],
  secrets: ['key'],
  owner: ['name'],
  required: ['id'],
  numbers: ['id'],
  // `printf` is a part of the shell and starts no process, so no list of processes shows the credential.
  removedBy: (url) => `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- '${url}'`,
};

export const LAST_USE = 'last_used_at';

/** Services write "never" as a time near the epoch or year 1. */
const NEVER_UNTIL_MS = 86_400_000;

interface LastUse {
  /** Milliseconds since the epoch; null if the key was never used, Infinity if the shown time cannot be read. */
  readonly lastUsedAtMs: number | null;
  readonly lastUsedFrom: string | null;
}

export function lastUseOf({ observed: { last_used_from_addr: from, [LAST_USE]: at } }: LiveResource): LastUse {
  const ms = latestMsOf(at);
  return { lastUsedAtMs: ms === null || ms <= NEVER_UNTIL_MS ? null : ms, lastUsedFrom: textOf(from) || null };
}

/** Sorts by time of creation, then by id, because larger ids are newer. Keys without a time come last. */
export function newestFirst(a: LiveResource, b: LiveResource): number {
  const byAge = (b.createdAtMs ?? -Infinity) - (a.createdAtMs ?? -Infinity);
  if (byAge !== 0 && !Number.isNaN(byAge)) return byAge;
  return b.id.length - a.id.length || compareText(b.id, a.id);
}

export function lastUseWords(key: LiveResource, nowMs: number | null): string {
  const { lastUsedAtMs, lastUsedFrom } = lastUseOf(key);
  if (lastUsedAtMs === null) return 'never used';
  if (lastUsedAtMs === Infinity) return 'last used at a time that cannot be read';
  const ago = nowMs === null ? -1 : nowMs - lastUsedAtMs;
  const since = ago >= 0 ? ` (${humanDuration(ago)} ago)` : '';
  const from = lastUsedFrom === null ? '' : ` from ${inert(lastUsedFrom, 64)}`;
  return `last used ${isoTime(lastUsedAtMs)}${since}${from}`;
}

export function keyWords(key: LiveResource, nowMs: number): string {
  const made = key.createdAtMs === null ? '' : `, created ${isoTime(key.createdAtMs)}`;
  return `id ${key.id}${made}, ${lastUseWords(key, nowMs)}`;
}

export const DEFAULT_OVERLAP_MS: number = 7 * 86_400_000;

export interface KeyRotation extends Rotation {
  readonly overlapMs: number;
  /** The time at which the old key is revoked: `when_unused`, `after_overlap` or `manual`. */
  readonly revoke: string;
}

export function keyRotation(desired: DesiredResource): KeyRotation | null {
  const rotation = rotationOf(desired);
  const { overlapMs, revoke } = objectOf(desired.options['rotate']);
  return rotation === null ? null : { ...rotation, overlapMs: Number(overlapMs), revoke: String(revoke) };
}

/** Covers differences between clocks, and services that show uses only by the hour. */
const MARGIN_MS = 3_600_000;

/** `revoke`: revoked now · `kept`: revoked later, or by hand · `in_use`: a client may still use the key. */
interface Retirement {
  readonly state: 'revoke' | 'kept' | 'in_use';
  readonly words: string;
}

export function retirement(old: LiveResource, current: LiveResource, rotation: KeyRotation, nowMs: number): Retirement {
  const use = lastUseWords(old, nowMs);
  const kept = (why: string): Retirement => ({ state: 'kept', words: `key ${old.id} is kept${why} (${use})` });
  if (rotation.revoke === 'manual') return kept(' until it is revoked by hand');
  if (current.createdAtMs === null) return kept(', because the age of its successor is not known');
  const overlapEndsMs = current.createdAtMs + rotation.overlapMs;
  if (nowMs < overlapEndsMs) return kept(` beside its successor until ${isoTime(overlapEndsMs)}`);
  if (rotation.revoke === 'after_overlap')
    return { state: 'revoke', words: `the overlap of ${formatDuration(rotation.overlapMs)} is over (${use})` };
  if ((lastUseOf(old).lastUsedAtMs ?? -Infinity) < current.createdAtMs - MARGIN_MS)
    return { state: 'revoke', words: `the key was not used since its successor was created (${use})` };
  const words = `a client may still use key ${old.id}, which key ${current.id} replaces: the old key was ${use}`;
  return { state: 'in_use', words };
}

/** `told`: a reply proves that the request created the key · `stored`: the same, and a sink may hold the key's value · `guess`: no proof. */
export type Leftover = 'told' | 'stored' | 'guess';

/** The reply and the list may show one creation time with different precision: one of them in whole seconds. */
const ROUNDING_MS = 1000;

/**
 * Returns the unused keys, by id, that an interrupted request may have created. Each has the requested name, is newer than the request, and
 * is not in all its sinks. The creation time must agree with the reply, because another account may have a key with the same id.
 */
export function leftoversIn(
  intents: readonly JsonObject[],
  keys: readonly LiveResource[],
  facts: JsonObject,
): JsonObject {
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
      const isNew = lastUseOf(key).lastUsedAtMs === null && !arrayOf(known).includes(key.id) && key.id !== since;
      const isIts = id === null ? !told.has(key.id) : key.id === id;
      if (key.spec['name'] !== objectOf(pool)['name'] || !isNew || isHeld || !isIts) continue;
      const apartMs = typeof madeAtMs === 'number' && key.createdAtMs !== null ? key.createdAtMs - madeAtMs : null;
      if (apartMs !== null && Math.abs(apartMs) >= ROUNDING_MS) continue;
      found[key.id] ??= id === null || apartMs === null ? 'guess' : since === null ? 'stored' : 'told';
    }
  }
  return found;
}

export function leftoverOf({ leftovers }: JsonObject, { id }: Pick<LiveResource, 'id'>): Leftover | null {
  return (objectOf(leftovers)[id] ?? null) as Leftover | null;
}
