// Nodes of a tree whose values stand on a tape: made where somebody looks, and not kept.
import type { Json, JsonObject } from '../base/json.ts';
import { coreScalar } from './core-scalar.ts';
import {
  END,
  KEY,
  KEY_START,
  KIND,
  KIND_MASK,
  LIST,
  MAP,
  NEXT,
  PLAIN,
  QUOTED,
  ROW,
  START,
  type Form,
  type QuickTape,
} from './quick-tape.ts';
import { scalarJson, type MapNode, type Span, type TextFile, type TreeEntry, type TreeNode } from './source-tree.ts';

/** A number of so few digits that it is what JavaScript reads. */
const SHORT_NUMBER = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,15})?$/;
/** The brace of a mapping on one line. */
const OPENING = 0x7b;

/** A mapping: its entries are made anew at each look. */
export class QuickMap implements MapNode {
  readonly #tape: QuickTape;
  readonly #row: number;

  constructor(tape: QuickTape, row: number) {
    this.#tape = tape;
    this.#row = row;
  }

  get kind(): 'map' {
    return 'map';
  }

  get text(): TextFile {
    return this.#tape.text;
  }

  get start(): number {
    return this.#tape.rows[this.#row + START] as number;
  }

  get end(): number {
    return this.#tape.rows[this.#row + END] as number;
  }

  get entries(): ReadonlyMap<string, TreeEntry> {
    const { rows, names } = this.#tape;
    const entries = new Map<string, TreeEntry>();
    const end = rows[this.#row + NEXT] as number;
    for (let row = this.#row + ROW; row < end; row = rows[row + NEXT] as number)
      entries.set(names[rows[row + KEY] as number] as string, new QuickEntry(this.#tape, row));
    return entries;
  }

  member(name: string): TreeEntry | undefined {
    const key = this.#tape.numberOf(name);
    if (key === undefined) return undefined;
    const { rows } = this.#tape;
    const end = rows[this.#row + NEXT] as number;
    for (let row = this.#row + ROW; row < end; row = rows[row + NEXT] as number)
      if (rows[row + KEY] === key) return new QuickEntry(this.#tape, row);
    return undefined;
  }

  /** Values within it, and it itself. */
  get size(): number {
    return ((this.#tape.rows[this.#row + NEXT] as number) - this.#row) / ROW;
  }

  json(): JsonObject {
    return objectAt(this.#tape, this.#row);
  }
}

/** A member of a mapping: its key and its value are made anew at each look. */
class QuickEntry implements TreeEntry {
  readonly #tape: QuickTape;
  readonly #row: number;

  constructor(tape: QuickTape, row: number) {
    this.#tape = tape;
    this.#row = row;
  }

  get key(): Span {
    const { rows, names, text } = this.#tape;
    const start = rows[this.#row + KEY_START] as number;
    return { text, start, end: start + (names[rows[this.#row + KEY] as number] as string).length };
  }

  get value(): TreeNode {
    return nodeAt(this.#tape, this.#row);
  }
}

function nodeAt(tape: QuickTape, row: number): TreeNode {
  const { rows, text } = tape;
  const kind = (rows[row + KIND] as number) & KIND_MASK;
  if (kind === MAP) return new QuickMap(tape, row);
  const start = rows[row + START] as number;
  const end = rows[row + END] as number;
  if (kind === LIST) return { text, start, end, kind: 'list', items: itemsAt(tape, row, nodeAt) };
  const value = kind === PLAIN ? coreScalar(text.text.slice(start, end)) : text.text.slice(start + 1, end - 1);
  return { text, start, end, kind: 'scalar', value };
}

function itemsAt<T>(tape: QuickTape, list: number, at: (tape: QuickTape, row: number) => T): T[] {
  const { rows } = tape;
  const items: T[] = [];
  const end = rows[list + NEXT] as number;
  for (let row = list + ROW; row < end; row = rows[row + NEXT] as number) items.push(at(tape, row));
  return items;
}

function objectAt(tape: QuickTape, map: number): JsonObject {
  const form = tape.formAt(map);
  return form?.isFlat === true ? likeThat(tape, map, form) : membersAt(tape, map);
}

/** Mappings of one form differ in a few members. */
function likeThat(tape: QuickTape, map: number, form: Form): JsonObject {
  const { rows, names } = tape;
  const value: Record<string, Json> = { ...(form.like ??= membersAt(tape, form.row)) };
  for (const slot of form.slots) value[names[rows[map + slot + KEY] as number] as string] = jsonAt(tape, map + slot);
  return value;
}

function membersAt(tape: QuickTape, map: number): JsonObject {
  const { rows, names } = tape;
  const value: Record<string, Json> = {};
  const end = rows[map + NEXT] as number;
  // No tape holds the key `__proto__`, so that plain assignment is safe.
  for (let row = map + ROW; row < end; row = rows[row + NEXT] as number)
    value[names[rows[row + KEY] as number] as string] = jsonAt(tape, row);
  return value;
}

function jsonAt(tape: QuickTape, row: number): Json {
  const { rows } = tape;
  const kind = (rows[row + KIND] as number) & KIND_MASK;
  const start = rows[row + START] as number;
  const end = rows[row + END] as number;
  const { text } = tape.text;
  if (kind === LIST) return itemsAt(tape, row, jsonAt);
  if (kind === QUOTED) return text.slice(start + 1, end - 1);
  // A mapping of lines holds more than can be expected to be written again.
  if (kind === MAP && text.charCodeAt(start) !== OPENING) return objectAt(tape, row);
  const known = tape.words.known(start, end);
  if (known !== undefined) return known;
  return tape.words.keep(start, end, kind === MAP ? objectAt(tape, row) : plainJson(text.slice(start, end)));
}

/** The value of an unquoted text. */
function plainJson(written: string): Json {
  return SHORT_NUMBER.test(written) ? Number(written) : scalarJson(coreScalar(written));
}
