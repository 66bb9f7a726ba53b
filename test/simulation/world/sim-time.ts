// Time of a simulated world: one scale for all, a clock for each process, and no timer of a dead process ever rings.
import { nextTick } from 'node:process';
import { sleepOn, type Clock } from '../../../src/base/time/clock.ts';

/** What a clock belongs to: the timers of a dead one never ring. */
export interface Mortal {
  readonly isDead: boolean;
}

interface Timer {
  readonly dueMs: number;
  readonly owner: Mortal;
  readonly act: () => void;
}

const START_MS: number = Date.UTC(2026, 0, 1);

/** Rounds of the event loop without a timer after which a world counts as stuck. */
const STUCK_ROUNDS = 200;
/** Times on a grid of 1/1024 ms add up exactly, so that no pause is too short to move the clock. */
const GRID = 1024;

/** Resolves when all promises that can settle have settled: nothing in a simulated world waits for the machine. */
async function quiet(): Promise<void> {
  return new Promise((resolve) => {
    nextTick(resolve);
  });
}

const EVERLASTING: Mortal = { isDead: false };

/** Virtual time that passes only while `run` drives it. */
export class SimTime {
  #nowMs = START_MS;
  readonly #timers: Timer[] = [];

  get nowMs(): number {
    return this.#nowMs;
  }

  /** A clock of `owner`; its wall time is off by what `skewMs` says, its monotonic time never. */
  clockOf(owner: Mortal = EVERLASTING, skewMs: () => number = () => 0): Clock {
    const clock: Clock = {
      nowMs: () => this.#nowMs + skewMs(),
      monotonicMs: () => this.#nowMs - START_MS,
      after: (ms, act) => this.#after(ms, owner, act),
      sleep: async (ms, signal) => sleepOn(clock, ms, signal),
    };
    return clock;
  }

  /** How many timers of `owner` have neither rung nor been taken back. */
  openTimersOf(owner: Mortal): number {
    return this.#timers.filter((timer) => timer.owner === owner).length;
  }

  /** Drives time until `work` settles. Throws when nothing is left that could wake it, or `limitMs` have passed. */
  async run<T>(work: Promise<T>, limitMs: number): Promise<T> {
    const endMs = this.#nowMs + limitMs;
    let isSettled = false;
    const mark = (): void => {
      isSettled = true;
    };
    work.then(mark, mark);
    for (let idle = 0; ; idle++) {
      await quiet();
      if (isSettled) return work;
      if (this.#wakeNext(endMs)) idle = 0;
      else if (idle > STUCK_ROUNDS) throw new Error(`stuck: nothing left to wake at t=${this.#nowMs - START_MS} ms`);
    }
  }

  #after(ms: number, owner: Mortal, act: () => void): () => void {
    if (ms === Infinity) return () => undefined;
    const timer: Timer = { dueMs: this.#nowMs + Math.ceil(Math.max(0, ms) * GRID) / GRID, owner, act };
    let at = this.#timers.length;
    while (at > 0 && (this.#timers[at - 1]?.dueMs ?? 0) > timer.dueMs) at--;
    this.#timers.splice(at, 0, timer);
    return () => {
      const found = this.#timers.indexOf(timer);
      if (found >= 0) this.#timers.splice(found, 1);
    };
  }

  #wakeNext(endMs: number): boolean {
    for (let timer = this.#timers.shift(); timer !== undefined; timer = this.#timers.shift()) {
      if (timer.owner.isDead) continue;
      if (timer.dueMs > endMs) throw new Error(`endless: still going on at t=${timer.dueMs - START_MS} ms`);
      this.#nowMs = Math.max(this.#nowMs, timer.dueMs);
      timer.act();
      return true;
    }
    return false;
  }
}
