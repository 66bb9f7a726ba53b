// The looks at the operations of one project: all waits share them, and there are none without a wait.
import type { Clock } from '../../base/time/clock.ts';
import { onAbort } from '../../base/time/on-abort.ts';
import { TOGETHER_MS } from '../../model/operations/timing.ts';
import { ApiFailure } from '../failure.ts';
import type { Reader } from '../types.ts';
import { lookAtProject, type ProjectLook } from './log.ts';

const OVER = new Error('nobody waits any more');

export interface WatchSetting {
  readonly reader: Reader;
  readonly clock: Clock;
  /** The longest pause between two looks. */
  readonly pollIntervalMs: number;
  readonly pace: (signal: AbortSignal) => Promise<void>;
}

/** Times are monotonic. */
interface LookWish {
  /** When the operations are due; the look comes with the earliest, or sooner for another wait. */
  readonly duesMs: readonly number[];
  /** Ids of operations to find, also if the log does not list them. */
  readonly awaited: readonly string[];
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

export interface Look extends ProjectLook {
  /** Its start. */
  readonly atMs: number;
}

interface Wish extends LookWish {
  readonly answer: (look: Look | null) => void;
  readonly fail: (reason: Error) => void;
}

export class ProjectWatch {
  readonly #projectId: string;
  readonly #setting: WatchSetting;
  readonly #wishes = new Set<Wish>();
  /** No look before this time, after a look that failed. */
  #notBeforeMs = -Infinity;
  #looking: AbortController | null = null;
  #stopTimer = (): void => undefined;

  constructor(projectId: string, setting: WatchSetting) {
    this.#projectId = projectId;
    this.#setting = setting;
  }

  /** Null at the deadline, or if the due times may have changed. Rejects with the reason of the signal, or `ApiFailure` if looks are refused. */
  async look(wished: LookWish): Promise<Look | null> {
    const { signal } = wished;
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        if (!this.#wishes.delete(wish)) return;
        stopListening();
        act();
      };
      const answer = (look: Look | null): void => end(() => resolve(look));
      const fail = (reason: Error): void => end(() => reject(reason));
      const wish = { ...wished, answer, fail };
      const stopListening = onAbort(signal, () => {
        fail(signal.reason as Error);
        this.#schedule();
      });
      this.#wishes.add(wish);
      this.#schedule();
    });
  }

  /** All waits ask anew, because operations may be due sooner. */
  wake(): void {
    if (this.#looking === null) for (const wish of this.#wishes) wish.answer(null);
  }

  /** The timer brings the next look, so that all waits that one look served ask for the next one first. */
  #schedule(): void {
    const { clock } = this.#setting;
    this.#stopTimer();
    if (this.#wishes.size === 0) return this.#looking?.abort(OVER);
    const deadlinesMs = [...this.#wishes].map(({ deadlineMs }) => deadlineMs);
    const nextMs = Math.min(...deadlinesMs, this.#looking === null ? this.#nextMs() : Infinity);
    // Whole milliseconds, because a timer that is early by a fraction would be set again and again.
    this.#stopTimer = clock.after(Math.max(0, Math.ceil(nextMs - clock.monotonicMs())), () => {
      const nowMs = clock.monotonicMs();
      for (const wish of this.#wishes) if (nowMs >= wish.deadlineMs) wish.answer(null);
      if (this.#wishes.size > 0 && this.#looking === null && this.#nextMs() <= nowMs) void this.#look();
      this.#schedule();
    });
  }

  /** The earliest due time, delayed a little if one look then serves several operations. Waits without an operation take part in the looks of others. */
  #nextMs(): number {
    const named = [...this.#wishes].filter(({ awaited }) => awaited.length > 0);
    const duesMs = (named.length > 0 ? named : [...this.#wishes]).flatMap((wish) => wish.duesMs);
    const firstMs = Math.min(...duesMs);
    const togetherMs = Math.max(firstMs, ...duesMs.filter((atMs) => atMs <= firstMs + TOGETHER_MS));
    return Math.max(this.#notBeforeMs, togetherMs);
  }

  async #look(): Promise<void> {
    const { clock, pace, pollIntervalMs, reader } = this.#setting;
    const looking = new AbortController();
    const { signal } = looking;
    this.#looking = looking;
    try {
      await pace(signal);
      const atMs = clock.monotonicMs();
      const wishes = [...this.#wishes];
      const awaited = [...new Set(wishes.flatMap((wish) => wish.awaited))];
      const look = await lookAtProject(reader, { projectId: this.#projectId, awaited, signal });
      for (const wish of wishes) wish.answer({ ...look, atMs });
    } catch (error) {
      // Without the right to look, no wait can end; any other failure passes.
      if (error instanceof ApiFailure && error.failureClass !== 'refused')
        this.#notBeforeMs = clock.monotonicMs() + pollIntervalMs;
      else for (const wish of this.#wishes) wish.fail(error as Error);
    } finally {
      this.#looking = null;
      this.#schedule();
    }
  }
}
