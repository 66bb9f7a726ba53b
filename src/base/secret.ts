// A secret value: it prints as "(sensitive)" by every route but `reveal`.
import { inspect } from 'node:util';

const MASK = '(sensitive)';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** Call this only where the value is passed to its one legitimate destination. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [Symbol.toPrimitive](): string {
    return MASK;
  }
}

Object.defineProperty(Secret.prototype, inspect.custom, { value: () => MASK });
