// One wait as its caller sees it: a promise with a deadline, a signal and a heartbeat.
import type { Clock } from '../base/clock.ts';
import type { OperationRecord } from '../model/live.ts';
import { onAbort } from '../base/on-abort.ts';
import type { WaitOptions } from './waiting.ts';

/** Why a wait's timer ends early; nobody reads it, so it is made once. */
const OVER = new Error('the wait is over');
/** The longest silence towards whoever waits. */
const HEARTBEAT_MS = 10_000;

interface WaitHooks<T> {
  /** The outcome at the deadline. */
  readonly atDeadline: () => T;
  /** What there is to tell when nothing has been told for a while. */
  readonly atHeartbeat: () => readonly OperationRecord[];
  readonly expectedMs: (action: string) => number | null;
  /** Called once, whichever way it ends. */
  readonly atEnd: () => void;
}

/** Ends with an outcome, the signal's reason or a failure; whichever comes first. */
export class Wait<T> {
  readonly outcome: Promise<T>;
  readonly deadlineMs: number;
  readonly #clock: Clock;
  readonly #options: WaitOptions;
  readonly #hooks: WaitHooks<T>;
  readonly #timer = new AbortController();
  readonly #interrupt = (): void => this.fail(this.#options.signal.reason);
  #resolve!: (outcome: T) => void;
  #reject!: (reason: unknown) => void;
  #toldMs: number;
  #ended = false;
  #deafen: () => void = () => undefined;

  constructor(clock: Clock, options: WaitOptions, hooks: WaitHooks<T>) {
    this.#clock = clock;
    this.#options = options;
    this.#hooks = hooks;
    this.deadlineMs = options.deadlineMs;
    this.#toldMs = clock.monotonicMs();
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Begins to keep time and to listen; it may end at once. */
  start(): void {
    if (this.#ended) return;
    const { signal } = this.#options;
    this.#deafen = onAbort(signal, this.#interrupt);
    if (signal.aborted) this.#interrupt();
    else void this.#keepTime();
  }

  /** Tells the caller what was seen. */
  tell(operations: readonly OperationRecord[]): void {
    if (this.#ended || operations.length === 0) return;
    this.#toldMs = this.#clock.monotonicMs();
    for (const operation of operations) this.#options.onLook?.(operation, this.#hooks.expectedMs(operation.action));
  }

  end(outcome: T): void {
    this.#settle(() => this.#resolve(outcome));
  }

  fail(reason: unknown): void {
    this.#settle(() => this.#reject(reason));
  }

  #settle(settle: () => void): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#deafen();
    this.#timer.abort(OVER);
    settle();
    this.#hooks.atEnd();
  }

  async #keepTime(): Promise<void> {
    while (!this.#ended) {
      const nowMs = this.#clock.monotonicMs();
      if (nowMs >= this.deadlineMs) {
        this.end(this.#hooks.atDeadline());
        return;
      }
      if (nowMs - this.#toldMs >= HEARTBEAT_MS) {
        this.tell(this.#hooks.atHeartbeat());
        this.#toldMs = nowMs;
      }
      const untilMs = Math.min(this.deadlineMs, this.#toldMs + HEARTBEAT_MS);
      await this.#clock.sleep(Math.ceil(untilMs - nowMs), this.#timer.signal).catch(() => undefined);
    }
  }
}
