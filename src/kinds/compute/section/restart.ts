// `restart` of a compute: since when it must have started, in milliseconds.
import { parseDurationMs } from '../../../base/time/duration.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import type { EntryProblem } from '../../../config/kind-section.ts';
import { parseTimeMs } from '../../../config/check/times.ts';

/** `{ notBeforeMs, maxAgeMs }`, each only where it is written. */
export function restartOf(restart: JsonObject, problems: EntryProblem[]): JsonObject {
  const options: Record<string, Json> = {};
  const { not_before: notBefore, max_age: maxAge } = restart;
  if (typeof notBefore === 'string') {
    const ms = parseTimeMs(notBefore);
    if (ms !== undefined) options['notBeforeMs'] = ms;
    else
      problems.push({
        severity: 'error',
        code: 'bad_time',
        message: 'expected an ISO 8601 time with its zone, or a date',
        hint: 'For example 2026-11-20T00:00:00Z.',
        path: ['restart', 'not_before'],
      });
  }
  if (typeof maxAge === 'string' || typeof maxAge === 'number') {
    const ms = parseDurationMs(maxAge);
    if (ms !== undefined && ms >= 60_000) options['maxAgeMs'] = ms;
    else
      problems.push({
        severity: 'error',
        code: 'bad_duration',
        message: 'expected a duration of at least one minute',
        hint: 'For example 7d.',
        path: ['restart', 'max_age'],
      });
  }
  return options;
}
