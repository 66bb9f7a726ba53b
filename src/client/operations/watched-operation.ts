// One operation under watch: what its last looks say, and whether it has ended.
import type { OperationRecord } from '../../model/live.ts';
import { isOvertaken, standingOf } from '../../model/operations/status.ts';
import { LOG_LAG_MS } from '../../model/operations/timing.ts';
import type { OperationRef } from './waiting.ts';

/** An older operation is not believed to be under way: rather, the clocks differ. */
const BELIEVABLE_AGE_MS = 600_000;

export interface WatchedOperation {
  readonly id: string;
  readonly action: string;
  /** When it began, on the monotonic scale, as well as it is known. */
  readonly startedMs: number;
  /** When the watch began. */
  readonly watchedMs: number;
  record: OperationRecord;
  end: 'finished' | 'failed' | 'vanished' | null;
  /** When the last look at it began; null before the first. */
  lookedMs: number | null;
  failedSinceMs: number | null;
  absentSinceMs: number | null;
}

/** The result of a look at an operation; `unseen` says nothing (the reading failed, or the answer was about another). */
export type Sighting = OperationRecord | 'absent' | 'unseen';

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** Time between two looks that must both see `failed` before it is believed. */
  readonly failedGapMs: number;
}

/** The record of an operation that a reply named. `logged` is its entry in the log, where that was read already. */
export function recordOf(ref: OperationRef, logged: OperationRecord | undefined): OperationRecord {
  const { id, projectId, action, status, failuresCount } = ref;
  const nothing = {
    branchId: null,
    resourceId: null,
    error: null,
    retryAtMs: null,
    createdAtMs: null,
    updatedAtMs: null,
  };
  return { ...nothing, id, projectId, action, ...logged, status, failuresCount };
}

/** Starts to watch an operation, as old as its record says; one without a date begins now. */
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
 * Takes a sighting in. The service may try again what `failed`: it has ended only when two looks, far enough apart, see it without a retry
 * to come. An unknown status is open until `log` shows that a newer operation of the same resource has ended.
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
