// What a declaration says of a key beyond its name: where its value goes and how it is rotated.
import { sinksOf, type DesiredResource } from '../../model/desired.ts';
import { isJsonObject, numberOf, type JsonObject } from '../../base/json.ts';
import { rotationOf, type Rotation } from '../shared/secret-rotation.ts';

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
