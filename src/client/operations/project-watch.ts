// The poll loop of one project: the same looks serve all waits, and there are no looks without a wait.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import type { OperationRecord } from '../../model/live.ts';
import { isBusy } from '../../model/operations/status.ts';
import { QUIET_PAUSE_MS, QUIET_STREAK_MS } from '../../model/operations/timing.ts';
import { ApiFailure } from '../failure.ts';
import type { Reader } from '../types.ts';
import { lookAtProject } from './log.ts';
import { togetherMs, type ScheduleSetting } from './look-schedule.ts';
import type { OperationRef, WaitOptions, WaitOutcome } from './waiting.ts';
import { recordOf, sight, watchOf, type Moment, type WatchedOperation } from './watched-operation.ts';

const OVER = new Error('nobody waits any more');

export interface WatchSetting extends ScheduleSetting {
  readonly reader: Reader;
  readonly clock: Clock;
  readonly pace: (signal: AbortSignal) => Promise<void>;
  /** Called if operations end sooner than was known, so that other projects look earlier. */
  readonly onLearnt: () => void;
}

interface WaitKind<T> {
  readonly options: WaitOptions;
  readonly operations: WatchedOperation[];
  /** Time of the next look, monotonic, while the wait knows no operation. */
  readonly notBeforeMs: number;
  /** Null while the wait goes on. */
  readonly outcome: (log: readonly OperationRecord[], lookMs: number) => T | null;
  readonly atDeadline: () => T;
}

interface Wait extends Omit<WaitKind<unknown>, 'outcome' | 'atDeadline'> {
  readonly look: (log: readonly OperationRecord[], lookMs: number) => void;
  readonly expire: () => void;
  readonly fail: (reason: Error) => void;
}

export class ProjectWatch {
  readonly #projectId: string;
  readonly #setting: WatchSetting;
  readonly #watched = new Map<string, WatchedOperation>();
  readonly #waits = new Set<Wait>();
  /** Log of the newest look, newest first. */
  #newest: readonly OperationRecord[] = [];
  /** No look before this time, after a look that failed. */
  #notBeforeMs = -Infinity;
  #quiet = { sinceMs: -Infinity, streak: 0 };
  #looking: AbortController | null = null;
  #stopTimer = (): void => undefined;

  constructor(projectId: string, setting: WatchSetting) {
    this.#projectId = projectId;
    this.#setting = setting;
  }

  settled(refs: readonly OperationRef[], options: WaitOptions): Promise<WaitOutcome> {
    const operations = refs.map((ref) =>
      this.#watch(
        recordOf(
          ref,
          this.#newest.find(({ id }) => id === ref.id),
        ),
      ),
    );
    const outcomeOf = (end: WaitOutcome['end']): WaitOutcome => ({
      end,
      operations: operations.map(({ record }) => record),
    });
    return this.#wait({
      options,
      operations,
      notBeforeMs: Infinity,
      outcome: (log, lookMs) => {
        for (const { lookedMs, record } of operations) if (lookedMs === lookMs) options.onLook?.(record);
        const own = log.filter((record) => options.isOwn?.(record) === true);
        for (const record of own)
          if (!operations.some(({ id }) => id === record.id)) operations.push(this.#watch(record, lookMs));
        const end = endOf(operations, options.last);
        return end === null ? null : outcomeOf(end);
      },
      atDeadline: () => outcomeOf(operations.some(({ end }) => end === 'failed') ? 'failed' : 'timed_out'),
    });
  }

  quiet(options: WaitOptions): Promise<boolean> {
    const nowMs = this.#setting.clock.monotonicMs();
    const streak = nowMs - this.#quiet.sinceMs < QUIET_STREAK_MS ? this.#quiet.streak + 1 : 0;
    this.#quiet = { ...this.#quiet, streak };
    const notBeforeMs = nowMs + Math.min(this.#setting.pollIntervalMs, QUIET_PAUSE_MS * 2 ** streak);
    const operations: WatchedOperation[] = [];
    return this.#wait({
      options,
      operations,
      notBeforeMs,
      outcome: (log, lookMs) => {
        const busy = log.filter(isBusy).map((record) => this.#watch(record, lookMs));
        operations.splice(0, Infinity, ...busy.filter(({ end }) => end === null));
        for (const { record } of operations) options.onLook?.(record);
        if (operations.length > 0 || lookMs < notBeforeMs) return null;
        this.#quiet = { ...this.#quiet, sinceMs: this.#setting.clock.monotonicMs() };
        return true;
      },
      atDeadline: () => false,
    });
  }

  readonly attend = (): void => {
    const { clock } = this.#setting;
    this.#stopTimer();
    const nowMs = clock.monotonicMs();
    for (const wait of this.#waits) if (nowMs >= wait.options.deadlineMs) wait.expire();
    if (this.#waits.size === 0) {
      this.#watched.clear();
      this.#looking?.abort(OVER);
      return;
    }
    if (this.#looking === null && this.#nextLookMs() <= nowMs) void this.#look();
    const deadlinesMs = [...this.#waits].map(({ options }) => options.deadlineMs);
    const nextMs = Math.min(...deadlinesMs, this.#looking === null ? this.#nextLookMs() : Infinity);
    // Whole milliseconds, because a timer that is early by a fraction would be set again and again.
    this.#stopTimer = clock.after(Math.ceil(nextMs - nowMs), this.attend);
  };

  #watch(record: OperationRecord, lookedMs: number | null = null): WatchedOperation {
    const known = this.#watched.get(record.id);
    if (known !== undefined) return known;
    const moment = this.#moment();
    const operation = { ...watchOf(record, moment), lookedMs };
    sight(operation, record, moment);
    this.#watched.set(record.id, operation);
    return operation;
  }

  #wait<T>({ outcome, atDeadline, ...kind }: WaitKind<T>): Promise<T> {
    const { signal } = kind.options;
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const end = (act: () => void): void => {
        if (!this.#waits.delete(wait)) return;
        stopListening();
        act();
      };
      const wait: Wait = {
        ...kind,
        look: (log, lookMs) => {
          const found = outcome(log, lookMs);
          if (found !== null) end(() => resolve(found));
        },
        expire: () => end(() => resolve(atDeadline())),
        fail: (reason) => end(() => reject(reason)),
      };
      const stopListening = onAbort(signal, () => {
        wait.fail(signal.reason as Error);
        this.attend();
      });
      this.#waits.add(wait);
      wait.look([], -Infinity);
      this.attend();
    });
  }

  #open(): readonly WatchedOperation[] {
    const all = [...this.#waits].flatMap(({ operations }) => operations);
    return [...new Set(all)].filter(({ end }) => end === null);
  }

  #nextLookMs(): number {
    const open = this.#open();
    const searches = open.length > 0 ? [] : [...this.#waits];
    const wantedMs = Math.min(togetherMs(open, this.#setting), ...searches.map(({ notBeforeMs }) => notBeforeMs));
    return Math.max(this.#notBeforeMs, wantedMs);
  }

  async #look(): Promise<void> {
    const { clock, pace, pollIntervalMs } = this.#setting;
    const looking = new AbortController();
    this.#looking = looking;
    try {
      await pace(looking.signal);
      await this.#lookNow(looking.signal);
    } catch (error) {
      if (looking.signal.aborted) return;
      // Without the right to look, no wait can end; any other failure passes.
      if (error instanceof ApiFailure && error.failureClass !== 'refused')
        this.#notBeforeMs = clock.monotonicMs() + pollIntervalMs;
      else for (const wait of this.#waits) wait.fail(error as Error);
    } finally {
      this.#looking = null;
      this.attend();
    }
  }

  async #lookNow(signal: AbortSignal): Promise<void> {
    const { clock, reader, durations, onLearnt } = this.#setting;
    const lookMs = clock.monotonicMs();
    const open = this.#open();
    const query = { projectId: this.#projectId, awaited: open.map(({ id }) => id), signal };
    const { operations: log, sightings } = await lookAtProject(reader, query);
    this.#newest = log;
    const isSooner = durations.learn([...sightings.values()].filter((sighting) => typeof sighting === 'object'));
    const moment = this.#moment();
    for (const operation of open) {
      operation.lookedMs = lookMs;
      sight(operation, sightings.get(operation.id) ?? 'unseen', moment, log);
    }
    for (const wait of this.#waits) wait.look(log, lookMs);
    if (isSooner) onLearnt();
  }

  #moment(): Moment {
    const { clock, failedGapMs } = this.#setting;
    return { monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs(), failedGapMs };
  }
}

/** Null until all have ended, because a failed operation does not show how the others end. */
function endOf(operations: readonly WatchedOperation[], last: string | undefined): WaitOutcome['end'] | null {
  if (operations.some(({ end }) => end === null)) return null;
  const hasFailed = ({ end, record }: WatchedOperation, at: number): boolean =>
    end === 'failed' && !(at > 0 && at === operations.length - 1 && isHarmless(record, last));
  if (operations.some(hasFailed)) return 'failed';
  return operations.some(({ end }) => end === 'vanished') ? 'vanished' : 'finished';
}

/** A client that connects cancels the suspension at the end of a change, and the change stands. */
function isHarmless({ action, status }: OperationRecord, last: string | undefined): boolean {
  return status === 'cancelled' && action === last;
}
