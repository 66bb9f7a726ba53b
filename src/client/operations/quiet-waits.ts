// Waits for a project to come to rest after it answered 423: until no operation of it is under way.
import type { Clock } from '../../base/time/clock.ts';
import type { OperationRecord } from '../../model/live.ts';
import { noteLook, togetherMs, type ScheduleSetting } from './look-schedule.ts';
import type { ProjectLook } from './project-look.ts';
import { Wait } from './wait.ts';
import type { WaitTimes } from './wait-times.ts';
import type { WaitOptions } from './waiting.ts';
import { isBusy } from '../../model/operations/status.ts';
import { watchRecord, type WatchedOperation } from './watched-operation.ts';

/**
 * The log is eventually consistent: right after a 423 it may already, or still, look quiet. So a pause comes before each
 * look, longer each time that a project which looked quiet turns out not to be.
 */
const PAUSE_MS = 300;
const PAUSE_GROWTH = 1.6;
const STREAK_GAP_MS = 2000;

interface QuietWait {
  readonly wait: Wait<boolean>;
  readonly notBeforeMs: number;
}

export class QuietWaits {
  readonly #setting: ScheduleSetting & { readonly clock: Clock };
  readonly #times: WaitTimes;
  readonly #onEnd: () => void;
  readonly #waits = new Set<QuietWait>();
  /** Operations under way that are not watched otherwise. */
  #others = new Map<string, WatchedOperation>();
  #busy: readonly OperationRecord[] = [];
  #streak = 0;
  #quietSinceMs = Number.NEGATIVE_INFINITY;

  constructor(setting: ScheduleSetting & { readonly clock: Clock }, times: WaitTimes, onEnd: () => void) {
    this.#setting = setting;
    this.#times = times;
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#waits.size;
  }

  add(options: WaitOptions): Promise<boolean> {
    const { clock, pollIntervalMs, durations } = this.#setting;
    const nowMs = clock.monotonicMs();
    this.#streak = nowMs - this.#quietSinceMs < STREAK_GAP_MS ? this.#streak + 1 : 0;
    const pauseMs = Math.min(pollIntervalMs, PAUSE_MS * PAUSE_GROWTH ** this.#streak);
    const wait = new Wait<boolean>(this.#times, options, {
      atDeadline: () => false,
      atHeartbeat: () => this.#busy,
      expectedMs: (action) => durations.expectedMs(action),
      atEnd: () => {
        this.#waits.delete(entry);
        if (this.#waits.size === 0) this.#others.clear();
        this.#onEnd();
      },
    });
    const entry: QuietWait = { wait, notBeforeMs: nowMs + pauseMs };
    this.#waits.add(entry);
    wait.start();
    return wait.outcome;
  }

  /** When the next look is due, given the operations watched anyway. */
  dueMs(watched: readonly WatchedOperation[]): number {
    if (this.#waits.size === 0) return Number.POSITIVE_INFINITY;
    const notBeforeMs = Math.min(...[...this.#waits].map((entry) => entry.notBeforeMs));
    const watchedIds = new Set(watched.map(({ id }) => id));
    const others = [...this.#others.values()].filter(({ id }) => !watchedIds.has(id));
    const dueMs = togetherMs([...watched, ...others], this.#setting);
    return Math.max(notBeforeMs, Number.isFinite(dueMs) ? dueMs : notBeforeMs);
  }

  takeIn(look: ProjectLook, lookMs: number): void {
    if (this.#waits.size === 0) return;
    this.#busy = look.operations.filter(isBusy);
    this.#rememberOthers(lookMs);
    for (const entry of this.#waits) {
      entry.wait.tell(this.#busy);
      if (this.#busy.length > 0 || lookMs < entry.notBeforeMs) continue;
      this.#quietSinceMs = this.#setting.clock.monotonicMs();
      entry.wait.end(true);
    }
  }

  fail(error: unknown): void {
    for (const { wait } of this.#waits) wait.fail(error);
  }

  #rememberOthers(lookMs: number): void {
    const { clock, durations } = this.#setting;
    const moment = { monotonicMs: clock.monotonicMs(), wallMs: clock.nowMs() };
    const before = this.#others;
    this.#others = new Map();
    for (const record of this.#busy) {
      const operation = before.get(record.id) ?? watchRecord(record, moment);
      noteLook(operation, lookMs, durations);
      this.#others.set(record.id, operation);
    }
  }
}
