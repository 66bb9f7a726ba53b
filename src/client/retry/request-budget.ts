// The pace of requests: so many in a minute, a fifteenth of that in a second, less for a while after the service complains.
// A request counts from when it is sent, not from its turn: in between a connection may have to be made, or a file be written.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import type { Turn } from '../types.ts';

/** Requests do not all travel equally long: what is a second apart here may arrive closer together. */
const TRAVEL_MS = 100;
const MINUTE_MS = 60_000 + TRAVEL_MS;
const SECOND_MS = 1000 + TRAVEL_MS;
/** Complaints that arrive together, about requests sent before the first of them, count as one. */
const COMPLAINT_GAP_MS = 1000;
/** A timer that is so late does not put off those after it. */
const LATE_MS = 50;
/** Room is kept for a turn that is held as long as so many turns take, and so long at least. */
const KEPT_TURNS = 15;
const KEPT_MS = 5000;
const SMALLEST_SHARE = 1 / 16;
/** Time in which a halved pace is whole again is half of this. */
const RECOVERY_MS = 120_000;
/** Why a pause ends early; nobody reads it, so it is made once. */
const OVER = new Error('things have changed');

/** Turns are given at once where there is room, and else in the order of asking. Who waits rejects with the signal's reason. */
export interface RequestBudget {
  /** For a request that is sent right away. */
  take(signal: AbortSignal): Turn | Promise<Turn>;
  /** For one that other requests precede: room is kept for it for a while, and once it is `due` it goes before those that have no turn yet. */
  hold(signal: AbortSignal): Turn | Promise<Turn>;
  /** The service answered 429: the pace is halved, and recovers over a minute. */
  complain(): void;
}

const UNLIMITED: Turn = { due: () => null, sent: () => undefined, ended: () => undefined, giveBack: () => undefined };

/** The budget of `requestsPerMinute`; Infinity is no limit and costs nothing. */
export function createRequestBudget(options: { clock: Clock; requestsPerMinute: number }): RequestBudget {
  return Number.isFinite(options.requestsPerMinute)
    ? new PacedBudget(options.clock, Math.max(1, Math.floor(options.requestsPerMinute)))
    : { take: () => UNLIMITED, hold: () => UNLIMITED, complain: () => undefined };
}

interface Waiting {
  /** Asks for a turn to hold. */
  readonly isHold: boolean;
  readonly admit: () => void;
}

/** A turn that is held. */
interface Hold {
  readonly sinceMs: number;
}

class PacedBudget implements RequestBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  /** Those without a turn. */
  readonly #waiting = new Set<Waiting>();
  /** Those whose turn was held, and who would send now. */
  readonly #due = new Set<Waiting>();
  /** Oldest first. */
  readonly #holds = new Set<Hold>();
  /** Turns whose requests are about to be sent. */
  #sending = 0;
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

  take(signal: AbortSignal): Turn | Promise<Turn> {
    return this.#ask(false, signal);
  }

  hold(signal: AbortSignal): Turn | Promise<Turn> {
    return this.#ask(true, signal);
  }

  complain(): void {
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - this.#shareSinceMs < COMPLAINT_GAP_MS) return;
    this.#share = Math.max(SMALLEST_SHARE, this.#currentShare() / 2);
    this.#shareSinceMs = nowMs;
  }

  #ask(isHold: boolean, signal: AbortSignal): Turn | Promise<Turn> {
    const isAlone = this.#waiting.size === 0 && this.#due.size === 0;
    if (isAlone && (!isHold || this.#mayHold()) && this.#nextTurnMs() <= this.#clock.monotonicMs())
      return this.#grant(isHold);
    return this.#inLine(this.#waiting, { isHold, grant: () => this.#grant(isHold) }, signal);
  }

  #grant(isHold: boolean): Turn {
    let atMs = this.#clock.monotonicMs();
    let hold: Hold | null = isHold ? { sinceMs: atMs } : null;
    let isOver = false;
    if (hold === null) this.#sending++;
    else this.#holds.add(hold);
    const letGo = (): void => {
      if (isOver || hold === null) return;
      this.#holds.delete(hold);
      hold = null;
      this.#sending++;
      atMs = this.#clock.monotonicMs();
    };
    const end = (sentMs: number | null): void => {
      if (isOver) return;
      isOver = true;
      if (hold === null) this.#sending--;
      else this.#holds.delete(hold);
      if (sentMs !== null) this.#count(sentMs);
      this.#pause?.abort(OVER);
    };
    return {
      due: (signal) => {
        const mustWait = this.#due.size > 0 || this.#dueMs() > this.#clock.monotonicMs();
        if (!isOver && hold !== null && mustWait)
          return this.#inLine(this.#due, { isHold: false, grant: letGo }, signal);
        letGo();
        return null;
      },
      sent: () => end(this.#clock.monotonicMs()),
      ended: () => end(atMs),
      giveBack: () => end(null),
    };
  }

  #count(sentMs: number): void {
    this.#sentMs.splice(this.#sentMs.findLastIndex((earlierMs) => earlierMs <= sentMs) + 1, 0, sentMs);
    if (this.#sentMs.length > 2 * this.#perMinute + 100) this.#sentMs = this.#sentMs.slice(-this.#perMinute);
  }

  #inLine<T>(
    line: Set<Waiting>,
    { isHold, grant }: { readonly isHold: boolean; readonly grant: () => T },
    signal: AbortSignal,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const stopListening = onAbort(signal, () => {
        line.delete(waiting);
        this.#pause?.abort(OVER);
        reject(signal.reason as Error);
      });
      const waiting = {
        isHold,
        admit: (): void => {
          line.delete(waiting);
          stopListening();
          resolve(grant());
        },
      };
      line.add(waiting);
      if (this.#pause === null) void this.#pump();
      else this.#pause.abort(OVER);
    });
  }

  #currentShare(): number {
    return Math.min(1, this.#share + (this.#clock.monotonicMs() - this.#shareSinceMs) / RECOVERY_MS);
  }

  #pace(): { readonly perMinute: number; readonly perSecond: number } {
    const perMinute = Math.max(1, Math.floor(this.#perMinute * this.#currentShare()));
    return { perMinute, perSecond: Math.max(1, Math.floor(perMinute / 15)) };
  }

  /** The earliest moment at which neither the minute's nor the second's allowance is exceeded, as things stand. */
  #nextTurnMs(): number {
    const { perMinute, perSecond } = this.#pace();
    const held = this.#kept().length;
    return Math.max(
      this.#nextAfterMs,
      this.#roomMs(perMinute, MINUTE_MS, held),
      this.#roomMs(perSecond, SECOND_MS, held),
    );
  }

  /** The same for a turn that was held: that the service has complained since does not take away the room in its minute. */
  #dueMs(): number {
    return Math.max(this.#roomMs(this.#perMinute, MINUTE_MS, 0), this.#roomMs(this.#pace().perSecond, SECOND_MS, 0));
  }

  /** From when on there is room for one more among `count` in a window: beside what is held for one at least, which is what precedes that. */
  #roomMs(count: number, windowMs: number, held: number): number {
    const unsent = this.#sending + Math.min(held, count - 1);
    if (unsent >= count) return Number.POSITIVE_INFINITY;
    return (this.#sentMs.at(unsent - count) ?? Number.NEGATIVE_INFINITY) + windowMs;
  }

  /** The holds for which room is kept, oldest first. */
  #kept(): readonly Hold[] {
    const nowMs = this.#clock.monotonicMs();
    const keepsMs = this.#keepsMs();
    return [...this.#holds].filter(({ sinceMs }) => sinceMs + keepsMs > nowMs);
  }

  /** So long room is kept for a turn that is held: whoever reads for longer waits for it again. */
  #keepsMs(): number {
    return Math.max(KEPT_MS, (KEPT_TURNS * MINUTE_MS) / this.#pace().perMinute);
  }

  /** Not all turns of a second are held: whoever holds one is about to read. */
  #mayHold(): boolean {
    return this.#kept().length < Math.max(1, Math.floor(this.#pace().perSecond / 2));
  }

  /** Who goes next, in the order of asking: one that may not be held yet lets others pass. */
  #next(): Waiting | undefined {
    const [due] = this.#due;
    if (due !== undefined) return due;
    const mayHold = this.#mayHold();
    for (const waiting of this.#waiting) if (mayHold || !waiting.isHold) return waiting;
    return undefined;
  }

  async #pump(): Promise<void> {
    while (this.#waiting.size > 0 || this.#due.size > 0) {
      const pause = new AbortController();
      this.#pause = pause;
      const nowMs = this.#clock.monotonicMs();
      const next = this.#next();
      const isDue = this.#due.size > 0;
      const goesMs = isDue ? this.#dueMs() : this.#nextTurnMs();
      if (next !== undefined && goesMs <= nowMs) {
        if (!isDue) {
          const fromMs = nowMs - this.#nextAfterMs < LATE_MS ? this.#nextAfterMs : nowMs;
          this.#nextAfterMs = fromMs + SECOND_MS / this.#pace().perSecond;
        }
        next.admit();
        continue;
      }
      // Whatever is sent, ends or is given back ends the pause.
      const freeMs = (this.#kept()[0]?.sinceMs ?? nowMs) + this.#keepsMs();
      const untilMs = Math.min(next === undefined ? Infinity : goesMs, freeMs);
      await this.#clock.sleep(Math.ceil(untilMs - nowMs), pause.signal).catch((error: unknown) => {
        if (error !== OVER) throw error;
      });
    }
    this.#pause = null;
  }
}
