// An operation of a wait: the results of its polls, how it ended, and when to poll it next.
import type { OperationRecord } from '../../model/live.ts';
import { isOvertaken, standingOf } from '../../model/operations/status.ts';
import { END_MARGIN_MS, FIRST_LOOK_MS, LOG_LAG_MS, LOOK_STEP_SHARE } from '../../model/operations/timing.ts';

/** If an open operation seems older than this, the clocks differ. */
const BELIEVABLE_AGE_MS = 600_000;

export interface WatchedOperation {
  readonly id: string;
  readonly action: string;
  /** Monotonic time when the operation started, as far as known. */
  readonly startedMs: number;
  readonly watchedMs: number;
  record: OperationRecord;
  end: 'finished' | 'failed' | 'vanished' | null;
  /** Monotonic time when the last poll began; null before the first. */
  lookedMs: number | null;
  failedSinceMs: number | null;
  absentSinceMs: number | null;
}

/** `absent`: the service does not know the operation · `unseen`: proves nothing, for example because the request failed. */
export type Sighting = OperationRecord | 'absent' | 'unseen';

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
  /** The least time between the two polls that prove a failure. */
  readonly failedGapMs: number;
}

export function isOpen({ end }: WatchedOperation): boolean {
  return end === null;
}

/** Without a believable date, the operation counts as started now. */
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
 * Records what a poll showed. The service may retry a failed operation, so two polls at least `failedGapMs` apart must show it failed
 * without a coming retry. An operation with an unknown status ends once `log` shows the end of a newer operation on its resource.
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
  readonly pollIntervalMs: number;
  readonly failedGapMs: number;
}

export class Durations {
  readonly #usual = new Map<string, number>();
  readonly #scouts = new Map<string, WatchedOperation>();

  usualMs(action: string): number | undefined {
    return this.#usual.get(action);
  }

  /** True for the first running operation of an action without a known duration: early polls of it find the duration for all others. */
  isScout(operation: WatchedOperation): boolean {
    const scout = this.#scouts.get(operation.action);
    if (scout?.end === null) return scout === operation;
    this.#scouts.set(operation.action, operation);
    return true;
  }

  /** Learns durations from a log, newest first; true if one is shorter than known so far. */
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
