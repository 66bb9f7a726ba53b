// Polls the operations of one project: all waits share the polls, and without a wait there are none.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import { TOGETHER_MS } from '../../model/operations/timing.ts';
import { ApiFailure } from '../failure.ts';
import type { ProjectLook } from './log.ts';

const OVER = new Error('nobody waits any more');

/** A wait for operations; all times are monotonic. */
interface Wait {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** When the operations of this wait should be polled; a poll comes at the earliest of these times, or sooner for another wait. */
  readonly duesMs: () => readonly number[];
  /** Ids of operations that a poll must find, even if the log does not list them. */
  readonly awaited: () => readonly string[];
  /** Evaluates a poll, which began at `atMs`; true ends the wait. */
  readonly isOver: (look: ProjectLook, atMs: number) => boolean;
}

interface LoopSetting {
  readonly clock: Clock;
  readonly pollIntervalMs: number;
  readonly pace: (signal: AbortSignal) => Promise<void>;
  readonly look: (awaited: readonly string[], signal: AbortSignal) => Promise<ProjectLook>;
}

export class PollLoop {
  readonly #setting: LoopSetting;
  readonly #waits = new Map<Wait, (failure: Error | null) => void>();
  #notBeforeMs = -Infinity;
  #looking: AbortController | null = null;
  #stopTimer = (): void => undefined;

  constructor(setting: LoopSetting) {
    this.#setting = setting;
  }

  /** Resolves when the wait is over or its deadline reached. Rejects with the signal's reason, or `ApiFailure` if the service refuses polls. */
  async wait(wait: Wait): Promise<void> {
    const { signal } = wait;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const stopListening = onAbort(signal, () => {
        this.#end(wait, signal.reason as Error);
        this.schedule();
      });
      this.#waits.set(wait, (failure) => {
        stopListening();
        if (failure === null) resolve();
        else reject(failure);
      });
      this.schedule();
    });
  }

  #end(wait: Wait, failure: Error | null): void {
    const end = this.#waits.get(wait);
    this.#waits.delete(wait);
    end?.(failure);
  }

  /** Sets the timer for the next poll or deadline; called when the times of `duesMs` may have changed. */
  schedule(): void {
    const { clock } = this.#setting;
    this.#stopTimer();
    if (this.#waits.size === 0) return this.#looking?.abort(OVER);
    const deadlinesMs = [...this.#waits.keys()].map(({ deadlineMs }) => deadlineMs);
    const nextMs = Math.min(...deadlinesMs, this.#looking === null ? this.#nextMs() : Infinity);
    // Rounded up, because a timer that fires a fraction too early would be set again and again.
    this.#stopTimer = clock.after(Math.max(0, Math.ceil(nextMs - clock.monotonicMs())), () => {
      const nowMs = clock.monotonicMs();
      for (const wait of this.#waits.keys()) if (nowMs >= wait.deadlineMs) this.#end(wait, null);
      if (this.#waits.size > 0 && this.#looking === null && this.#nextMs() <= nowMs) void this.#look();
      this.schedule();
    });
  }

  /** The time of the next poll, a little later if it then serves several operations. A wait without known ids only joins the polls of others. */
  #nextMs(): number {
    const waits = [...this.#waits.keys()];
    const named = waits.filter((wait) => wait.awaited().length > 0);
    const duesMs = (named.length > 0 ? named : waits).flatMap((wait) => wait.duesMs());
    const firstMs = Math.min(...duesMs);
    const togetherMs = Math.max(firstMs, ...duesMs.filter((atMs) => atMs <= firstMs + TOGETHER_MS));
    return Math.max(this.#notBeforeMs, togetherMs);
  }

  async #look(): Promise<void> {
    const { clock, pace, pollIntervalMs, look } = this.#setting;
    const looking = new AbortController();
    const { signal } = looking;
    this.#looking = looking;
    try {
      await pace(signal);
      const atMs = clock.monotonicMs();
      const waits = [...this.#waits.keys()];
      const shown = await look([...new Set(waits.flatMap((wait) => wait.awaited()))], signal);
      for (const wait of waits) if (this.#waits.has(wait) && wait.isOver(shown, atMs)) this.#end(wait, null);
    } catch (error) {
      // If polls are refused, no wait can succeed; other failures may pass.
      if (error instanceof ApiFailure && error.failureClass !== 'refused')
        this.#notBeforeMs = clock.monotonicMs() + pollIntervalMs;
      else for (const wait of this.#waits.keys()) this.#end(wait, error as Error);
    } finally {
      this.#looking = null;
      this.schedule();
    }
  }
}
