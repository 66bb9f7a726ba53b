// What a plain text holds, as numbers: one row for each value, those within it behind it. Objects would take many times the memory.
import type { JsonObject } from '../base/json.ts';
import { QuickWords } from './quick-words.ts';
import type { TextFile } from './source-tree.ts';

/** Kinds of values. */
export const PLAIN = 0;
export const QUOTED = 1;
export const MAP = 2;
export const LIST = 3;
/** Its bits of a cell; those above number the form of a mapping. */
export const KIND_MASK = 3;
const KIND_BITS = 2;

/** Cells of a row: the number of its key's name and where that starts, the kind of the value, where it starts and ends, and the row after it. */
export const KEY = 0;
export const KEY_START = 1;
export const KIND = 2;
export const START = 3;
export const END = 4;
export const NEXT = 5;
export const ROW = 6;

/** The key of what has none: the whole, and items of lists. */
export const NO_KEY = -1;
/** So many members are compared one by one. */
const FEW = 16;
const RECENT = 1024;
/** Larger blocks are seldom written twice. */
const REPEATED_MAX = 64 * ROW;
const STENCILS_MAX = 1000;
/** So many characters stand for one value in most files: one that needs more rows gets them. */
const USUAL_LENGTH = 24;

/** The members of a mapping that is being read. */
export interface Members {
  readonly first: number;
  count: number;
  keys: Set<number> | undefined;
}

/** What the mappings that one stencil wrote have in common. */
export interface Form {
  /** The row of one of them. */
  readonly row: number;
  /** Rows of what differs in the others, from that of the mapping on. */
  readonly slots: readonly number[];
  /** Whether all of them are members of the mapping itself. */
  readonly isFlat: boolean;
  /** It as JSON: made where somebody asks. */
  like: JsonObject | undefined;
}

export class QuickTape {
  readonly text: TextFile;
  /** Names of keys by their numbers. */
  readonly names: string[] = [];
  /** Unquoted values. */
  readonly words: QuickWords;
  rows: Int32Array;
  readonly #forms: Form[] = [];
  #length = 0;
  readonly #numbers = new Map<string, number>();
  readonly #recent: Int32Array = new Int32Array(RECENT).fill(NO_KEY);

  constructor(text: TextFile) {
    this.text = text;
    this.words = new QuickWords(text.text);
    this.rows = new Int32Array(ROW * (64 + Math.ceil(text.text.length / USUAL_LENGTH)));
  }

  /** A new row, to be closed. */
  add(key: number, keyStart: number, kind: number, start: number): number {
    const row = this.extend(ROW);
    const { rows } = this;
    rows[row + KEY] = key;
    rows[row + KEY_START] = keyStart;
    rows[row + KIND] = kind;
    rows[row + START] = start;
    return row;
  }

  /** So many new cells. */
  extend(cells: number): number {
    const row = this.#length;
    this.#length = row + cells;
    if (this.#length > this.rows.length) this.#grow();
    return row;
  }

  /** Whether a block of so many rows may be written again; not where hardly any two are alike. */
  mayRepeat(row: number): boolean {
    return (this.rows[row + NEXT] as number) - row <= REPEATED_MAX && this.#forms.length < STENCILS_MAX;
  }

  /** Keeps a form; returns what is added to the kinds of its mappings. */
  keep(form: Form): number {
    return this.#forms.push(form) << KIND_BITS;
  }

  /** The form of the mapping of a row, where it has one. */
  formAt(row: number): Form | undefined {
    return this.#forms[((this.rows[row + KIND] as number) >> KIND_BITS) - 1];
  }

  /** What was added since then stands within it. */
  close(row: number, end: number): void {
    this.rows[row + END] = end;
    this.rows[row + NEXT] = this.#length;
  }

  /** For the mapping whose row was added last. */
  members(): Members {
    return { first: this.#length, count: 0, keys: undefined };
  }

  /** The number of the name that stands between two places. */
  nameBetween(start: number, end: number): number {
    const { text } = this.text;
    const length = end - start;
    // Names of one length that begin and end alike mostly differ a little before the end.
    const near = text.charCodeAt(length > 4 ? end - 4 : start);
    const slot = (text.charCodeAt(start) * 31 + text.charCodeAt(end - 1) * 7 + near * 57 + length * 131) % RECENT;
    const recent = this.#recent[slot] as number;
    const known = this.names[recent];
    if (known?.length === length && text.startsWith(known, start)) return recent;
    const number = this.#numbered(text.slice(start, end));
    this.#recent[slot] = number;
    return number;
  }

  /** Counts the key among the members; false when it is there already. */
  isNew(key: number, members: Members): boolean {
    if (members.keys === undefined && members.count < FEW) {
      const { rows } = this;
      for (let row = members.first; row < this.#length; row = rows[row + NEXT] as number)
        if (rows[row + KEY] === key) return false;
      members.count++;
      return true;
    }
    members.keys ??= this.#keysOf(members);
    const before = members.keys.size;
    return members.keys.add(key).size > before;
  }

  #keysOf({ first }: Members): Set<number> {
    const keys = new Set<number>();
    for (let row = first; row < this.#length; row = this.rows[row + NEXT] as number)
      keys.add(this.rows[row + KEY] as number);
    return keys;
  }

  /** The number of a name; undefined when no key has it. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  #numbered(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.names.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }

  #grow(): void {
    const rows = new Int32Array(Math.max(this.rows.length * 2, this.#length));
    rows.set(this.rows);
    this.rows = rows;
  }
}
