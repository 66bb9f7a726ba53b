// Decides when a new key is due, and when an old key can be revoked.
import { formatDuration, humanDuration } from '../../../base/time/duration.ts';
import { isoTime } from '../../../base/time/clock.ts';
import { lastUseWords, type LiveKey, type KeyRotation } from '../live-key.ts';

/** The margin covers clocks that differ, and a service that counts uses by the hour. */
const MARGIN_MS = 3_600_000;

/** `due` is true if only the age asks for a new key. */
export interface RotationDemand {
  readonly due: boolean;
  readonly reason: string;
}

/** Null if the current key stays. A key of unknown age is never rotated. */
export function rotationDemand(current: LiveKey, rotation: KeyRotation, nowMs: number): RotationDemand | null {
  const { everyMs, notBeforeMs } = rotation;
  if (current.createdAtMs === null) return null;
  if (notBeforeMs !== null && nowMs >= notBeforeMs && current.createdAtMs < notBeforeMs)
    return { due: false, reason: `the key was created before ${isoTime(notBeforeMs)}` };
  const ageMs = nowMs - current.createdAtMs;
  if (everyMs === null || ageMs < everyMs) return null;
  return {
    due: true,
    reason: `it is ${humanDuration(ageMs)} old, and is rotated every ${formatDuration(everyMs)}`,
  };
}

/** `kept`: revoked later, or by hand · `in_use`: a client still needs the key. */
export interface Retirement {
  readonly state: 'revoke' | 'kept' | 'in_use';
  readonly words: string;
}

export function retirement(old: LiveKey, current: LiveKey, rotation: KeyRotation, nowMs: number): Retirement {
  const use = lastUseWords(old, nowMs);
  if (rotation.revoke === 'manual')
    return { state: 'kept', words: `key ${old.id} is kept until it is revoked by hand (${use})` };
  if (current.createdAtMs === null)
    return { state: 'kept', words: `key ${old.id} is kept, because the age of its successor is not known (${use})` };
  const overlapEndsMs = current.createdAtMs + rotation.overlapMs;
  if (nowMs < overlapEndsMs)
    return {
      state: 'kept',
      words: `key ${old.id} is kept beside its successor until ${isoTime(overlapEndsMs)} (${use})`,
    };
  if (rotation.revoke === 'after_overlap')
    return { state: 'revoke', words: `the overlap of ${formatDuration(rotation.overlapMs)} is over (${use})` };
  if (old.lastUsedAtMs === null || old.lastUsedAtMs < current.createdAtMs - MARGIN_MS)
    return { state: 'revoke', words: `the key was not used since its successor was created (${use})` };
  return {
    state: 'in_use',
    words: `a client may still use key ${old.id}, which key ${current.id} replaces: the old key was ${use}`,
  };
}
