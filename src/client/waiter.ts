// Waits for operations. One poll loop for each project serves all waits (api-rules 7.8); each wait decides after a poll if it is over.
import type { Clock } from '../base/time/clock.ts';
import type { OperationRecord } from '../model/live.ts';
import { isBusy } from '../model/operations/operation.ts';
import { POLL_INTERVAL_MS, QUIET_PAUSE_MS, QUIET_STREAK_MS, TOGETHER_MS } from '../model/operations/timing.ts';
import type { Reader } from './types.ts';
import {
  lookAtProject,
  type ProjectLook,
  Durations,
  dueMs,
  isOpen,
  sight,
  watchOf,
  type Moment,
  type ScheduleSetting,
  type WatchedOperation,
} from './operations.ts';
import { onAbort } from '../base/time/on-abort.ts';
import { ApiFailure } from './failure.ts';

/**
 * `finished`: all operations succeeded. `failed`: one failed, and the others ended or were open at the deadline. `vanished`: the service
 * does not know one of the operations. `timed_out`: some still ran at the deadline.
 */
export interface WaitOutcome {
  readonly end: 'finished' | 'failed' | 'vanished' | 'timed_out';
  readonly operations: readonly OperationRecord[];
}

export interface WaitOptions {
  /** Monotonic time. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** True for an operation of the same step that the step's reply did not name. The wait then includes this operation, too. */
  readonly isOwn?: (operation: OperationRecord) => boolean;
  /** The action of an operation that may follow a change: if it is the last of several and is cancelled, the change still counts as done. */
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
  /** The most polls in a second for all projects together; default Infinity. */
  readonly looksPerSecond?: number;
}

/** The settings and tools that the polls of all projects share. */
interface Shared extends Required<Omit<OperationWaiterOptions, 'looksPerSecond'>>, ScheduleSetting {
  /** Spaces the polls, so that enough of the request budget is left for writes. */
  readonly pace: (signal: AbortSignal) => Promise<void>;
  readonly reschedule: () => void;
}

export function createOperationWaiter(options: OperationWaiterOptions): OperationWaiter {
  const { reader, clock, pollIntervalMs = POLL_INTERVAL_MS, looksPerSecond = Infinity } = options;
  const projects = new Map<string, ProjectPolls>();
  let freeMs = -Infinity;
  const shared: Shared = {
    reader,
    clock,
    pollIntervalMs,
    failedGapMs: Math.min(pollIntervalMs, POLL_INTERVAL_MS),
    durations: new Durations(),
    async pace(signal) {
      const nowMs = clock.monotonicMs();
      const turnMs = Math.max(nowMs, freeMs);
      freeMs = turnMs + 1000 / looksPerSecond;
      if (turnMs > nowMs) await clock.sleep(turnMs - nowMs, signal);
    },
    reschedule() {
      for (const polls of projects.values()) polls.schedule();
    },
  };
  const pollsOf = (projectId: string): ProjectPolls => {
    const polls = projects.get(projectId) ?? new ProjectPolls(projectId, shared);
    projects.set(projectId, polls);
    return polls;
  };
  return {
    settled: async (records, wanted) => pollsOf(records[0]?.projectId ?? '').settled(records, wanted),
    quiet: async (projectId, wanted) => pollsOf(projectId).quiet(wanted),
  };
}

/** Returns how the wait ended; a failure counts even while other operations are still open. */
function endOf(operations: readonly WatchedOperation[], last: string | undefined): WaitOutcome['end'] {
  const isOver = !operations.some(isOpen);
  // A client that connects can cancel the suspension at the end of a change; the change still counts as done.
  const isHarmless = ({ record: { action, status } }: WatchedOperation, at: number): boolean =>
    isOver && at > 0 && at === operations.length - 1 && status === 'cancelled' && action === last;
  if (operations.some((one, at) => one.end === 'failed' && !isHarmless(one, at))) return 'failed';
  if (!isOver) return 'timed_out';
  return operations.some(({ end }) => end === 'vanished') ? 'vanished' : 'finished';
}

const OVER = new Error('nobody waits any more');

/** A wait for operations; all times are monotonic. */
interface Wait {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** Returns the operations that a poll must find, even if the log does not list them; their ages decide when to poll. */
  readonly open: () => readonly WatchedOperation[];
  /** Monotonic time of the next poll while `open` returns no operation. */
  readonly notBeforeMs: number;
  /** Evaluates a poll, which began at `atMs`; true ends the wait. */
  readonly isOver: (look: ProjectLook, atMs: number) => boolean;
}

/** The poll loop of one project, for all waits in the project. */
class ProjectPolls {
  readonly #projectId: string;
  readonly #shared: Shared;
  readonly #waits = new Map<Wait, (failure: Error | null) => void>();
  /** `sinceMs`: when a wait last found the project quiet. `streak`: the number of 423s in a row that came within `QUIET_STREAK_MS` after that. */
  #quiet = { sinceMs: -Infinity, streak: 0 };
  #notBeforeMs = -Infinity;
  #looking: AbortController | null = null;
  #stopTimer = (): void => undefined;

  constructor(projectId: string, shared: Shared) {
    this.#projectId = projectId;
    this.#shared = shared;
  }

  async settled(
    records: readonly OperationRecord[],
    { deadlineMs, signal, isOwn, last, onLook }: WaitOptions,
  ): Promise<WaitOutcome> {
    const operations: WatchedOperation[] = [];
    const add = (record: OperationRecord, lookedMs: number | null): void => {
      const operation = { ...watchOf(record, this.#moment()), lookedMs };
      sight(operation, record, this.#moment());
      operations.push(operation);
    };
    // Leaves out the service's date, so that the start is now: the operation is new, and the clocks of service and machine may differ.
    for (const record of records) add({ ...record, createdAtMs: null }, null);
    const open = (): WatchedOperation[] => operations.filter(isOpen);
    const isOver = ({ operations: log, sightings }: ProjectLook, atMs: number): boolean => {
      for (const operation of open()) {
        operation.lookedMs = atMs;
        sight(operation, sightings.get(operation.id) ?? 'unseen', this.#moment(), log);
        onLook?.(operation.record);
      }
      for (const record of log)
        if (isOwn?.(record) === true && !operations.some(({ id }) => id === record.id)) add(record, atMs);
      return open().length === 0;
    };
    if (open().length > 0) await this.#wait({ deadlineMs, signal, open, notBeforeMs: Infinity, isOver });
    return { end: endOf(operations, last), operations: operations.map(({ record }) => record) };
  }

  async quiet({ deadlineMs, signal, onLook }: WaitOptions): Promise<boolean> {
    const { clock, pollIntervalMs } = this.#shared;
    const nowMs = clock.monotonicMs();
    const streak = nowMs - this.#quiet.sinceMs < QUIET_STREAK_MS ? this.#quiet.streak + 1 : 0;
    const notBeforeMs = nowMs + Math.min(pollIntervalMs, QUIET_PAUSE_MS * 2 ** streak);
    let busy: readonly WatchedOperation[] = [];
    let isQuiet = false;
    const isOver = ({ operations }: ProjectLook, atMs: number): boolean => {
      // Keeps the start of an operation. Otherwise, an operation without a usable date would seem new at each poll, and pauses never grow.
      const known = new Map(busy.map((one) => [one.id, one]));
      busy = operations
        .filter(isBusy)
        .map((record) => ({ ...(known.get(record.id) ?? watchOf(record, this.#moment())), record, lookedMs: atMs }));
      for (const { record } of busy) onLook?.(record);
      isQuiet = busy.length === 0 && atMs >= notBeforeMs;
      return isQuiet;
    };
    await this.#wait({ deadlineMs, signal, open: () => busy, notBeforeMs, isOver });
    if (isQuiet) this.#quiet = { sinceMs: clock.monotonicMs(), streak };
    return isQuiet;
  }

  #moment(): Moment {
    const { clock, failedGapMs } = this.#shared;
    return { monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs(), failedGapMs };
  }

  /** Resolves when the wait is over or its deadline reached. Rejects with the signal's reason, or `ApiFailure` if the service refuses polls. */
  async #wait(wait: Wait): Promise<void> {
    const { signal, deadlineMs } = wait;
    if (this.#shared.clock.monotonicMs() >= deadlineMs) return;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        this.#end(wait, signal.reason as Error);
        this.schedule();
      });
      this.#waits.set(wait, (failure) => {
        stopListening();
        if (failure === null) resolve();
        else reject(failure);
      });
      this.schedule();
    });
  }

  #end(wait: Wait, failure: Error | null): void {
    const end = this.#waits.get(wait);
    this.#waits.delete(wait);
    end?.(failure);
  }

  /** Sets the timer for the next poll or deadline; called when one of these times may have changed. */
  schedule(): void {
    const { clock } = this.#shared;
    this.#stopTimer();
    if (this.#waits.size === 0) return this.#looking?.abort(OVER);
    const deadlinesMs = [...this.#waits.keys()].map(({ deadlineMs }) => deadlineMs);
    const nextMs = Math.min(...deadlinesMs, this.#looking === null ? this.#nextMs() : Infinity);
    // Rounded up, because a timer that fires a fraction too early would be set again and again.
    this.#stopTimer = clock.after(Math.max(0, Math.ceil(nextMs - clock.monotonicMs())), () => {
      const nowMs = clock.monotonicMs();
      for (const wait of this.#waits.keys()) if (nowMs >= wait.deadlineMs) this.#end(wait, null);
      if (this.#waits.size > 0 && this.#looking === null && this.#nextMs() <= nowMs) void this.#look();
      this.schedule();
    });
  }

  /** Returns the time of the next poll, a little later if one poll then serves several operations. Without open operations, uses `notBeforeMs`. */
  #nextMs(): number {
    const waits = [...this.#waits.keys()];
    const open = waits.flatMap((wait) => wait.open());
    const duesMs =
      open.length > 0 ? open.map((one) => dueMs(one, this.#shared)) : waits.map(({ notBeforeMs }) => notBeforeMs);
    const firstMs = Math.min(...duesMs);
    const togetherMs = Math.max(firstMs, ...duesMs.filter((atMs) => atMs <= firstMs + TOGETHER_MS));
    return Math.max(this.#notBeforeMs, togetherMs);
  }

  async #look(): Promise<void> {
    const { reader, clock, pollIntervalMs, pace, durations, reschedule } = this.#shared;
    this.#looking = new AbortController();
    const { signal } = this.#looking;
    try {
      await pace(signal);
      const atMs = clock.monotonicMs();
      const waits = [...this.#waits.keys()];
      const awaited = [...new Set(waits.flatMap((wait) => wait.open().map(({ id }) => id)))];
      const shown = await lookAtProject(reader, { projectId: this.#projectId, awaited, signal });
      const seen = [...shown.sightings.values()].filter((sighting) => typeof sighting === 'object');
      if (durations.learn(seen)) reschedule();
      for (const wait of waits) if (this.#waits.has(wait) && wait.isOver(shown, atMs)) this.#end(wait, null);
    } catch (error) {
      // The poll was aborted because no wait was left. Waits that began since then get a new poll.
      if (signal.aborted) return;
      // If polls are refused, no wait can succeed. Other failures of a request may pass.
      if (error instanceof ApiFailure && error.failureClass !== 'refused')
        this.#notBeforeMs = clock.monotonicMs() + pollIntervalMs;
      else for (const wait of this.#waits.keys()) this.#end(wait, error as Error);
    } finally {
      this.#looking = null;
      this.schedule();
    }
  }
}
