// One operation that a wait watches: the results of looks, and its end.
import type { OperationRecord } from '../../model/live.ts';
import { isOvertaken, standingOf } from '../../model/operations/status.ts';
import { LOG_LAG_MS } from '../../model/operations/timing.ts';

/** If an open operation seems older, the clocks differ. */
const BELIEVABLE_AGE_MS = 600_000;

export interface WatchedOperation {
  readonly id: string;
  readonly action: string;
  /** Start of the operation, monotonic, as far as it is known. */
  readonly startedMs: number;
  readonly watchedMs: number;
  record: OperationRecord;
  end: 'finished' | 'failed' | 'vanished' | null;
  /** Start of the last look; null before the first. */
  lookedMs: number | null;
  failedSinceMs: number | null;
  absentSinceMs: number | null;
}

/** `unseen` proves nothing: the look failed, or its reply was about another operation. */
export type Sighting = OperationRecord | 'absent' | 'unseen';

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** Least time between the two looks that prove a failure. */
  readonly failedGapMs: number;
}

export function isOpen({ end }: WatchedOperation): boolean {
  return end === null;
}

/** An operation without a date starts now. */
export function watchOf(
  record: OperationRecord,
  { monotonicMs, wallMs }: Omit<Moment, 'failedGapMs'>,
): WatchedOperation {
  const ageMs = record.createdAtMs === null ? 0 : wallMs - record.createdAtMs;
  const isBelievable = ageMs >= 0 && ageMs <= BELIEVABLE_AGE_MS;
  return {
    id: record.id,
    action: record.action,
    startedMs: monotonicMs - (isBelievable ? ageMs : 0),
    watchedMs: monotonicMs,
    record,
    end: null,
    lookedMs: null,
    failedSinceMs: null,
    absentSinceMs: null,
  };
}

/**
 * The service can retry a failed operation: it has ended only if two looks, far enough apart, see it without a retry to come.
 * An unknown status is open until `log` shows the end of a newer operation of the same resource.
 */
export function sight(
  operation: WatchedOperation,
  sighting: Sighting,
  { monotonicMs, wallMs, failedGapMs }: Moment,
  log: readonly OperationRecord[] = [],
): void {
  if (operation.end !== null || sighting === 'unseen') return;
  if (sighting === 'absent') {
    operation.absentSinceMs ??= monotonicMs;
    if (monotonicMs - operation.absentSinceMs >= LOG_LAG_MS) operation.end = 'vanished';
    return;
  }
  operation.absentSinceMs = null;
  operation.record = sighting;
  const standing = standingOf(sighting);
  const willBeRetried = sighting.retryAtMs !== null && sighting.retryAtMs > wallMs;
  if (standing === 'succeeded' || (standing === null && isOvertaken(sighting, log))) operation.end = 'finished';
  else if (standing === 'over') operation.end = 'failed';
  else if (standing !== 'failed' || willBeRetried) operation.failedSinceMs = null;
  else if (operation.failedSinceMs === null) operation.failedSinceMs = monotonicMs;
  else if (monotonicMs - operation.failedSinceMs >= failedGapMs) operation.end = 'failed';
}
