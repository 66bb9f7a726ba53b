// The plain part of YAML, read in one pass: block mappings of one-line values. At the least doubt it gives up, and the parser reads.
import { readFlow, readQuoted } from './quick-flow.ts';
import { QuickCursor, Unsure } from './quick-cursor.ts';
import { QuickMap } from './quick-node.ts';
import { plainEnd } from './quick-plain.ts';
import { MAP, NO_KEY, type Members } from './quick-tape.ts';
import { looksSecret } from './secret-text.ts';
import type { TextFile } from './source-tree.ts';

// Line feeds and printable characters, but those that a parser could take for white space, a mark or half a character.
const STRANGE =
  /[^\n\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\uf900-\ufefe\uff00-\uffef]/;
/** Deeper than any desired state, and far from the bound of the parser. */
const DEPTH_MAX = 24;
const KEY_TEXT = /[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}(?=:(?: |\n|$))/y;

/** The tree of a text, exactly as the parser would give it without any complaint; null when that is not certain. */
export function quickParse(text: TextFile): QuickMap | null {
  const { text: source } = text;
  if (source.includes('${') || isStrange(text) || looksSecret(source)) return null;
  try {
    const cursor = new QuickCursor(text);
    cursor.skipToContent();
    if (cursor.atEnd || cursor.indent !== 0) return null;
    readBlock(cursor, NO_KEY, 0, 0);
    return cursor.atEnd ? new QuickMap(cursor.tape, 0) : null;
  } catch (error) {
    if (error instanceof Unsure) return null;
    throw error;
  }
}

function isStrange({ text, isAscii }: TextFile): boolean {
  // Two searches for one character each take a fraction of the time.
  return isAscii === true ? text.includes('\t') || text.includes('\r') : STRANGE.test(text);
}

/** The mapping whose first key is under the cursor; returns where its last value's line ends. */
function readBlock(cursor: QuickCursor, key: number, keyStart: number, depth: number): number {
  if (depth > DEPTH_MAX) throw new Unsure();
  const repeated = cursor.blocks.take(cursor, key, keyStart, depth);
  if (repeated >= 0) return repeated;
  const { indent, tape, entries } = cursor;
  const row = tape.add(key, keyStart, MAP, cursor.at);
  const members = tape.members();
  let end = cursor.at;
  do end = readMember(cursor, members, indent, depth);
  while (!cursor.atEnd && cursor.indent === indent);
  // What stands deeper would belong to the value before it.
  if (!cursor.atEnd && cursor.indent > indent) throw new Unsure();
  tape.close(row, end);
  cursor.blocks.note({ row, indent, entries: cursor.entries - entries }, depth);
  return end;
}

/** What follows the colon is something on the same line, or a mapping that stands deeper on the next ones. */
function readMember(cursor: QuickCursor, members: Members, indent: number, depth: number): number {
  const start = cursor.at;
  const key = cursor.takeKey(KEY_TEXT, members);
  if (!cursor.atLineEnd) {
    readInline(cursor, key, start);
    const end = cursor.endLine();
    cursor.skipToContent();
    return end;
  }
  cursor.endLine();
  cursor.skipToContent();
  if (cursor.atEnd || cursor.indent <= indent) throw new Unsure();
  return readBlock(cursor, key, start, depth + 1);
}

function readInline(cursor: QuickCursor, key: number, keyStart: number): void {
  const character = cursor.text.charCodeAt(cursor.at);
  if (character === 0x7b || character === 0x5b) readFlow(cursor, key, keyStart);
  else if (character === 0x22 || character === 0x27) readQuoted(cursor, key, keyStart);
  else {
    const end = plainEnd(cursor.text, cursor.at);
    if (end < 0) throw new Unsure();
    cursor.takePlain(key, keyStart, end);
  }
}
