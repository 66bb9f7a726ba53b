// Quoted texts, lists in brackets and mappings in braces, on one line each.
import { Unsure } from './quick-cursor.ts';
import type { QuickCursor } from './quick-cursor.ts';
import { LIST, MAP, NO_KEY, QUOTED, type Members } from './quick-tape.ts';

const NESTED_MAX = 8;
const QUOTED_LENGTH_MAX = 1000;
const KEY_TEXT = /[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}(?=: )/y;
const PLAIN_TEXT =
  /(?:[A-Za-z0-9_./+~$]|-(?=[A-Za-z0-9_.]))(?:[A-Za-z0-9_./+~$*-]|:(?=[A-Za-z0-9_/])| +(?=[A-Za-z0-9_./+~$*-])){0,1000}(?= *[,\]}])/y;

/** A text in quotes, without escapes. */
export function readQuoted(cursor: QuickCursor, key: number, keyStart: number): void {
  const { text, at: start, tape } = cursor;
  const quote = text.charAt(start);
  const close = text.indexOf(quote, start + 1);
  if (close < 0 || close - start > QUOTED_LENGTH_MAX) throw new Unsure();
  const value = text.slice(start + 1, close);
  if (value.includes('\n') || value.includes('\\') || text.charAt(close + 1) === quote) throw new Unsure();
  cursor.at = close + 1;
  tape.close(tape.add(key, keyStart, QUOTED, start), cursor.at);
}

/** The list or mapping whose bracket is under the cursor. */
export function readFlow(cursor: QuickCursor, key: number, keyStart: number, depth: number = 0): void {
  if (depth > NESTED_MAX) throw new Unsure();
  const { tape, at: start } = cursor;
  const isMap = cursor.text.charAt(start) === '{';
  const row = tape.add(key, keyStart, isMap ? MAP : LIST, start);
  if (isMap) readMap(cursor, tape.members(), depth);
  else readList(cursor, depth);
  tape.close(row, cursor.at);
}

function readMap(cursor: QuickCursor, members: Members, depth: number): void {
  for (let more = opens(cursor, '}'); more; more = goesOn(cursor, '}')) readEntry(cursor, members, depth);
}

function readList(cursor: QuickCursor, depth: number): void {
  for (let more = opens(cursor, ']'); more; more = goesOn(cursor, ']')) {
    cursor.count();
    readNode(cursor, NO_KEY, cursor.at, depth);
  }
}

/** Past the opening bracket; false when it is closed at once. */
function opens(cursor: QuickCursor, close: string): boolean {
  cursor.at++;
  cursor.skipSpaces();
  return !closes(cursor, close);
}

/** Past a comma, which something has to follow; false at the closing bracket. */
function goesOn(cursor: QuickCursor, close: string): boolean {
  cursor.skipSpaces();
  if (closes(cursor, close)) return false;
  if (cursor.text.charAt(cursor.at) !== ',') throw new Unsure();
  cursor.count();
  cursor.at++;
  cursor.skipSpaces();
  if (closes(cursor, close)) throw new Unsure();
  return true;
}

function closes(cursor: QuickCursor, close: string): boolean {
  if (cursor.text.charAt(cursor.at) !== close) return false;
  cursor.at++;
  return true;
}

function readEntry(cursor: QuickCursor, members: Members, depth: number): void {
  const { at: start } = cursor;
  const key = cursor.takeKey(KEY_TEXT, members);
  readNode(cursor, key, start, depth);
}

function readNode(cursor: QuickCursor, key: number, keyStart: number, depth: number): void {
  const { text, at: start } = cursor;
  const character = text.charAt(start);
  if (character === '{' || character === '[') {
    readFlow(cursor, key, keyStart, depth + 1);
    return;
  }
  if (character === '"' || character === "'") {
    readQuoted(cursor, key, keyStart);
    return;
  }
  PLAIN_TEXT.lastIndex = start;
  if (!PLAIN_TEXT.test(text)) throw new Unsure();
  cursor.takePlain(key, keyStart, PLAIN_TEXT.lastIndex);
}
