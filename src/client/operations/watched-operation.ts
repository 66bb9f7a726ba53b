// One operation under watch: what its last looks say, and whether it has ended.
import type { OperationRecord } from '../../model/live.ts';
import { standingOf } from '../../model/operations/status.ts';
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
  lastLookMs: number | null;
  /** Looks since its end was expected. */
  overdueLooks: number;
  /** The age at which it is looked at next, while nothing is known of how long such operations take. */
  probeAgeMs: number | null;
  failedSinceMs: number | null;
  absentSinceMs: number | null;
  /** Waits that ask for it. */
  waits: number;
}

/** What a look at an operation came to; `unseen` says nothing (the reading failed, or the answer was about another). */
export type Sighting = OperationRecord | 'absent' | 'unseen';

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** Time between two looks that must both see `failed` before it is believed. */
  readonly failedGapMs: number;
}

/** Starts to watch an operation that a reply named; the reply's status is the first sighting. `logged` is its entry in the log, if it was seen there. */
export function watchReply(ref: OperationRef, logged: OperationRecord | undefined, moment: Moment): WatchedOperation {
  const named: OperationRecord = {
    id: ref.id,
    action: ref.action,
    status: ref.status,
    projectId: ref.projectId,
    branchId: null,
    resourceId: null,
    failuresCount: ref.failuresCount,
    error: null,
    retryAtMs: null,
    createdAtMs: null,
    updatedAtMs: null,
  };
  const record = logged === undefined ? named : { ...logged, status: ref.status, failuresCount: ref.failuresCount };
  const operation = watchRecord(record, moment);
  sight(operation, record, moment);
  return operation;
}

/** Starts to watch an operation of the log, as old as the log says; one without a date begins now. */
export function watchRecord(record: OperationRecord, moment: Pick<Moment, 'monotonicMs' | 'wallMs'>): WatchedOperation {
  const ageMs = record.createdAtMs === null ? 0 : moment.wallMs - record.createdAtMs;
  const isBelievable = ageMs >= 0 && ageMs <= BELIEVABLE_AGE_MS;
  return {
    id: record.id,
    action: record.action,
    startedMs: moment.monotonicMs - (isBelievable ? ageMs : 0),
    watchedMs: moment.monotonicMs,
    record,
    end: null,
    lastLookMs: null,
    overdueLooks: 0,
    probeAgeMs: null,
    failedSinceMs: null,
    absentSinceMs: null,
    waits: 0,
  };
}

/**
 * Takes a sighting in. `failed` may be tried again by the service, so it is an end only when two looks, far enough apart,
 * see it without a retry to come; an unknown status is no end at all.
 */
export function sight(operation: WatchedOperation, sighting: Sighting, moment: Moment): void {
  if (operation.end !== null || sighting === 'unseen') return;
  if (sighting === 'absent') {
    operation.absentSinceMs ??= moment.monotonicMs;
    if (moment.monotonicMs - operation.absentSinceMs >= LOG_LAG_MS) operation.end = 'vanished';
    return;
  }
  operation.absentSinceMs = null;
  operation.record = sighting;
  const standing = standingOf(sighting);
  if (standing === 'succeeded') operation.end = 'finished';
  else if (standing === 'over') operation.end = 'failed';
  else if (standing !== 'failed' || willBeRetried(sighting, moment.wallMs)) operation.failedSinceMs = null;
  else if (operation.failedSinceMs === null) operation.failedSinceMs = moment.monotonicMs;
  else if (moment.monotonicMs - operation.failedSinceMs >= moment.failedGapMs) operation.end = 'failed';
}

function willBeRetried(operation: OperationRecord, wallMs: number): boolean {
  return operation.retryAtMs !== null && operation.retryAtMs > wallMs;
}
