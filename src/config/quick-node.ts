// Nodes of a tree whose values stand on a tape: made where somebody looks, and not kept.
import type { Json, JsonObject } from '../base/json.ts';
import { coreScalar } from './core-scalar.ts';
import { END, KEY, KEY_START, KIND, LIST, MAP, NEXT, PLAIN, ROW, START, type QuickTape } from './quick-tape.ts';
import { scalarJson, type MapNode, type TextFile, type TreeEntry, type TreeNode } from './source-tree.ts';

/** Digits that a double holds exactly, whatever they are. */
const EXACT_DIGITS = /^(?:0|[1-9][0-9]{0,14})$/;

/** A mapping: its entries are made anew at each look. */
export class QuickMap implements MapNode {
  readonly text: TextFile;
  readonly start: number;
  readonly end: number;
  readonly kind = 'map';
  readonly #tape: QuickTape;
  readonly #row: number;

  constructor(tape: QuickTape, row: number) {
    this.text = tape.text;
    this.start = tape.rows[row + START] as number;
    this.end = tape.rows[row + END] as number;
    this.#tape = tape;
    this.#row = row;
  }

  get entries(): ReadonlyMap<string, TreeEntry> {
    const { rows, names } = this.#tape;
    const entries = new Map<string, TreeEntry>();
    const end = rows[this.#row + NEXT] as number;
    for (let row = this.#row + ROW; row < end; row = rows[row + NEXT] as number)
      entries.set(names[rows[row + KEY] as number] as string, entryAt(this.#tape, row));
    return entries;
  }

  member(name: string): TreeEntry | undefined {
    const key = this.#tape.numberOf(name);
    if (key === undefined) return undefined;
    const { rows } = this.#tape;
    const end = rows[this.#row + NEXT] as number;
    for (let row = this.#row + ROW; row < end; row = rows[row + NEXT] as number)
      if (rows[row + KEY] === key) return entryAt(this.#tape, row);
    return undefined;
  }

  json(): JsonObject {
    return objectAt(this.#tape, this.#row);
  }
}

function entryAt(tape: QuickTape, row: number): TreeEntry {
  const { rows, names, text } = tape;
  const start = rows[row + KEY_START] as number;
  const end = start + (names[rows[row + KEY] as number] as string).length;
  return { key: { text, start, end }, value: nodeAt(tape, row) };
}

function nodeAt(tape: QuickTape, row: number): TreeNode {
  const { rows, text } = tape;
  const kind = rows[row + KIND] as number;
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
  const kind = rows[row + KIND] as number;
  if (kind === MAP) return objectAt(tape, row);
  if (kind === LIST) return itemsAt(tape, row, jsonAt);
  const start = rows[row + START] as number;
  const end = rows[row + END] as number;
  const { text } = tape.text;
  if (kind !== PLAIN) return text.slice(start + 1, end - 1);
  const written = text.slice(start, end);
  return EXACT_DIGITS.test(written) ? Number(written) : scalarJson(coreScalar(written));
}
