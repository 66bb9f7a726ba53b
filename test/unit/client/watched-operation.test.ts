// When an operation under watch has ended: what single looks say is believed at once, or only when a second one agrees in time.
import { describe, expect, it } from 'vitest';
import { sight, watchOf, type Sighting } from '../../../src/client/operations.ts';
import { UNDATED } from './waiting-support.ts';

const WALL_MS = Date.UTC(2026, 10, 20, 12);
/** Every look is told in milliseconds after the first. */
const FIRST_LOOK_MS = 60_000;
const FAILED_GAP_MS = 5000;

const SIGHTINGS: Readonly<Record<string, Sighting>> = {
  absent: 'absent',
  unseen: 'unseen',
  running: UNDATED,
  ...Object.fromEntries(['failed', 'finished', 'error'].map((status) => [status, { ...UNDATED, status }])),
};

/** How it has ended after these looks: `AFTER_MS SIGHTING`, and `RETRY_AT_MS` of a failed one. */
function endAfter(looks: readonly string[]): string | null {
  const operation = watchOf(UNDATED, { monotonicMs: FIRST_LOOK_MS, wallMs: WALL_MS });
  for (const look of looks) {
    const [after, name = '', retryAt] = look.split(' ');
    const afterMs = Number(after);
    const dated: Sighting = { ...UNDATED, status: name, retryAtMs: WALL_MS + Number(retryAt) };
    sight(operation, retryAt === undefined ? (SIGHTINGS[name] ?? 'absent') : dated, {
      monotonicMs: FIRST_LOOK_MS + afterMs,
      wallMs: WALL_MS + afterMs,
      failedGapMs: FAILED_GAP_MS,
    });
  }
  return operation.end;
}

describe('an operation', () => {
  it.each<[string, readonly string[], string | null]>([
    ['that failed once may be tried again', ['0 failed'], null],
    ['that failed is not believed to have before the gap is over', ['0 failed', '4999 failed'], null],
    ['that failed has when the gap is over', ['0 failed', '5000 failed'], 'failed'],
    ['that was tried again in between begins anew', ['0 failed', '3000 running', '5000 failed'], null],
    ['that will be tried again has not failed', ['0 failed', '5000 failed 5001'], null],
    ['whose new try should have come by now has', ['0 failed 0', '5000 failed 5000'], 'failed'],
    ['that is absent is not believed to be gone before two seconds', ['0 absent', '1999 absent'], null],
    ['that is absent for as long as a log may lag is gone', ['0 absent', '10000 absent'], 'vanished'],
    ['that was seen in between is absent anew', ['0 absent', '1000 running', '2000 absent'], null],
    ['that was not looked at is neither seen nor absent', ['0 absent', '1000 unseen', '10000 absent'], 'vanished'],
    ['that has ended stays so, whatever is seen later', ['0 finished', '1000 error'], 'finished'],
  ])('%s', (_name, looks, end) => {
    expect(endAfter(looks)).toBe(end);
  });

  it.each([
    ['without a date begins now', null, 0],
    ['is as old as the log says', 600_000, 600_000],
    ['is not believed to be older than ten minutes', 600_001, 0],
    ['does not begin in the future', -1, 0],
  ])('%s', (_name, agoMs, ageMs) => {
    const createdAtMs = agoMs === null ? null : WALL_MS - agoMs;
    const watched = watchOf({ ...UNDATED, createdAtMs }, { monotonicMs: 1_000_000, wallMs: WALL_MS });
    expect(watched.startedMs).toBe(1_000_000 - ageMs);
  });
});
