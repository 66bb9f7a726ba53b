// A simulated process: it counts its calls to the outside, and can die before or after any of them.

/** Dies right before the n-th call takes effect, or right after it did and before the process hears of it. */
export interface CrashPoint {
  readonly call: number;
  readonly when: 'before' | 'after';
  /** The machine loses power: what was not synced is gone. */
  readonly power?: boolean;
}

/** One process from start to end. */
export class Life {
  readonly pid: number;
  isDead = false;
  /** Names of the calls so far, in order. */
  readonly calls: string[] = [];
  /** Resolves when the process dies of its crash point. */
  readonly death: Promise<void>;
  readonly #crash: CrashPoint | null;
  #die!: () => void;

  constructor(pid: number, crash: CrashPoint | null) {
    this.pid = pid;
    this.#crash = crash;
    this.death = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  /** Makes a call to the outside. One of a dead process has no effect and never returns. */
  async call<T>(name: string, act: () => T | Promise<T>): Promise<T> {
    if (this.isDead) return never();
    this.calls.push(name);
    const number = this.calls.length;
    const isLast = this.#crash?.call === number;
    if (isLast && this.#crash.when === 'before') return this.#end();
    try {
      const result = await act();
      if (this.isDead) return await never();
      return isLast ? await this.#end() : result;
    } catch (error) {
      if (this.isDead) return never();
      if (isLast) return this.#end();
      throw error;
    }
  }

  #end(): Promise<never> {
    this.isDead = true;
    this.#die();
    return never();
  }
}

/** A promise that nothing keeps. */
async function never(): Promise<never> {
  return new Promise<never>(() => {});
}
