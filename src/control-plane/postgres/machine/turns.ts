// Turns: of all work under one name, one piece at a time, in the order in which it came.

/** Does work one piece after another for each name; different names do not wait for each other. */
export class Turns {
  readonly #last: Map<string, Promise<unknown>> = new Map();

  /** Resolves or rejects as `work` does, once everything before it under this name has ended. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(name, mine);
    const forget = (): void => {
      if (this.#last.get(name) === mine) this.#last.delete(name);
    };
    mine.then(forget, forget);
    return mine;
  }
}
