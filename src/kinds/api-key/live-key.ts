// A live key in words that decisions can be made with: age, last use, and order among namesakes; and what a declaration and a place keep of one.
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
  // The environment holds the credential, and no program gets it as an argument: a shell's printf is none.
  removedBy: (url) => `printf 'Authorization: Bearer %s' "$TRUEUP_API_KEY" | curl -X DELETE -H @- '${url}'`,
};

/** They belong to the account. */
export const PLACE: KindPlace = { kind: 'api_key', parent: null, section: 'api_keys', segment: 'api_keys' };

/** Times are milliseconds since the epoch; null when the service does not tell (for `lastUsedAtMs`: never used). */
export interface LiveKey {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly lastUsedFrom: string | null;
  readonly live: LiveResource;
}

/** Name of the last use among the facts of a key. */
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

/** Times up to here (the epoch, year 1) are a way to say "never". */
const NEVER_UNTIL_MS = 86_400_000;

/** Milliseconds of a time as the service writes it; null for none, for nonsense and for the many ways to say never. */
export function timeOf(value: JsonObject[string] | undefined): number | null {
  const ms = millisecondsOf(value);
  return ms === null || ms <= NEVER_UNTIL_MS ? null : ms;
}

/** Newest first: by creation, then by id (larger is newer); keys without a creation time come last. */
export function newestFirst(a: LiveKey, b: LiveKey): number {
  const byAge = (b.createdAtMs ?? -Infinity) - (a.createdAtMs ?? -Infinity);
  if (byAge !== 0 && !Number.isNaN(byAge)) return byAge;
  return b.id.length - a.id.length || compareText(b.id, a.id);
}

/** `last used 2026-03-01T10:00:00.000Z (3h 2m ago) from 192.0.2.7`, `never used`; without `nowMs` not how long ago. */
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

/** Why no consent lets it go. */
export function suspectWords(key: LiveKey, nowMs: number): string {
  return `this run may use key ${key.id} (${lastUseWords(key, nowMs)}); to prove that it does not, store the run's own key in a \`file\` sink`;
}

/** Why such a key is not revoked as what a crash left. */
export function uncertainWords(id: string): string {
  return `an interrupted run may have created key ${id}: that run asked for a key with this name, and the reply was lost`;
}

const DAY_MS = 86_400_000;
export const DEFAULT_OVERLAP_MS: number = 7 * DAY_MS;

/** When the old key goes after a rotation. */
export type RetirementRule = 'when_unused' | 'after_overlap' | 'manual';

export interface KeyRotation extends Rotation {
  /** How long the old key stays beside the new one, at least. */
  readonly overlapMs: number;
  readonly revoke: RetirementRule;
}

export interface KeyOptions {
  /** Targets for the value; empty when the key is only checked for presence. */
  readonly secret: readonly JsonObject[];
  readonly rotation: KeyRotation | null;
}

/** Reads the options as the section wrote them: `{secret: [target…], rotate: {everyMs, notBeforeMs, overlapMs, revoke}}`. */
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
