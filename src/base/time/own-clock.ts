// A clock of one's own: it goes as another one does, but can be set forward and stopped. It never steps back.
import { isoTime, type Clock } from './clock.ts';

export interface ClockState {
  /** The time that the clock shows, ISO 8601. */
  readonly now: string;
  /** How far it is ahead of the clock that it follows, milliseconds. */
  readonly ahead_ms: number;
  readonly frozen: boolean;
}

/** Pauses pass as in the clock that it follows: only its dates are its own. */
export class OwnClock implements Clock {
  readonly #followed: Clock;
  #aheadMs: number;
  #frozenMs: number | undefined;

  /** It begins at `atLeastMs`, where the clock that it follows is not there yet. */
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

  /** True if it was set forward or stood still, so that its time differs from the clock that it follows. */
  get isSet(): boolean {
    return this.#frozenMs !== undefined || Math.abs(this.#aheadMs) >= LEAST_APART_MS;
  }

  get state(): ClockState {
    const nowMs = this.nowMs();
    const aheadMs = Math.round(nowMs - this.#followed.nowMs());
    return { now: isoTime(nowMs), ahead_ms: aheadMs, frozen: this.#frozenMs !== undefined };
  }

  /** Throws RangeError for a time that has passed, or that no calendar has. */
  setForward(toMs: number): void {
    const nowMs = this.nowMs();
    if (!(toMs >= nowMs)) throw new RangeError(`the clock shows ${isoTime(nowMs)} and is not set back`);
    if (toMs > LATEST_MS) throw new RangeError('the clock is not set beyond the year 9999');
    if (this.#frozenMs === undefined) this.#aheadMs += toMs - nowMs;
    else this.#frozenMs = toMs;
  }

  /** Stops the clock, or lets it go on from where it stands. */
  freeze(isFrozen: boolean = true): void {
    const nowMs = this.nowMs();
    this.#frozenMs = isFrozen ? nowMs : undefined;
    if (!isFrozen) this.#aheadMs = nowMs - this.#followed.nowMs();
  }
}

/** Dates in replies tell whole seconds. */
const LEAST_APART_MS = 1000;
const LATEST_MS = Date.UTC(9999, 11, 31);
