// Limits the pace of requests by the minute and the second, and slows down for a while after a 429.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import {
  BURSTS_IN_A_MINUTE,
  COMPLAINT_GAP_MS,
  COMPLAINT_RECOVERY_MS,
  SLOWEST_SHARE,
  TRAVEL_MS,
} from '../../model/operations/timing.ts';

const MINUTE_MS = 60_000 + TRAVEL_MS;
const SECOND_MS = 1000 + TRAVEL_MS;

export interface RequestBudget {
  /** Grants turns in order; a write that has read the live state goes first, so that its reading stays fresh. Rejects with the signal's reason. */
  take(signal: AbortSignal, isLookedAt?: boolean): Promise<void>;
  isFull(): boolean;
  /** Called after a 429: halves the pace, which recovers within a minute. */
  complain(): void;
}

export function createRequestBudget(options: { clock: Clock; requestsPerMinute: number }): RequestBudget {
  return Number.isFinite(options.requestsPerMinute)
    ? new PacedBudget(options.clock, Math.max(1, Math.floor(options.requestsPerMinute)))
    : { take: async () => undefined, isFull: () => false, complain: () => undefined };
}

type Admit = () => void;

class PacedBudget implements RequestBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #first: Admit[] = [];
  readonly #others: Admit[] = [];
  #turnsMs: number[] = [];
  #share = 1;
  #shareSinceMs = -Infinity;
  #stopTimer = (): void => undefined;

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  async take(signal: AbortSignal, isLookedAt = false): Promise<void> {
    if (!this.isFull()) return this.#grant();
    signal.throwIfAborted();
    const line = isLookedAt ? this.#first : this.#others;
    return new Promise((resolve, reject) => {
      const admit = (): void => {
        stopListening();
        resolve(this.#grant());
      };
      const stopListening = onAbort(signal, () => {
        line.splice(line.indexOf(admit), 1);
        reject(signal.reason as Error);
        this.#admit();
      });
      line.push(admit);
      this.#admit();
    });
  }

  isFull(): boolean {
    return this.#first.length + this.#others.length > 0 || this.#nextMs() > this.#clock.monotonicMs();
  }

  complain(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#shareSinceMs < COMPLAINT_GAP_MS) return;
    this.#share = Math.max(SLOWEST_SHARE, this.#currentShare() / 2);
    this.#shareSinceMs = nowMs;
  }

  #grant(): void {
    this.#turnsMs.push(this.#clock.monotonicMs());
    if (this.#turnsMs.length > 2 * this.#perMinute + 100) this.#turnsMs = this.#turnsMs.slice(-this.#perMinute);
  }

  #admit(): void {
    this.#stopTimer();
    for (let next = this.#first[0] ?? this.#others[0]; next !== undefined; next = this.#first[0] ?? this.#others[0]) {
      const waitMs = this.#nextMs() - this.#clock.monotonicMs();
      if (waitMs > 0) {
        this.#stopTimer = this.#clock.after(Math.ceil(waitMs), () => this.#admit());
        return;
      }
      (this.#first.length > 0 ? this.#first : this.#others).shift();
      next();
    }
  }

  #currentShare(): number {
    return Math.min(1, this.#share + (this.#clock.monotonicMs() - this.#shareSinceMs) / COMPLAINT_RECOVERY_MS);
  }

  #nextMs(): number {
    const perMinute = Math.max(1, Math.floor(this.#perMinute * this.#currentShare()));
    const perSecond = Math.max(1, Math.floor(perMinute / BURSTS_IN_A_MINUTE));
    return Math.max(this.#roomMs(perMinute, MINUTE_MS), this.#roomMs(perSecond, SECOND_MS));
  }

  #roomMs(count: number, windowMs: number): number {
    return (this.#turnsMs.at(-count) ?? -Infinity) + windowMs;
  }
}
