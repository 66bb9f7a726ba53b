// `rotate` of a key, in milliseconds.
import { parseDurationMs } from '../../../base/time/duration.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { EntryProblem } from '../../../config/kind-section.ts';
import { parseTimeMs } from '../../../config/check/times.ts';

const DAY_MS = 86_400_000;
const DEFAULT_OVERLAP_MS = 7 * DAY_MS;

/** `{ everyMs?, notBeforeMs?, overlapMs, revoke }`. */
export function rotationOf(rotate: JsonObject, problems: EntryProblem[]): JsonObject {
  const everyMs = durationOf(rotate['every']);
  const overlapMs = durationOf(rotate['overlap']) ?? DEFAULT_OVERLAP_MS;
  const notBeforeMs = typeof rotate['not_before'] === 'string' ? parseTimeMs(rotate['not_before']) : undefined;
  if (everyMs !== undefined && everyMs < 3_600_000)
    problems.push({
      severity: 'error',
      code: 'bad_duration',
      message: 'keys are rotated every hour at the most',
      hint: 'For example 90d.',
      path: ['rotate', 'every'],
    });
  else if (everyMs !== undefined && overlapMs >= everyMs)
    problems.push({
      severity: 'error',
      code: 'overlap_too_long',
      message: 'the overlap is not shorter than the time between rotations, so old keys would pile up',
      hint: 'Make `overlap` shorter than `every` (the default overlap is 7d).',
      path: ['rotate', rotate['overlap'] === undefined ? 'every' : 'overlap'],
    });
  if (typeof rotate['not_before'] === 'string' && notBeforeMs === undefined)
    problems.push({
      severity: 'error',
      code: 'bad_time',
      message: 'expected an ISO 8601 time with its zone, or a date',
      hint: 'For example 2026-11-20T00:00:00Z.',
      path: ['rotate', 'not_before'],
    });
  return {
    ...(everyMs === undefined ? {} : { everyMs }),
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    overlapMs,
    revoke: typeof rotate['revoke'] === 'string' ? rotate['revoke'] : 'when_unused',
  };
}

function durationOf(value: Json | undefined): number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseDurationMs(value) : undefined;
}
