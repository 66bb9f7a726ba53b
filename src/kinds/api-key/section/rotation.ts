// `rotate` of a key: besides when a new one is made, how long the old one stays.
import type { JsonObject } from '../../../base/json.ts';
import type { EntryProblem } from '../../../config/kind-section.ts';
import { durationOf, rotationIn } from '../../shared/secret-rotation.ts';
import { DEFAULT_OVERLAP_MS } from '../options.ts';

/** `{ everyMs?, notBeforeMs?, overlapMs, revoke }`. */
export function rotationOf(rotate: JsonObject, problems: EntryProblem[]): JsonObject {
  const when = rotationIn(rotate, 'keys', problems);
  const { everyMs } = when;
  const overlapMs = durationOf(rotate['overlap']) ?? DEFAULT_OVERLAP_MS;
  if (everyMs !== undefined && overlapMs >= everyMs)
    problems.push({
      severity: 'error',
      code: 'overlap_too_long',
      message: 'the overlap is not shorter than the time between rotations, so old keys would pile up',
      hint: 'Make `overlap` shorter than `every` (the default overlap is 7d).',
      path: ['rotate', rotate['overlap'] === undefined ? 'every' : 'overlap'],
    });
  return { ...when, overlapMs, revoke: typeof rotate['revoke'] === 'string' ? rotate['revoke'] : 'when_unused' };
}
