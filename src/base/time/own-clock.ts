// A clock that follows another clock, and that can be set forward or frozen but not set back.
import { isoTime, type Clock } from './clock.ts';

export interface ClockState {
  /** The time that the clock shows, as ISO 8601. */
  readonly now: string;
  /** Milliseconds by which this clock is ahead of the followed clock. */
  readonly ahead_ms: number;
  readonly frozen: boolean;
}

/** Only the dates differ from the followed clock: timers and durations are those of the followed clock. */
export class OwnClock implements Clock {
  readonly #followed: Clock;
  #aheadMs: number;
  #frozenMs: number | undefined;

  constructor(followed: Clock, atLeastMs: number = -Infinity) {
    this.#followed = followed;
    this.#aheadMs = Math.max(0, atLeastMs - followed.nowMs());
  }

  nowMs(): number {
    return this.#frozenMs ?? this.#followed.nowMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return this.#followed.monotonicMs();
  }

  after(ms: number, act: () => void): () => void {
    return this.#followed.after(ms, act);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#followed.sleep(ms, signal);
  }

  get isSet(): boolean {
    return this.#frozenMs !== undefined || Math.abs(this.#aheadMs) >= LEAST_APART_MS;
  }

  get state(): ClockState {
    const nowMs = this.nowMs();
    const aheadMs = Math.round(nowMs - this.#followed.nowMs());
    return { now: isoTime(nowMs), ahead_ms: aheadMs, frozen: this.#frozenMs !== undefined };
  }

  /** Throws RangeError for a time in the past, a time beyond the year 9999, or NaN. */
  setForward(toMs: number): void {
    const nowMs = this.nowMs();
    if (!(toMs >= nowMs)) throw new RangeError(`the clock shows ${isoTime(nowMs)} and is not set back`);
    if (toMs > LATEST_MS) throw new RangeError('the clock is not set beyond the year 9999');
    if (this.#frozenMs === undefined) this.#aheadMs += toMs - nowMs;
    else this.#frozenMs = toMs;
  }

  /** Freezes the clock, or lets it run on from the time that it shows. */
  freeze(isFrozen: boolean = true): void {
    const nowMs = this.nowMs();
    this.#frozenMs = isFrozen ? nowMs : undefined;
    if (!isFrozen) this.#aheadMs = nowMs - this.#followed.nowMs();
  }
}

/** Dates in replies have whole seconds, so a smaller difference does not show. */
const LEAST_APART_MS = 1000;
const LATEST_MS = Date.UTC(9999, 11, 31);
