// The poll loop of one project: serves all waits on its operations with the same looks, and sleeps while there are none.
import type { Clock } from '../../base/time/clock.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isOvertaken, standingOf } from '../../model/operations/status.ts';
import { ApiFailure } from '../failure.ts';
import { noteLook, togetherMs, type LookPace, type ScheduleSetting } from './look-schedule.ts';
import { lookAtProject, type ProjectLook } from './project-look.ts';
import { QuietWaits } from './quiet-waits.ts';
import type { Reader } from '../types.ts';
import { Wait } from './wait.ts';
import { WaitTimes } from './wait-times.ts';
import type { OperationRef, WaitOptions, WaitOutcome } from './waiting.ts';
import { sight, watchReply, type Moment, type WatchedOperation } from './watched-operation.ts';

/** A wait is given a last look shortly before its deadline. */
const BEFORE_DEADLINE_MS = 500;
/** Why a nap or a look ends early; nobody reads it, so it is made once. */
const OVER = new Error('the pause or the request is over');

export interface WatchSetting extends ScheduleSetting {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly pace: LookPace;
  /** Called when a look has changed what is expected of operations: other projects may look earlier. */
  readonly onLearnt: () => void;
}

interface SettledWait {
  readonly wait: Wait<WaitOutcome>;
  readonly operations: WatchedOperation[];
  readonly options: WaitOptions;
}

export class ProjectWatch {
  readonly #projectId: string;
  readonly #setting: WatchSetting;
  readonly #watched = new Map<string, WatchedOperation>();
  readonly #waits = new Set<SettledWait>();
  readonly #times: WaitTimes;
  readonly #quiet: QuietWaits;
  /** The newest look's log, newest first; null before the first look. */
  #newest: readonly OperationRecord[] | null = null;
  #lastLookMs = Number.NEGATIVE_INFINITY;
  /** After a look that failed: not before this moment. */
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #running = false;
  #stop = new AbortController();
  #nap: { readonly untilMs: number; readonly alarm: AbortController } | null = null;

  constructor(projectId: string, setting: WatchSetting) {
    this.#projectId = projectId;
    this.#setting = setting;
    this.#times = new WaitTimes(setting.clock);
    this.#quiet = new QuietWaits(setting, this.#times, () => this.#afterEnd());
  }

  settled(refs: readonly OperationRef[], options: WaitOptions): Promise<WaitOutcome> {
    const operations = refs.map((ref) => this.#watch(ref));
    const wait = new Wait<WaitOutcome>(this.#times, options, {
      atDeadline: () => ({
        end: operations.some(({ end }) => end === 'failed') ? 'failed' : 'timed_out',
        operations: operations.map(({ record }) => record),
      }),
      atHeartbeat: () => operations.filter(({ end }) => end === null).map(({ record }) => record),
      expectedMs: (action) => this.#setting.durations.expectedMs(action),
      atEnd: () => {
        this.#waits.delete(entry);
        for (const operation of operations) if (--operation.waits === 0) this.#watched.delete(operation.id);
        this.#afterEnd();
      },
    });
    const entry: SettledWait = { wait, operations, options };
    this.#waits.add(entry);
    this.#conclude(entry);
    wait.start();
    this.#attend();
    return wait.outcome;
  }

  quiet(options: WaitOptions): Promise<boolean> {
    const outcome = this.#quiet.add(options);
    this.#attend();
    return outcome;
  }

  /** Expectations have changed: the nap may have to end earlier. */
  replan(): void {
    if (this.#nap !== null && this.#nextLookMs() < this.#nap.untilMs) this.#nap.alarm.abort(OVER);
  }

  #watch(ref: OperationRef): WatchedOperation {
    const logged = this.#newest?.find(({ id }) => id === ref.id);
    const operation = this.#watched.get(ref.id) ?? watchReply(ref, logged, this.#moment());
    operation.waits++;
    this.#watched.set(ref.id, operation);
    return operation;
  }

  get #isIdle(): boolean {
    return this.#waits.size === 0 && this.#quiet.size === 0;
  }

  #afterEnd(): void {
    if (!this.#isIdle) return;
    this.#stop.abort(OVER);
    this.#nap?.alarm.abort(OVER);
  }

  #attend(): void {
    if (this.#isIdle) return;
    if (this.#running) this.replan();
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      while (!this.#isIdle) {
        if (this.#stop.signal.aborted) this.#stop = new AbortController();
        await this.#step().catch((error: unknown) => this.#afterFailure(error));
      }
    } finally {
      this.#running = false;
    }
  }

  async #step(): Promise<void> {
    const { clock, pace } = this.#setting;
    const untilMs = this.#nextLookMs();
    if (untilMs > clock.monotonicMs()) {
      await this.#sleepUntil(untilMs);
      return;
    }
    await pace.turn(this.#stop.signal);
    await this.#look();
  }

  async #sleepUntil(untilMs: number): Promise<void> {
    const { clock } = this.#setting;
    const alarm = new AbortController();
    this.#nap = { untilMs, alarm };
    try {
      // Whole milliseconds: a timer that is early by a fraction would be set again and again.
      await clock.sleep(Math.ceil(untilMs - clock.monotonicMs()), alarm.signal);
    } catch (error) {
      if (!alarm.signal.aborted) throw error;
    } finally {
      this.#nap = null;
    }
  }

  #nextLookMs(): number {
    const open = [...this.#watched.values()].filter(({ end }) => end === null);
    let wantedMs = Math.min(togetherMs(open, this.#setting), this.#quiet.dueMs(open));
    for (const { wait } of this.#waits) {
      const lastChanceMs = wait.deadlineMs - BEFORE_DEADLINE_MS;
      if (lastChanceMs > this.#lastLookMs) wantedMs = Math.min(wantedMs, lastChanceMs);
    }
    return Math.max(this.#notBeforeMs, wantedMs);
  }

  async #look(): Promise<void> {
    const { clock, reader, durations } = this.#setting;
    const open = [...this.#watched.values()].filter(({ end }) => end === null);
    this.#lastLookMs = clock.monotonicMs();
    const awaited = open.map(({ id }) => id);
    const look = await lookAtProject(reader, { projectId: this.#projectId, awaited, signal: this.#stop.signal });
    for (const operation of open) noteLook(operation, this.#lastLookMs, durations);
    this.#newest = look.operations;
    const isLearnt = durations.learn([...look.sightings.values()].filter((sighting) => typeof sighting === 'object'));
    this.#takeIn(look, open);
    if (isLearnt) this.#setting.onLearnt();
  }

  #takeIn(look: ProjectLook, open: readonly WatchedOperation[]): void {
    const moment = this.#moment();
    for (const operation of open) {
      sight(operation, look.sightings.get(operation.id) ?? 'unseen', moment);
      if (standingOf(operation.record) === null && isOvertaken(operation.record, look.operations))
        operation.end = 'finished';
      if (operation.end !== null && operation.end !== 'finished')
        this.#setting.durations.forgetProbes(operation.action);
    }
    const looked = new Set(open);
    for (const entry of this.#waits) {
      this.#join(entry, look.operations);
      entry.wait.tell(entry.operations.filter((operation) => looked.has(operation)).map(({ record }) => record));
      this.#conclude(entry);
    }
    this.#quiet.takeIn(look, this.#lastLookMs);
  }

  /** Takes operations of the log into the wait that it is for, although no reply named them. */
  #join({ operations, options }: SettledWait, log: readonly OperationRecord[]): void {
    for (const record of log)
      if (options.isOwn?.(record) === true && !operations.some(({ id }) => id === record.id))
        operations.push(this.#watch(record));
  }

  /** Ends the wait when all its operations have ended. One that failed does not tell how the others end. */
  #conclude({ wait, operations, options }: SettledWait): void {
    const outcome = (end: WaitOutcome['end']): void =>
      wait.end({ end, operations: operations.map(({ record }) => record) });
    if (operations.some(({ end }) => end === null)) return;
    const hasFailed = ({ end, record }: WatchedOperation, at: number): boolean =>
      end === 'failed' && !(at > 0 && at === operations.length - 1 && isHarmless(record, options.last));
    if (operations.some(hasFailed)) outcome('failed');
    else outcome(operations.some(({ end }) => end === 'vanished') ? 'vanished' : 'finished');
  }

  /** Without the right to look all waits end; any other failure passes, and the deadlines keep running. */
  #afterFailure(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    if (error instanceof ApiFailure && error.failureClass !== 'refused') {
      this.#notBeforeMs = this.#setting.clock.monotonicMs() + this.#setting.pollIntervalMs;
      return;
    }
    for (const { wait } of this.#waits) wait.fail(error);
    this.#quiet.fail(error);
  }

  #moment(): Moment {
    const { clock, failedGapMs } = this.#setting;
    return { monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs(), failedGapMs };
  }
}

/** A suspension at the end of a change may be cancelled by a client that connects: the change stands. */
function isHarmless({ action, status }: OperationRecord, last: string | undefined): boolean {
  return status === 'cancelled' && action === last;
}
