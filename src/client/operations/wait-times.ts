// The time of all waits on one project: one timer, for whichever deadline or heartbeat comes next.
import type { Clock } from '../../base/time/clock.ts';

/** Something that has to act at a moment, again and again until it is taken out. */
export interface Timed {
  /** Monotonic; it may come later than it was, never sooner. */
  readonly dueMs: number;
  /** Called when it is due. */
  keepTime(nowMs: number): void;
}

/** Why a nap ends early; nobody reads it, so it is made once. */
const AWAKE = new Error('the pause is over');

export class WaitTimes {
  readonly #clock: Clock;
  readonly #timed = new Set<Timed>();
  #isRunning = false;
  #nap: { readonly untilMs: number; readonly alarm: AbortController } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  nowMs(): number {
    return this.#clock.monotonicMs();
  }

  add(timed: Timed): void {
    this.#timed.add(timed);
    if (!this.#isRunning) void this.#run();
    else if (this.#nap !== null && timed.dueMs < this.#nap.untilMs) this.#nap.alarm.abort(AWAKE);
  }

  /** After the last one no timer is left. */
  remove(timed: Timed): void {
    this.#timed.delete(timed);
    if (this.#timed.size === 0) this.#nap?.alarm.abort(AWAKE);
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (this.#timed.size > 0) {
        const nowMs = this.nowMs();
        const untilMs = Math.min(...[...this.#timed].map(({ dueMs }) => dueMs));
        if (untilMs > nowMs) await this.#sleep(untilMs, nowMs);
        else for (const timed of this.#timed) if (timed.dueMs <= nowMs) timed.keepTime(nowMs);
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #sleep(untilMs: number, nowMs: number): Promise<void> {
    const alarm = new AbortController();
    this.#nap = { untilMs, alarm };
    // Whole milliseconds: a timer that is early by a fraction would be set again and again.
    await this.#clock.sleep(Math.ceil(untilMs - nowMs), alarm.signal).catch(() => undefined);
    this.#nap = null;
  }
}
