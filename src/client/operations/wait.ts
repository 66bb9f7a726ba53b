// One wait as its caller sees it: a promise with a deadline, a signal and a heartbeat.
import type { OperationRecord } from '../../model/live.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import type { Timed, WaitTimes } from './wait-times.ts';
import type { WaitOptions } from './waiting.ts';

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
export class Wait<T> implements Timed {
  readonly outcome: Promise<T>;
  readonly deadlineMs: number;
  readonly #times: WaitTimes;
  readonly #options: WaitOptions;
  readonly #hooks: WaitHooks<T>;
  readonly #interrupt = (): void => this.fail(this.#options.signal.reason);
  #resolve!: (outcome: T) => void;
  #reject!: (reason: unknown) => void;
  #reportedMs: number;
  #ended = false;
  #stopListening: () => void = () => undefined;

  constructor(times: WaitTimes, options: WaitOptions, hooks: WaitHooks<T>) {
    this.#times = times;
    this.#options = options;
    this.#hooks = hooks;
    this.deadlineMs = options.deadlineMs;
    this.#reportedMs = times.nowMs();
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Begins to keep time and to listen; it may end at once. */
  start(): void {
    if (this.#ended) return;
    const { signal } = this.#options;
    this.#stopListening = onAbort(signal, this.#interrupt);
    const nowMs = this.#times.nowMs();
    if (signal.aborted) this.#interrupt();
    else if (nowMs >= this.deadlineMs) this.keepTime(nowMs);
    else this.#times.add(this);
  }

  get dueMs(): number {
    return Math.min(this.deadlineMs, this.#reportedMs + HEARTBEAT_MS);
  }

  /** Tells the caller what was seen. */
  tell(operations: readonly OperationRecord[]): void {
    if (this.#ended || operations.length === 0) return;
    this.#reportedMs = this.#times.nowMs();
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
    this.#stopListening();
    this.#times.remove(this);
    settle();
    this.#hooks.atEnd();
  }

  keepTime(nowMs: number): void {
    if (nowMs >= this.deadlineMs) {
      this.end(this.#hooks.atDeadline());
      return;
    }
    this.tell(this.#hooks.atHeartbeat());
    this.#reportedMs = nowMs;
  }
}
