// Waits for operations: one poll loop for each project serves all waits (api-rules 7.8), and each wait evaluates the polls.
import type { Clock } from '../../base/time/clock.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import { POLL_INTERVAL_MS, QUIET_PAUSE_MS, QUIET_STREAK_MS } from '../../model/operations/timing.ts';
import type { Reader } from '../types.ts';
import { lookAtProject, type ProjectLook } from './log.ts';
import { PollLoop } from './poll-loop.ts';
import { Durations, dueMs, isOpen, sight, watchOf, type Moment, type WatchedOperation } from './watched-operation.ts';

/**
 * `finished`: all succeeded · `failed`: one failed, and the others ended or were open at the deadline · `vanished`: the service does not
 * know one of the operations · `timed_out`: some still ran at the deadline.
 */
export interface WaitOutcome {
  readonly end: 'finished' | 'failed' | 'vanished' | 'timed_out';
  readonly operations: readonly OperationRecord[];
}

export interface WaitOptions {
  /** Monotonic time. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** True for an operation in the log that belongs to the same step, although the reply did not name it. */
  readonly isOwn?: (operation: OperationRecord) => boolean;
  /** The action that may end a change: if its operation comes last and is cancelled, the change still counts as done. */
  readonly last?: string | undefined;
  readonly onLook?: (operation: OperationRecord) => void;
}

export interface OperationWaiter {
  /** Waits until all `operations` (of one project) have ended. Rejects with the signal's reason, or `ApiFailure` if polls are refused. */
  settled(operations: readonly OperationRecord[], options: WaitOptions): Promise<WaitOutcome>;
  /** After a 423, waits until no operation of the project is running; false at the deadline. */
  quiet(projectId: string, options: WaitOptions): Promise<boolean>;
}

export interface OperationWaiterOptions {
  readonly reader: Reader;
  readonly clock: Clock;
  /** The longest pause between two polls of a project; default 5 s. */
  readonly pollIntervalMs?: number;
  /** The most polls a second over all projects; default Infinity. */
  readonly looksPerSecond?: number;
}

interface Tools {
  readonly clock: Clock;
  readonly pollIntervalMs: number;
  readonly loopOf: (projectId: string) => PollLoop;
  readonly moment: () => Moment;
  readonly duesOf: (operations: readonly WatchedOperation[]) => readonly number[];
}

export function createOperationWaiter(options: OperationWaiterOptions): OperationWaiter {
  const { reader, clock, pollIntervalMs = POLL_INTERVAL_MS, looksPerSecond = Infinity } = options;
  const durations = new Durations();
  const failedGapMs = Math.min(pollIntervalMs, POLL_INTERVAL_MS);
  const loops = new Map<string, PollLoop>();
  let freeMs = -Infinity;
  /** Spaces the polls of all projects, so that enough of the request budget is left for writes. */
  const pace = async (signal: AbortSignal): Promise<void> => {
    const nowMs = clock.monotonicMs();
    const turnMs = Math.max(nowMs, freeMs);
    freeMs = turnMs + 1000 / looksPerSecond;
    if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
  };
  const loopOf = (projectId: string): PollLoop => {
    const known = loops.get(projectId);
    if (known !== undefined) return known;
    const look = async (awaited: readonly string[], signal: AbortSignal): Promise<ProjectLook> => {
      const shown = await lookAtProject(reader, { projectId, awaited, signal });
      const seen = [...shown.sightings.values()].filter((sighting) => typeof sighting === 'object');
      if (durations.learn(seen)) for (const loop of loops.values()) loop.schedule();
      return shown;
    };
    const loop = new PollLoop({ clock, pollIntervalMs, pace, look });
    loops.set(projectId, loop);
    return loop;
  };
  const tools: Tools = {
    clock,
    pollIntervalMs,
    loopOf,
    moment: () => ({ monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs(), failedGapMs }),
    duesOf: (operations) => operations.map((one) => dueMs(one, { durations, pollIntervalMs, failedGapMs })),
  };
  const quiets = new Map<string, Quiet>();
  return {
    settled: async (records, wanted) => settled(tools, records, wanted),
    async quiet(projectId, wanted) {
      const before = quiets.get(projectId) ?? { sinceMs: -Infinity, streak: 0 };
      const after = await quiet(tools, projectId, before, wanted);
      if (after !== null) quiets.set(projectId, after);
      return after !== null;
    },
  };
}

async function settled(
  { clock, loopOf, moment, duesOf }: Tools,
  records: readonly OperationRecord[],
  { deadlineMs, signal, isOwn, last, onLook }: WaitOptions,
): Promise<WaitOutcome> {
  const operations: WatchedOperation[] = [];
  const add = (record: OperationRecord, lookedMs: number | null): void => {
    const operation = { ...watchOf(record, moment()), lookedMs };
    sight(operation, record, moment());
    operations.push(operation);
  };
  // Leaves out the service's date: a start right now is more exact than a date by another clock.
  for (const record of records) add({ ...record, createdAtMs: null }, null);
  const open = (): WatchedOperation[] => operations.filter(isOpen);
  const isOver = ({ operations: log, sightings }: ProjectLook, atMs: number): boolean => {
    for (const operation of open()) {
      operation.lookedMs = atMs;
      sight(operation, sightings.get(operation.id) ?? 'unseen', moment(), log);
      onLook?.(operation.record);
    }
    for (const record of log)
      if (isOwn?.(record) === true && !operations.some(({ id }) => id === record.id)) add(record, atMs);
    return open().length === 0;
  };
  const duesMs = (): readonly number[] => duesOf(open());
  const awaited = (): readonly string[] => open().map(({ id }) => id);
  if (open().length > 0 && clock.monotonicMs() < deadlineMs)
    await loopOf(records[0]?.projectId ?? '').wait({ deadlineMs, signal, duesMs, awaited, isOver });
  return { end: endOf(operations, last), operations: operations.map(({ record }) => record) };
}

/** When a project last looked quiet, and how many times in a row it answered 423 soon afterwards. */
interface Quiet {
  readonly sinceMs: number;
  readonly streak: number;
}

async function quiet(
  { clock, pollIntervalMs, loopOf, moment, duesOf }: Tools,
  projectId: string,
  before: Quiet,
  { deadlineMs, signal, onLook }: WaitOptions,
): Promise<Quiet | null> {
  const nowMs = clock.monotonicMs();
  const streak = nowMs - before.sinceMs < QUIET_STREAK_MS ? before.streak + 1 : 0;
  const notBeforeMs = nowMs + Math.min(pollIntervalMs, QUIET_PAUSE_MS * 2 ** streak);
  let busy: readonly WatchedOperation[] = [];
  let isQuiet = false;
  const isOver = ({ operations }: ProjectLook, atMs: number): boolean => {
    // An operation without a usable date began when it was first seen, so the pauses between polls grow.
    const known = new Map(busy.map((one) => [one.id, one]));
    busy = operations
      .filter(isBusy)
      .map((record) => ({ ...(known.get(record.id) ?? watchOf(record, moment())), record, lookedMs: atMs }));
    for (const { record } of busy) onLook?.(record);
    isQuiet = busy.length === 0 && atMs >= notBeforeMs;
    return isQuiet;
  };
  const duesMs = (): readonly number[] => (busy.length === 0 ? [notBeforeMs] : duesOf(busy));
  const awaited = (): readonly string[] => busy.map(({ id }) => id);
  if (nowMs < deadlineMs) await loopOf(projectId).wait({ deadlineMs, signal, duesMs, awaited, isOver });
  return isQuiet ? { sinceMs: clock.monotonicMs(), streak } : null;
}

/** A failure counts even while other operations are still open. */
function endOf(operations: readonly WatchedOperation[], last: string | undefined): WaitOutcome['end'] {
  const isOver = !operations.some(isOpen);
  // A connecting client can cancel the suspension that ends a change; the change itself stands.
  const isHarmless = ({ record: { action, status } }: WatchedOperation, at: number): boolean =>
    isOver && at > 0 && at === operations.length - 1 && status === 'cancelled' && action === last;
  if (operations.some((one, at) => one.end === 'failed' && !isHarmless(one, at))) return 'failed';
  if (!isOver) return 'timed_out';
  return operations.some(({ end }) => end === 'vanished') ? 'vanished' : 'finished';
}
