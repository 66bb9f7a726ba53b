// One operation that a wait watches: the results of looks, its end, and when it is due for the next look.
import type { OperationRecord } from '../../model/live.ts';
import { isOvertaken, standingOf } from '../../model/operations/status.ts';
import { END_MARGIN_MS, FIRST_LOOK_MS, LOG_LAG_MS, LOOK_STEP_SHARE } from '../../model/operations/timing.ts';

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

export interface ScheduleSetting {
  readonly durations: Durations;
  /** The longest pause between two looks. */
  readonly pollIntervalMs: number;
  readonly failedGapMs: number;
}

/** Durations of operations by action, which all projects of a run share. */
export class Durations {
  readonly #usual = new Map<string, number>();
  readonly #scouts = new Map<string, WatchedOperation>();

  usualMs(action: string): number | undefined {
    return this.#usual.get(action);
  }

  /** True for the first operation of an action without a known duration: early looks at it serve all others. */
  isScout(operation: WatchedOperation): boolean {
    const scout = this.#scouts.get(operation.action);
    if (scout?.end === null) return scout === operation;
    this.#scouts.set(operation.action, operation);
    return true;
  }

  /** Learns from a log, newest first; true if an action has a shorter duration than was known. */
  learn(log: readonly OperationRecord[]): boolean {
    const newest = new Map<string, number>();
    for (const { action, status, createdAtMs, updatedAtMs } of log) {
      const tookMs = (updatedAtMs ?? Number.NaN) - (createdAtMs ?? Number.NaN);
      if (status === 'finished' && tookMs >= 0 && !newest.has(action)) newest.set(action, tookMs);
    }
    const isSooner = [...newest].some(([action, tookMs]) => tookMs < (this.#usual.get(action) ?? Infinity));
    for (const [action, tookMs] of newest) this.#usual.set(action, tookMs);
    return isSooner;
  }
}

/** When the next look at an open operation is due. */
export function dueMs(operation: WatchedOperation, setting: ScheduleSetting): number {
  const { lookedMs, watchedMs, failedSinceMs } = operation;
  const latestMs = (lookedMs ?? watchedMs) + setting.pollIntervalMs;
  const wantedMs = failedSinceMs === null ? openDueMs(operation, setting) : failedSinceMs + setting.failedGapMs;
  return Math.min(wantedMs, latestMs);
}

function openDueMs(operation: WatchedOperation, { durations }: ScheduleSetting): number {
  const { action, startedMs, lookedMs } = operation;
  const usualMs = durations.usualMs(action);
  const endMs = startedMs + (usualMs ?? -Infinity);
  if (lookedMs === null && usualMs === undefined)
    return durations.isScout(operation) ? startedMs + FIRST_LOOK_MS : Infinity;
  if (lookedMs === null || lookedMs < endMs) return endMs + END_MARGIN_MS;
  return lookedMs + Math.max(FIRST_LOOK_MS, (lookedMs - startedMs) * LOOK_STEP_SHARE);
}
