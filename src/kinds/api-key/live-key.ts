// A live key for decisions: its age, its last use, and the options of its declaration.
import { compareText, isJsonObject, numberOf, type JsonObject } from '../../base/json.ts';
import { sinksOf, type DesiredResource } from '../../model/desired.ts';
import { rotationOf, type Rotation } from '../shared/secret-rotation.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { inert } from '../../base/text/inert.ts';
import { humanDuration } from '../../base/time/duration.ts';
import type { KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { RecordShape } from '../../apply/sinks/record.ts';

export const RECORD: RecordShape = {
  members: ['name', 'id', 'key', 'created_at'],
  secrets: ['key'],
  owner: ['name'],
  required: ['id'],
  numbers: ['id'],
  // The printf of a shell starts no process, so no list of processes shows the credential.
  removedBy: (url) => `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- '${url}'`,
};

export const PLACE: KindPlace = { kind: 'api_key', parent: null, section: 'api_keys', segment: 'api_keys' };

/** Times are milliseconds since the epoch; null if the service shows none (`lastUsedAtMs`: never used). */
export interface LiveKey {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly lastUsedFrom: string | null;
  readonly live: LiveResource;
}

/** The fact with the last use of a key. */
export const LAST_USE: string = 'last_used_at';

export function liveKey(live: LiveResource): LiveKey {
  const from = live.observed['last_used_from_addr'];
  return {
    id: live.id,
    name: String(live.spec['name']),
    createdAtMs: live.createdAtMs,
    lastUsedAtMs: timeOf(live.observed['last_used_at']),
    lastUsedFrom: typeof from === 'string' && from !== '' ? from : null,
    live,
  };
}

/** Services write "never" as a time near the epoch or year 1. */
const NEVER_UNTIL_MS = 86_400_000;

/** Null for no time, a malformed time, and the times that mean "never". */
export function timeOf(value: JsonObject[string] | undefined): number | null {
  const ms = millisecondsOf(value);
  return ms === null || ms <= NEVER_UNTIL_MS ? null : ms;
}

/** Sorts by time of creation, then by id, because larger ids are newer. Keys without a time come last. */
export function newestFirst(a: LiveKey, b: LiveKey): number {
  const byAge = (b.createdAtMs ?? -Infinity) - (a.createdAtMs ?? -Infinity);
  if (byAge !== 0 && !Number.isNaN(byAge)) return byAge;
  return b.id.length - a.id.length || compareText(b.id, a.id);
}

/** `last used 2026-03-01T10:00:00.000Z (3h 2m ago) from 192.0.2.7`, or `never used`. Without `nowMs`, the age is missing. */
export function lastUseWords(key: LiveKey, nowMs: number | null): string {
  if (key.lastUsedAtMs === null) return 'never used';
  const ago = nowMs === null ? -1 : nowMs - key.lastUsedAtMs;
  const since = ago >= 0 ? ` (${humanDuration(ago)} ago)` : '';
  const from = key.lastUsedFrom === null ? '' : ` from ${inert(key.lastUsedFrom, 64)}`;
  return `last used ${isoTime(key.lastUsedAtMs)}${since}${from}`;
}

/** `id 42, made 2026-03-01T10:00:00.000Z, never used`. */
export function keyWords(key: LiveKey, nowMs: number): string {
  const made = key.createdAtMs === null ? '' : `, created ${isoTime(key.createdAtMs)}`;
  return `id ${key.id}${made}, ${lastUseWords(key, nowMs)}`;
}

/** The reason why no consent revokes the key. */
export function suspectWords(key: LiveKey, nowMs: number): string {
  return `this run may use key ${key.id} (${lastUseWords(key, nowMs)}); to prove that it does not, store the run's own key in a \`file\` sink`;
}

/** The reason why the key is no orphan. */
export function uncertainWords(id: string): string {
  return `an interrupted run may have created key ${id}: that run asked for a key with this name, and the reply was lost`;
}

const DAY_MS = 86_400_000;
export const DEFAULT_OVERLAP_MS: number = 7 * DAY_MS;

/** The time at which the old key is revoked after a rotation. */
export type RetirementRule = 'when_unused' | 'after_overlap' | 'manual';

export interface KeyRotation extends Rotation {
  /** The shortest time that the old key stays beside the new one. */
  readonly overlapMs: number;
  readonly revoke: RetirementRule;
}

export interface KeyOptions {
  /** Empty if trueup only checks that the key exists. */
  readonly secret: readonly JsonObject[];
  readonly rotation: KeyRotation | null;
}

export function keyOptions(options: JsonObject): KeyOptions {
  return { secret: sinksOf({ options }), rotation: keyRotation({ options }) };
}

function keyRotation({ options }: Pick<DesiredResource, 'options'>): KeyRotation | null {
  const rotation = rotationOf({ options });
  const { rotate } = options;
  if (rotation === null || !isJsonObject(rotate)) return null;
  const { overlapMs, revoke } = rotate;
  return {
    ...rotation,
    overlapMs: numberOf(overlapMs) ?? DEFAULT_OVERLAP_MS,
    revoke: revoke === 'after_overlap' || revoke === 'manual' ? revoke : 'when_unused',
  };
}
