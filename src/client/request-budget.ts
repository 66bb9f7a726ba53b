// The pace of requests: so many in a minute, a fifteenth of that in a second, less for a while after the service complains.
import type { Clock } from '../base/clock.ts';
import { onAbort } from '../base/on-abort.ts';

const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
/** Complaints that arrive together, about requests sent before the first of them, count as one. */
const COMPLAINT_GAP_MS = 1000;
const SMALLEST_SHARE = 1 / 16;
/** Time in which a halved pace is whole again is half of this. */
const RECOVERY_MS = 120_000;

export interface RequestBudget {
  /** Null when the request may be sent at once; else resolves at its turn, or rejects with the signal's reason. First come, first served. */
  take(signal: AbortSignal): Promise<void> | null;
  /** The service answered 429: the pace is halved, and recovers over a minute. */
  complain(): void;
}

/** The budget of `requestsPerMinute`; Infinity is no limit and costs nothing. */
export function createRequestBudget(options: { clock: Clock; requestsPerMinute: number }): RequestBudget {
  return Number.isFinite(options.requestsPerMinute)
    ? new PacedBudget(options.clock, Math.max(1, Math.floor(options.requestsPerMinute)))
    : { take: () => null, complain: () => undefined };
}

class PacedBudget implements RequestBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #waiting = new Set<() => void>();
  #grantsMs: number[] = [];
  #share = 1;
  #shareSinceMs = Number.NEGATIVE_INFINITY;
  #pumping: AbortController | null = null;

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  take(signal: AbortSignal): Promise<void> | null {
    if (this.#waiting.size === 0 && this.#nextTurnMs() <= this.#clock.monotonicMs()) {
      this.#grant();
      return null;
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        if (this.#waiting.size === 0) this.#pumping?.abort();
        reject(signal.reason as Error);
      };
      const enter = (): void => {
        deafen();
        resolve();
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const deafen = onAbort(signal, leave);
      this.#waiting.add(enter);
      if (this.#pumping === null) void this.#pump();
    });
  }

  complain(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#shareSinceMs < COMPLAINT_GAP_MS) return;
    this.#share = Math.max(SMALLEST_SHARE, this.#currentShare() / 2);
    this.#shareSinceMs = nowMs;
  }

  #currentShare(): number {
    return Math.min(1, this.#share + (this.#clock.monotonicMs() - this.#shareSinceMs) / RECOVERY_MS);
  }

  /** The earliest moment at which neither the minute's nor the second's allowance is exceeded. */
  #nextTurnMs(): number {
    const perMinute = Math.max(1, Math.floor(this.#perMinute * this.#currentShare()));
    const perSecond = Math.max(1, Math.floor(perMinute / 15));
    const bound = (count: number, windowMs: number): number =>
      (this.#grantsMs.at(-count) ?? Number.NEGATIVE_INFINITY) + windowMs;
    return Math.max(bound(perMinute, MINUTE_MS), bound(perSecond, SECOND_MS));
  }

  #grant(): void {
    this.#grantsMs.push(this.#clock.monotonicMs());
    if (this.#grantsMs.length > 2 * this.#perMinute + 100) this.#grantsMs = this.#grantsMs.slice(-this.#perMinute);
  }

  async #pump(): Promise<void> {
    const pump = new AbortController();
    this.#pumping = pump;
    try {
      for (;;) {
        const [next] = this.#waiting;
        if (next === undefined) return;
        const pauseMs = this.#nextTurnMs() - this.#clock.monotonicMs();
        if (pauseMs > 0) await this.#clock.sleep(Math.ceil(pauseMs), pump.signal);
        else {
          this.#waiting.delete(next);
          this.#grant();
          next();
        }
      }
    } catch (error) {
      if (!pump.signal.aborted) throw error;
    } finally {
      this.#pumping = null;
      if (this.#waiting.size > 0) void this.#pump();
    }
  }
}
