// A value that must not be seen: it prints as "(sensitive)" by every route but `reveal`.
import { inspect } from 'node:util';

const MASK = '(sensitive)';

/** Wraps a secret string. String conversion, JSON, template literals and `util.inspect` all give "(sensitive)". */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself; call it only where it leaves for its one legitimate destination. */
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
