// The bounds of a text, counted before the parser takes it: entries, depth, lengths and pieces.
import { MAX_DEPTH, MAX_SCALAR_LENGTH } from '../limits.ts';
import { syntaxOf, type YamlToken } from './yaml-package.ts';

export interface Excess {
  readonly code: 'too_deep' | 'too_many_entries' | 'too_long' | 'too_complex';
  readonly at: number;
}

/** A character of a quoted text takes at most ten: `\U00000041`. */
const MAX_QUOTED_LENGTH: number = MAX_SCALAR_LENGTH * 10 + 2;
/** A text of many lines also has indentation and folded lines. */
const MAX_WRITTEN_LENGTH: number = MAX_SCALAR_LENGTH * 64;
/** Each mark, value, line break, comment and blank takes memory, also without an entry. */
const SPARE_PIECES = 200_000;
/** The parser builds a text character by character, so that this many cost as much as one piece. */
const CHARACTERS_OF_A_PIECE = 8;
const PIECES_OF_AN_ENTRY = 20;

/** The parser takes nothing after the first excess. */
export function measuredSyntax(text: string, maxEntries: number): readonly YamlToken[] | Excess {
  const crowded = manyMarksInARow(text);
  if (crowded >= 0) return { code: 'too_deep', at: crowded };
  const measure = new Measure(maxEntries);
  return syntaxOf(text, (lexeme) => measure.isTooMuch(lexeme)) ?? measure.excess;
}

class Measure {
  excess: Excess = { code: 'too_complex', at: 0 };
  readonly #maxEntries: number;
  readonly #count: Count = { colons: 0, commas: 0, dashes: 0, pieces: 0 };
  readonly #nesting = new Nesting();
  #at = 0;
  #isScalar = false;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  /** After true, `excess` says which bound was exceeded. */
  isTooMuch(lexeme: string): boolean {
    if (isMarker(lexeme)) {
      this.#isScalar = lexeme === SCALAR;
      return false;
    }
    const code = this.#judge(lexeme);
    if (code !== null) this.excess = { code, at: this.#at };
    this.#isScalar = false;
    this.#at += lexeme.length;
    return code !== null;
  }

  #judge(lexeme: string): Excess['code'] | null {
    const count = this.#count;
    if (isTooLong(lexeme, this.#isScalar)) return 'too_long';
    countPiece(lexeme, this.#isScalar, count);
    if (this.#nesting.take(lexeme, this.#isScalar, this.#at) > MAX_DEPTH) return 'too_deep';
    const entries = count.dashes + Math.max(count.colons, count.commas);
    if (entries > this.#maxEntries) return 'too_many_entries';
    return count.pieces > SPARE_PIECES + PIECES_OF_AN_ENTRY * entries ? 'too_complex' : null;
  }
}

/** Marks of the lexer, which are no part of the text. A scalar follows the first. */
const SCALAR = '\u001f';
const DOCUMENT = '\u0002';
const FLOW_END = '\u0018';

function isMarker(lexeme: string): boolean {
  return lexeme === SCALAR || lexeme === DOCUMENT || lexeme === FLOW_END;
}

type Count = Record<'colons' | 'commas' | 'dashes' | 'pieces', number>;

function countPiece(lexeme: string, isScalar: boolean, count: Count): void {
  const isText = isScalar || !isFiller(lexeme.charAt(0));
  count.pieces += 1 + (isText ? lexeme.length / CHARACTERS_OF_A_PIECE : 0);
  if (isScalar) return;
  if (lexeme === ':') count.colons++;
  else if (lexeme === ',') count.commas++;
  else if (lexeme === '-') count.dashes++;
}

function isTooLong(lexeme: string, isScalar: boolean): boolean {
  const first = lexeme.charAt(0);
  if (!isScalar && isFiller(first)) return false;
  const mostInALine = isScalar ? MAX_SCALAR_LENGTH : first === '"' ? MAX_QUOTED_LENGTH : MAX_WRITTEN_LENGTH;
  return lexeme.length > MAX_WRITTEN_LENGTH || (lexeme.length > mostInALine && !lexeme.includes('\n'));
}

function isFiller(first: string): boolean {
  return first === ' ' || first === '\t' || first === '\n' || first === '\r' || first === '#';
}

/** Depth by brackets, and outside of brackets by the columns at which values begin. */
class Nesting {
  #flow = 0;
  readonly #columns: number[] = [];
  #lineStart = 0;
  #isLineBegun = false;

  take(lexeme: string, isScalar: boolean, at: number): number {
    const first = lexeme.charAt(0);
    if (!isScalar && (first === '[' || first === '{')) this.#flow++;
    else if (!isScalar && (first === ']' || first === '}')) this.#flow = Math.max(0, this.#flow - 1);
    const begins = isScalar || !isFiller(first);
    if (begins && this.#flow === 0 && (!this.#isLineBegun || lexeme === '-' || lexeme === '?'))
      this.#beginAt(at - this.#lineStart);
    if (begins) this.#isLineBegun = true;
    const lineEnd = lexeme.lastIndexOf('\n');
    if (lineEnd >= 0) {
      this.#lineStart = at + lineEnd + 1;
      this.#isLineBegun = false;
    }
    return this.#flow + this.#columns.length;
  }

  #beginAt(column: number): void {
    while ((this.#columns.at(-1) ?? -1) > column) this.#columns.pop();
    if (this.#columns.at(-1) !== column) this.#columns.push(column);
  }
}

/** Position of a line with more anchors, tags and marks in a row than any depth needs, or -1. The lexer takes such a row as one lexeme. */
function manyMarksInARow(text: string): number {
  let row = 0;
  let isWordStart = true;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === 0x20 || character === 0x09) isWordStart = true;
    else if (character === 0x0a || character === 0x0d) {
      row = 0;
      isWordStart = true;
    } else if (isWordStart) {
      isWordStart = false;
      row = isMark(text, at, character) ? row + 1 : 0;
      if (row > MAX_DEPTH * 2) return at;
    }
  }
  return -1;
}

/** `&name`, `!tag`, or one of `-`, `?` and `:` alone. */
function isMark(text: string, at: number, character: number): boolean {
  if (character === 0x26 || character === 0x21) return true;
  if (character !== 0x2d && character !== 0x3f && character !== 0x3a) return false;
  const next = text.charCodeAt(at + 1);
  return Number.isNaN(next) || next === 0x20 || next === 0x09 || next === 0x0a || next === 0x0d;
}
