// The plain part of YAML, read in one pass: block mappings of one-line values. At the least doubt it gives up, and the parser reads.
import { readFlow, readQuoted } from './quick-flow.ts';
import { plainNode, QuickCursor, Unsure } from './quick-cursor.ts';
import { looksSecret } from './secret-text.ts';
import type { MapNode, Span, TextFile, TreeEntry, TreeNode } from './source-tree.ts';

// Line feeds and printable characters, but those that a parser could take for white space, a mark or half a character.
const STRANGE =
  /[^\n\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff\uf900-\ufefe\uff00-\uffef]/;
/** Deeper than any desired state, and far from the bound of the parser. */
const DEPTH_MAX = 24;
const KEY = /[A-Za-z0-9_][A-Za-z0-9_./-]{0,127}(?=:(?: |\n|$))/y;

/** The tree of a text, exactly as the parser would give it without any complaint; null when that is not certain. */
export function quickParse(text: TextFile): MapNode | null {
  const { text: source } = text;
  if (source.includes('${') || STRANGE.test(source) || looksSecret(source)) return null;
  try {
    const cursor = new QuickCursor(text);
    cursor.skipToContent();
    if (cursor.atEnd || cursor.indent !== 0) return null;
    const { node } = readBlock(cursor, 0);
    return cursor.atEnd ? node : null;
  } catch (error) {
    if (error instanceof Unsure) return null;
    throw error;
  }
}

/** The mapping whose first key is under the cursor; `end` is where its last value's line ends. */
function readBlock(cursor: QuickCursor, depth: number): { readonly node: MapNode; readonly end: number } {
  if (depth > DEPTH_MAX) throw new Unsure();
  const { indent } = cursor;
  const start = cursor.at;
  const entries = new Map<string, TreeEntry>();
  let end = start;
  do {
    const key = readKey(cursor, entries);
    const value = readValue(cursor, indent, depth);
    entries.set(cursor.text.text.slice(key.start, key.end), { key, value: value.node });
    end = value.end;
  } while (!cursor.atEnd && cursor.indent === indent);
  // What stands deeper would belong to the value before it.
  if (!cursor.atEnd && cursor.indent > indent) throw new Unsure();
  return { node: { text: cursor.text, start, end, kind: 'map', entries }, end };
}

function readKey(cursor: QuickCursor, known: ReadonlyMap<string, TreeEntry>): Span {
  const { text, at: start } = cursor;
  KEY.lastIndex = start;
  const name = KEY.exec(text.text)?.[0];
  if (name === undefined || name === '__proto__' || known.has(name)) throw new Unsure();
  cursor.count();
  const end = start + name.length;
  cursor.at = end + 1;
  cursor.skipSpaces();
  return { text, start, end };
}

/** What follows the colon: something on the same line, or a mapping that stands deeper on the next ones. */
function readValue(
  cursor: QuickCursor,
  indent: number,
  depth: number,
): { readonly node: TreeNode; readonly end: number } {
  if (!cursor.atLineEnd) {
    const node = readInline(cursor);
    const end = cursor.endLine();
    cursor.skipToContent();
    return { node, end };
  }
  cursor.endLine();
  cursor.skipToContent();
  if (cursor.atEnd || cursor.indent <= indent) throw new Unsure();
  return readBlock(cursor, depth + 1);
}

function readInline(cursor: QuickCursor): TreeNode {
  const character = cursor.text.text.charCodeAt(cursor.at);
  if (character === 0x7b || character === 0x5b) return readFlow(cursor);
  if (character === 0x22 || character === 0x27) return readQuoted(cursor);
  return readPlain(cursor);
}

// A plain text up to the end of the line or a comment; no colon or hash but where they are certain to be text.
const PLAIN = /(?:[A-Za-z0-9_./+~$]|-(?=[A-Za-z0-9_.]))(?:[^\n:# ]|:(?=[^ \n])|(?<=[^ ])#| +(?=[^ \n#:])){0,1000}/y;

function readPlain(cursor: QuickCursor): TreeNode {
  PLAIN.lastIndex = cursor.at;
  const written = PLAIN.exec(cursor.text.text)?.[0];
  if (written === undefined) throw new Unsure();
  const start = cursor.at;
  cursor.at += written.length;
  return plainNode(cursor.text, start, written);
}
