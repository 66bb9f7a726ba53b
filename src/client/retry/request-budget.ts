// The pace of requests: so many in a minute, a fifteenth of that in a second, less for a while after the service complains.
// A request counts from when it is sent, not from its turn: in between a connection may have to be made, or a file be written.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';

/** Requests do not all travel equally long: what is a second apart here may arrive closer together. */
const TRAVEL_MS = 100;
const MINUTE_MS = 60_000 + TRAVEL_MS;
const SECOND_MS = 1000 + TRAVEL_MS;
/** Complaints that arrive together, about requests sent before the first of them, count as one. */
const COMPLAINT_GAP_MS = 1000;
/** A timer that is so late does not put off those after it. */
const LATE_MS = 50;
const SMALLEST_SHARE = 1 / 16;
/** Time in which a halved pace is whole again is half of this. */
const RECOVERY_MS = 120_000;
/** Why a pause ends early; nobody reads it, so it is made once. */
const OVER = new Error('things have changed');

export interface RequestBudget {
  /** Null when the request may be sent at once; else resolves at its turn, or rejects with the signal's reason. First come, first served. */
  take(signal: AbortSignal): Promise<void> | null;
  /** A request that had its turn is sent now: until then it counts as being about to be. */
  sent(): void;
  /** A turn is given back unused: it does not count. */
  giveBack(): void;
  /** A request that had its turn has ended without a call of `sent`: it counts from its turn. */
  ended(): void;
  /** The service answered 429: the pace is halved, and recovers over a minute. */
  complain(): void;
}

/** The budget of `requestsPerMinute`; Infinity is no limit and costs nothing. */
export function createRequestBudget(options: { clock: Clock; requestsPerMinute: number }): RequestBudget {
  return Number.isFinite(options.requestsPerMinute)
    ? new PacedBudget(options.clock, Math.max(1, Math.floor(options.requestsPerMinute)))
    : {
        take: () => null,
        sent: () => undefined,
        giveBack: () => undefined,
        ended: () => undefined,
        complain: () => undefined,
      };
}

class PacedBudget implements RequestBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  readonly #waiting = new Set<() => void>();
  /** Turns of requests that are not sent yet, oldest first. */
  readonly #grantedMs: number[] = [];
  /** When the others were sent, oldest first. */
  #sentMs: number[] = [];
  #share = 1;
  #shareSinceMs = Number.NEGATIVE_INFINITY;
  /** After one that had to wait, monotonic: they follow each other evenly, not as the bursts in which the allowance comes back. */
  #nextAfterMs = Number.NEGATIVE_INFINITY;
  /** Ends the pause of the pump; null while nobody waits. */
  #pause: AbortController | null = null;

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
      const giveUp = (): void => {
        this.#waiting.delete(admit);
        if (this.#waiting.size === 0) this.#pause?.abort(OVER);
        reject(signal.reason as Error);
      };
      const admit = (): void => {
        stopListening();
        resolve();
      };
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stopListening = onAbort(signal, giveUp);
      this.#waiting.add(admit);
      if (this.#pause === null) void this.#pump();
    });
  }

  sent(): void {
    if (this.#grantedMs.shift() === undefined) return;
    this.#sentMs.push(this.#clock.monotonicMs());
    this.#settled();
  }

  giveBack(): void {
    this.#grantedMs.pop();
    this.#settled();
  }

  ended(): void {
    const atMs = this.#grantedMs.shift();
    if (atMs === undefined) return;
    const later = this.#sentMs.length - 1 - this.#sentMs.findLastIndex((sentMs) => sentMs <= atMs);
    this.#sentMs.splice(this.#sentMs.length - later, 0, atMs);
    this.#settled();
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

  /** The earliest moment at which neither the minute's nor the second's allowance is exceeded, as things stand. */
  #nextTurnMs(): number {
    // A request that is neither sent nor ended counts no longer than a minute.
    while ((this.#grantedMs[0] ?? Infinity) + MINUTE_MS <= this.#clock.monotonicMs()) this.#grantedMs.shift();
    const { perMinute, perSecond } = this.#pace();
    return Math.max(this.#nextAfterMs, this.#bound(perMinute, MINUTE_MS), this.#bound(perSecond, SECOND_MS));
  }

  #pace(): { readonly perMinute: number; readonly perSecond: number } {
    const perMinute = Math.max(1, Math.floor(this.#perMinute * this.#currentShare()));
    return { perMinute, perSecond: Math.max(1, Math.floor(perMinute / 15)) };
  }

  /** From when on there is room for one more among `count` in a window. */
  #bound(count: number, windowMs: number): number {
    const granted = this.#grantedMs.length;
    if (granted >= count) return (this.#grantedMs[granted - count] ?? 0) + MINUTE_MS;
    return (this.#sentMs.at(granted - count) ?? Number.NEGATIVE_INFINITY) + windowMs;
  }

  #grant(): void {
    this.#grantedMs.push(this.#clock.monotonicMs());
  }

  #settled(): void {
    if (this.#sentMs.length > 2 * this.#perMinute + 100) this.#sentMs = this.#sentMs.slice(-this.#perMinute);
    this.#pause?.abort(OVER);
  }

  async #pump(): Promise<void> {
    for (;;) {
      const pause = new AbortController();
      this.#pause = pause;
      const [next] = this.#waiting;
      if (next === undefined) break;
      const pauseMs = this.#nextTurnMs() - this.#clock.monotonicMs();
      if (pauseMs > 0) {
        await this.#clock.sleep(Math.ceil(pauseMs), pause.signal).catch((error: unknown) => {
          if (error !== OVER) throw error;
        });
        continue;
      }
      this.#waiting.delete(next);
      const nowMs = this.#clock.monotonicMs();
      const fromMs = nowMs - this.#nextAfterMs < LATE_MS ? this.#nextAfterMs : nowMs;
      this.#nextAfterMs = fromMs + SECOND_MS / this.#pace().perSecond;
      this.#grant();
      next();
    }
    this.#pause = null;
  }
}
