// A clock that jumps: simulations and tests live through hours in milliseconds.
import { setImmediate as macrotask } from 'node:timers/promises';
import { sleepOn, systemClock, type Clock } from '../../src/base/time/clock.ts';

interface Timer {
  readonly dueMs: number;
  readonly act: () => void;
}

/** Real time with nothing under way after which the work counts as stuck: loading code from disk may take a while. */
const DEADLOCK_MS = 45_000;
/** Real time after which waiting leaves the processor to what is waited for. */
const PATIENCE_MS = 5;

/** Times on a grid of 1/1024 ms add up exactly, so that no pause is too short to move the clock: that would be an endless loop. */
function ontoGrid(ms: number): number {
  return Math.ceil(Math.max(0, ms) * 1024) / 1024;
}

/** A Clock whose time passes only while `run` or `advance` drives it. */
export class VirtualClock implements Clock {
  #nowMs: number;
  readonly #startMs: number;
  #timers: Timer[] = [];

  readonly #isBusy: () => boolean;
  readonly #real: Clock;

  /** `isBusy` tells that something real (a file, a child process) is under way: time stands still until it has ended. */
  constructor(startMs: number = Date.UTC(2026, 0, 1), isBusy: () => boolean = () => false, real: Clock = systemClock) {
    this.#nowMs = startMs;
    this.#startMs = startMs;
    this.#isBusy = isBusy;
    this.#real = real;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs - this.#startMs;
  }

  /** How many timers have neither rung nor been taken back. */
  get openTimers(): number {
    return this.#timers.length;
  }

  after(ms: number, act: () => void): () => void {
    if (ms === Infinity) return () => undefined;
    const timer: Timer = { dueMs: this.#nowMs + ontoGrid(ms), act };
    this.#insert(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  /** Drives time until `work` settles; throws when nothing is left that could wake it. */
  async run<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const mark = (): void => {
      settled = true;
    };
    work.then(mark, mark);
    let stillSinceMs: number | null = null;
    let idleSinceMs: number | null = null;
    for (;;) {
      await macrotask();
      if (settled) return work;
      const isBusy = this.#isBusy();
      if (!isBusy && this.#wakeNext()) {
        stillSinceMs = null;
        idleSinceMs = null;
        continue;
      }
      const realMs = this.#real.monotonicMs();
      stillSinceMs ??= realMs;
      idleSinceMs = isBusy ? null : (idleSinceMs ?? realMs);
      if (idleSinceMs !== null && realMs - idleSinceMs > DEADLOCK_MS)
        throw new Error(`deadlock: nothing left to wake at t=${this.monotonicMs()} ms`);
      if (realMs - stillSinceMs > PATIENCE_MS) await this.#real.sleep(1);
    }
  }

  /** Lets `ms` pass, waking every timer that falls due, in order. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      await macrotask();
      const next = this.#timers[0];
      if (next === undefined || next.dueMs > endMs) break;
      this.#wakeNext();
    }
    this.#nowMs = endMs;
    await macrotask();
  }

  #insert(timer: Timer): void {
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1]?.dueMs ?? 0) > timer.dueMs) at--;
    this.#timers.splice(at, 0, timer);
  }

  #wakeNext(): boolean {
    const timer = this.#timers.shift();
    if (timer === undefined) return false;
    this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
    timer.act();
    return true;
  }
}
