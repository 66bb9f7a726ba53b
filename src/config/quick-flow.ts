// Quoted texts, lists in brackets and mappings in braces, on one line each.
import { plainNode, Unsure } from './quick-cursor.ts';
import type { QuickCursor } from './quick-cursor.ts';
import type { ScalarNode, TreeEntry, TreeNode } from './source-tree.ts';

const NESTED_MAX = 8;
const QUOTED_LENGTH_MAX = 1000;
const KEY = /[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}(?=: )/y;
const PLAIN =
  /(?:[A-Za-z0-9_./+~$]|-(?=[A-Za-z0-9_.]))(?:[A-Za-z0-9_./+~$*-]|:(?=[A-Za-z0-9_/])| +(?=[A-Za-z0-9_./+~$*-])){0,1000}(?= *[,\]}])/y;

/** A text in quotes, without escapes. */
export function readQuoted(cursor: QuickCursor): ScalarNode {
  const { text, at: start } = cursor;
  const quote = text.text.charAt(start);
  const close = text.text.indexOf(quote, start + 1);
  if (close < 0 || close - start > QUOTED_LENGTH_MAX) throw new Unsure();
  const value = text.text.slice(start + 1, close);
  if (value.includes('\n') || value.includes('\\') || text.text.charAt(close + 1) === quote) throw new Unsure();
  cursor.at = close + 1;
  return { text, start, end: cursor.at, kind: 'scalar', value };
}

/** The list or mapping whose bracket is under the cursor. */
export function readFlow(cursor: QuickCursor, depth: number = 0): TreeNode {
  if (depth > NESTED_MAX) throw new Unsure();
  return cursor.text.text.charAt(cursor.at) === '{' ? readMap(cursor, depth) : readList(cursor, depth);
}

function readMap(cursor: QuickCursor, depth: number): TreeNode {
  const { text, at: start } = cursor;
  const entries = new Map<string, TreeEntry>();
  for (let more = opens(cursor, '}'); more; more = goesOn(cursor, '}')) readEntry(cursor, entries, depth);
  return { text, start, end: cursor.at, kind: 'map', entries };
}

function readList(cursor: QuickCursor, depth: number): TreeNode {
  const { text, at: start } = cursor;
  const items: TreeNode[] = [];
  for (let more = opens(cursor, ']'); more; more = goesOn(cursor, ']')) items.push(readItem(cursor, depth));
  return { text, start, end: cursor.at, kind: 'list', items };
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
  if (cursor.text.text.charAt(cursor.at) !== ',') throw new Unsure();
  cursor.count();
  cursor.at++;
  cursor.skipSpaces();
  if (closes(cursor, close)) throw new Unsure();
  return true;
}

function closes(cursor: QuickCursor, close: string): boolean {
  if (cursor.text.text.charAt(cursor.at) !== close) return false;
  cursor.at++;
  return true;
}

function readEntry(cursor: QuickCursor, entries: Map<string, TreeEntry>, depth: number): void {
  const { text, at: start } = cursor;
  KEY.lastIndex = start;
  const name = KEY.exec(text.text)?.[0];
  if (name === undefined || name === '__proto__' || entries.has(name)) throw new Unsure();
  cursor.count();
  cursor.at += name.length + 1;
  cursor.skipSpaces();
  const key = { text, start, end: start + name.length };
  entries.set(name, { key, value: readNode(cursor, depth) });
}

function readItem(cursor: QuickCursor, depth: number): TreeNode {
  cursor.count();
  return readNode(cursor, depth);
}

function readNode(cursor: QuickCursor, depth: number): TreeNode {
  const { text, at: start } = cursor;
  const character = text.text.charAt(start);
  if (character === '{' || character === '[') return readFlow(cursor, depth + 1);
  if (character === '"' || character === "'") return readQuoted(cursor);
  PLAIN.lastIndex = start;
  const written = PLAIN.exec(text.text)?.[0];
  if (written === undefined) throw new Unsure();
  cursor.at += written.length;
  return plainNode(text, start, written);
}
