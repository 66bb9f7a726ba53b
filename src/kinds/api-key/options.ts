// What a declaration says of a key beyond its name: where its value goes and how it is rotated.
import { isJsonObject } from '../../base/json.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { SourceRange } from '../../model/source.ts';

const DAY_MS = 86_400_000;
const DEFAULT_OVERLAP_MS = 7 * DAY_MS;

/** When the old key goes after a rotation. */
export type RetirementRule = 'when_unused' | 'after_overlap' | 'manual';

export interface Rotation {
  /** Age at which a new key is due; null = by age never. */
  readonly everyMs: number | null;
  /** A key made before this time is replaced once it has passed. */
  readonly notBeforeMs: number | null;
  /** How long the old key stays beside the new one, at least. */
  readonly overlapMs: number;
  readonly revoke: RetirementRule;
}

export interface KeyOptions {
  /** Targets for the value; empty when the key is only checked for presence. */
  readonly secret: readonly JsonObject[];
  readonly rotation: Rotation | null;
}

/** Reads the options as the section wrote them: `{secret: [target…], rotate: {everyMs, notBeforeMs, overlapMs, revoke}}`. */
export function keyOptions(options: JsonObject): KeyOptions {
  const { secret, rotate } = options;
  return {
    secret: Array.isArray(secret) ? secret.filter(isJsonObject) : [],
    rotation: isJsonObject(rotate) ? rotationOf(rotate) : null,
  };
}

function rotationOf(rotate: JsonObject): Rotation {
  const { revoke } = rotate;
  return {
    everyMs: numberOr(rotate['everyMs'], null),
    notBeforeMs: numberOr(rotate['notBeforeMs'], null),
    overlapMs: numberOr(rotate['overlapMs'], DEFAULT_OVERLAP_MS),
    revoke: revoke === 'after_overlap' || revoke === 'manual' ? revoke : 'when_unused',
  };
}

function numberOr<T>(value: Json | undefined, otherwise: T): number | T {
  return typeof value === 'number' ? value : otherwise;
}

/** Where `word` of the declaration is written, or its first part; the declaration itself when it is not written. */
export function placeOf({ sources, source }: DesiredResource, word: 'id' | 'secret' | 'rotate'): SourceRange {
  const path = Object.keys(sources)
    .filter((one) => one === word || one.startsWith(`${word}.`))
    .sort()[0];
  return (path === undefined ? undefined : sources[path]) ?? source;
}
