// When to look at operations again: as late as they are expected to end, then at growing steps, which end at the longest pause that was asked for (looks that are made together come up to a tenth later).
import type { Clock } from '../../base/time/clock.ts';
import type { OperationDurations } from './durations.ts';
import type { WatchedOperation } from './watched-operation.ts';

/** Between looks for an operation that the log does not show yet. */
const ABSENT_LOOKS_MS = 2000;
const OVERDUE_MIN_MS = 100;
const OVERDUE_SHARE = 0.1;
const OVERDUE_GROWTH = 1.6;
/** Looks that would be due within this share of an age are made together, at the last of them. */
const TOGETHER_SHARE = 0.1;
const TOGETHER_MIN_MS = 100;
const TOGETHER_MAX_MS = 500;
/** The same for what would be due while so many other looks have their turn. */
const TOGETHER_LOOKS = 3;
/** Neither that nor a first look stretches the longest pause by more than this share of it. */
const STRETCH_SHARE = 0.1;

export interface ScheduleSetting {
  readonly durations: OperationDurations;
  /** The longest pause between two looks. */
  readonly pollIntervalMs: number;
  readonly failedGapMs: number;
  /** How far apart the looks of all projects are kept; 0 where nothing bounds them. */
  readonly lookGapMs: number;
}

/** The moment (monotonic) at which `operation` should be looked at. */
function dueMs(operation: WatchedOperation, setting: ScheduleSetting): number {
  const { lastLookMs, failedSinceMs, absentSinceMs } = operation;
  const stretchMs = lastLookMs === null ? setting.pollIntervalMs * STRETCH_SHARE : 0;
  const latestMs = (lastLookMs ?? operation.watchedMs) + setting.pollIntervalMs + stretchMs;
  if (failedSinceMs !== null) return Math.min(failedSinceMs + setting.failedGapMs, latestMs);
  if (absentSinceMs !== null) return Math.min((lastLookMs ?? absentSinceMs) + ABSENT_LOOKS_MS, latestMs);
  return Math.min(openDueMs(operation, setting.durations), latestMs);
}

function openDueMs(operation: WatchedOperation, durations: OperationDurations): number {
  const { action, startedMs, lastLookMs } = operation;
  const endMs = expectedEndMs(operation, durations);
  if (endMs === null) {
    operation.probeAgeMs ??= durations.probeAgeMs(action, lastLookMs === null ? 0 : lastLookMs - startedMs);
    return startedMs + operation.probeAgeMs;
  }
  if (lastLookMs === null || lastLookMs < endMs) return endMs;
  const firstStepMs = Math.max(OVERDUE_MIN_MS, (endMs - startedMs) * OVERDUE_SHARE);
  return lastLookMs + firstStepMs * OVERDUE_GROWTH ** Math.max(0, operation.overdueLooks - 1);
}

/** Takes note that a look began at `lookMs`, before it is known what it sees. */
export function noteLook(operation: WatchedOperation, lookMs: number, durations: OperationDurations): void {
  const endMs = expectedEndMs(operation, durations);
  if (endMs !== null && lookMs >= endMs) operation.overdueLooks++;
  operation.lastLookMs = lookMs;
  if (operation.probeAgeMs !== null && lookMs - operation.startedMs >= operation.probeAgeMs)
    operation.probeAgeMs = null;
}

/** One moment for several dues: the earliest, put off a little when that serves further ones too. */
export function togetherMs(operations: readonly WatchedOperation[], setting: ScheduleSetting): number {
  const duesMs = operations.map((operation) => dueMs(operation, setting));
  const firstMs = duesMs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const first = operations[duesMs.indexOf(firstMs)];
  if (first === undefined) return firstMs;
  const share = (firstMs - first.startedMs) * TOGETHER_SHARE;
  const mostMs = Math.min(TOGETHER_MAX_MS, setting.pollIntervalMs * STRETCH_SHARE);
  const untilMs = firstMs + Math.min(mostMs, Math.max(TOGETHER_MIN_MS, share, TOGETHER_LOOKS * setting.lookGapMs));
  return duesMs.reduce((a, b) => (b <= untilMs ? Math.max(a, b) : a), firstMs);
}

// The reply that named the operation took its way too, so the end is behind this moment more often than not.
function expectedEndMs({ action, startedMs }: WatchedOperation, durations: OperationDurations): number | null {
  const expectedMs = durations.expectedMs(action);
  return expectedMs === null ? null : startedMs + expectedMs + Math.min(250, Math.max(20, expectedMs * 0.02));
}

/** Spaces the looks of all projects, so that watching never eats up the budget of requests. */
export interface LookPace {
  /** Resolves when the next look may be made. */
  turn(signal: AbortSignal): Promise<void>;
}

/** Looks that are `gapMs` apart; 0 does not wait at all. */
export function createLookPace(clock: Clock, gapMs: number): LookPace {
  let freeMs = Number.NEGATIVE_INFINITY;
  return {
    async turn(signal) {
      const nowMs = clock.monotonicMs();
      const turnMs = Math.max(nowMs, freeMs);
      freeMs = turnMs + gapMs;
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
    },
  };
}
