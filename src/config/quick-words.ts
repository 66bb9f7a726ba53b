// Short values that stand in a text again and again: each is made once, and shared.
import type { Json } from '../base/json.ts';

/** Longer ones are seldom written twice. */
const LENGTH_MAX = 20;
const RECENT = 256;

/** What was made of the texts that were read last. */
export class QuickWords {
  readonly #text: string;
  readonly #written: string[] = Array.from({ length: RECENT }, () => '');
  readonly #values: (Json | undefined)[] = Array.from({ length: RECENT }, () => undefined);

  constructor(text: string) {
    this.#text = text;
  }

  /** The value of what stands between two places; undefined when it is to be made. */
  known(start: number, end: number): Json | undefined {
    if (end - start > LENGTH_MAX) return undefined;
    const slot = this.#slotOf(start, end);
    const written = this.#written[slot] as string;
    return written.length === end - start && this.#text.startsWith(written, start) ? this.#values[slot] : undefined;
  }

  /** Keeps the value that was made, and gives it back. */
  keep(start: number, end: number, value: Json): Json {
    if (end - start > LENGTH_MAX) return value;
    const slot = this.#slotOf(start, end);
    this.#written[slot] = this.#text.slice(start, end);
    this.#values[slot] = value;
    return value;
  }

  #slotOf(start: number, end: number): number {
    const text = this.#text;
    return (text.charCodeAt(start) * 31 + text.charCodeAt(end - 2) * 7 + (end - start) * 131) % RECENT;
  }
}
