// The schedule of looks at operations: at their usual end, then at growing steps up to the longest pause.
import type { Clock } from '../../base/time/clock.ts';
import type { OperationRecord } from '../../model/live.ts';
import { END_MARGIN_MS, FIRST_LOOK_MS, LOOK_STEP_SHARE } from '../../model/operations/timing.ts';
import type { WatchedOperation } from './watched-operation.ts';

export interface ScheduleSetting {
  readonly durations: OperationDurations;
  /** The longest pause between two looks. */
  readonly pollIntervalMs: number;
  readonly failedGapMs: number;
}

/** Durations of operations by action, which all projects of a run share. */
export interface OperationDurations {
  readonly usualMs: (action: string) => number | undefined;
  /** True for the first operation of an action without a known duration: early looks at it serve all others. */
  readonly isScout: (operation: WatchedOperation) => boolean;
  /** Learns from a log, newest first; true if an action has a shorter duration than was known. */
  readonly learn: (log: readonly OperationRecord[]) => boolean;
}

export function createDurations(): OperationDurations {
  const usual = new Map<string, number>();
  const scouts = new Map<string, WatchedOperation>();
  return {
    usualMs: (action) => usual.get(action),
    isScout(operation) {
      const scout = scouts.get(operation.action);
      if (scout === undefined || scout.end !== null) scouts.set(operation.action, operation);
      return scouts.get(operation.action) === operation;
    },
    learn(log) {
      const newest = new Map<string, number>();
      for (const { action, status, createdAtMs, updatedAtMs } of log) {
        const tookMs = (updatedAtMs ?? Number.NaN) - (createdAtMs ?? Number.NaN);
        if (status === 'finished' && tookMs >= 0 && !newest.has(action)) newest.set(action, tookMs);
      }
      const isSooner = [...newest].some(([action, tookMs]) => tookMs < (usual.get(action) ?? Infinity));
      for (const [action, tookMs] of newest) usual.set(action, tookMs);
      return isSooner;
    },
  };
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

/** Spaces the looks of all projects, so that they leave requests for writes. */
export function createLookPace(clock: Clock, gapMs: number): (signal: AbortSignal) => Promise<void> {
  let freeMs = -Infinity;
  return async (signal) => {
    const nowMs = clock.monotonicMs();
    const turnMs = Math.max(nowMs, freeMs);
    freeMs = turnMs + gapMs;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
  };
}
