// The waiter for operations: each wait asks for looks when its operations are due, and judges what they show.
import type { Clock } from '../../base/time/clock.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import { POLL_INTERVAL_MS, QUIET_PAUSE_MS, QUIET_STREAK_MS } from '../../model/operations/timing.ts';
import type { Reader } from '../types.ts';
import { createDurations, createLookPace, dueMs } from './look-schedule.ts';
import { ProjectWatch, type Look } from './project-watch.ts';
import type { OperationWaiter, WaitOptions, WaitOutcome } from './waiting.ts';
import { isOpen, sight, watchOf, type Moment, type WatchedOperation } from './watched-operation.ts';

export interface OperationWaiterOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  /** Longest pause between two looks at a project; default 5 s. */
  readonly pollIntervalMs?: number;
  /** Looks of all projects together; default Infinity. */
  readonly looksPerSecond?: number;
}

export function createOperationWaiter(options: OperationWaiterOptions): OperationWaiter {
  const { reader, clock, pollIntervalMs = POLL_INTERVAL_MS, looksPerSecond = Infinity } = options;
  const durations = createDurations();
  const schedule = { durations, pollIntervalMs, failedGapMs: Math.min(pollIntervalMs, POLL_INTERVAL_MS) };
  const pace = createLookPace(clock, 1000 / looksPerSecond);
  const watches = new Map<string, ProjectWatch>();
  const quiets = new Map<string, { readonly sinceMs: number; readonly streak: number }>();
  const moment = (): Moment => ({
    monotonicMs: clock.monotonicMs(),
    wallMs: clock.nowMs(),
    failedGapMs: schedule.failedGapMs,
  });
  const isLate = ({ deadlineMs }: WaitOptions): boolean => clock.monotonicMs() >= deadlineMs;

  /** The next look for these operations; without any, for the log after `notBeforeMs`. */
  const lookFor = async (
    projectId: string,
    operations: readonly WatchedOperation[],
    { deadlineMs, signal }: WaitOptions,
    notBeforeMs = Infinity,
  ): Promise<Look | null> => {
    const watch = watches.get(projectId) ?? new ProjectWatch(projectId, { reader, clock, pollIntervalMs, pace });
    watches.set(projectId, watch);
    const duesMs = operations.length === 0 ? [notBeforeMs] : operations.map((operation) => dueMs(operation, schedule));
    const look = await watch.look({ duesMs, awaited: operations.map(({ id }) => id), deadlineMs, signal });
    const seen = [...(look?.sightings.values() ?? [])].filter((sighting) => typeof sighting === 'object');
    if (durations.learn(seen)) for (const other of watches.values()) other.wake();
    return look;
  };

  return {
    settled: async ([...records], options) => settled({ moment, isLate, lookFor }, records, options),
    async quiet(projectId, options) {
      const nowMs = clock.monotonicMs();
      const { sinceMs = -Infinity, streak = 0 } = quiets.get(projectId) ?? {};
      const misled = nowMs - sinceMs < QUIET_STREAK_MS ? streak + 1 : 0;
      const notBeforeMs = nowMs + Math.min(pollIntervalMs, QUIET_PAUSE_MS * 2 ** misled);
      let busy: readonly WatchedOperation[] = [];
      while (!isLate(options)) {
        const look = await lookFor(projectId, busy, options, notBeforeMs);
        if (look === null) continue;
        busy = look.operations.filter(isBusy).map((record) => ({ ...watchOf(record, moment()), lookedMs: look.atMs }));
        for (const { record } of busy) options.onLook?.(record);
        if (busy.length > 0 || look.atMs < notBeforeMs) continue;
        quiets.set(projectId, { sinceMs: clock.monotonicMs(), streak: misled });
        return true;
      }
      return false;
    },
  };
}

interface Looks {
  readonly moment: () => Moment;
  readonly isLate: (options: WaitOptions) => boolean;
  readonly lookFor: (
    projectId: string,
    operations: readonly WatchedOperation[],
    options: WaitOptions,
  ) => Promise<Look | null>;
}

async function settled(
  { moment, isLate, lookFor }: Looks,
  records: readonly OperationRecord[],
  options: WaitOptions,
): Promise<WaitOutcome> {
  const operations: WatchedOperation[] = [];
  const add = (record: OperationRecord, lookedMs: number | null): void => {
    const operation = { ...watchOf(record, moment()), lookedMs };
    sight(operation, record, moment());
    operations.push(operation);
  };
  // Just started; the dates of the service are less exact than that.
  for (const record of records) add({ ...record, createdAtMs: null }, null);
  const outcomeOf = (end: WaitOutcome['end']): WaitOutcome => ({
    end,
    operations: operations.map(({ record }) => record),
  });
  for (;;) {
    const end = endOf(operations, options.last);
    if (end !== null) return outcomeOf(end);
    if (isLate(options)) return outcomeOf(operations.some((one) => one.end === 'failed') ? 'failed' : 'timed_out');
    const open = operations.filter(isOpen);
    const look = await lookFor(open[0]?.record.projectId ?? '', open, options);
    if (look === null) continue;
    for (const operation of open) {
      operation.lookedMs = look.atMs;
      sight(operation, look.sightings.get(operation.id) ?? 'unseen', moment(), look.operations);
      options.onLook?.(operation.record);
    }
    for (const record of look.operations)
      if (options.isOwn?.(record) === true && !operations.some(({ id }) => id === record.id)) add(record, look.atMs);
  }
}

/** Null until all have ended, because a failed operation does not show how the others end. */
function endOf(operations: readonly WatchedOperation[], last: string | undefined): WaitOutcome['end'] | null {
  if (operations.some(isOpen)) return null;
  const hasFailed = ({ end, record }: WatchedOperation, at: number): boolean =>
    end === 'failed' && !(at > 0 && at === operations.length - 1 && isHarmless(record, last));
  if (operations.some(hasFailed)) return 'failed';
  return operations.some(({ end }) => end === 'vanished') ? 'vanished' : 'finished';
}

/** A client that connects cancels the suspension at the end of a change, and the change stands. */
function isHarmless({ action, status }: OperationRecord, last: string | undefined): boolean {
  return status === 'cancelled' && action === last;
}
