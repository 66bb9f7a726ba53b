// Finds the part of a file that a change replaces, in block and flow style; lines that an alias shares are refused.
import type { Json, JsonObject } from '../../base/json.ts';
import { deepest, type Found, type MapNode, type Path, type TreeEntry } from '../yaml/source-tree.ts';
import {
  columnOf,
  contentEnd,
  isEmpty,
  isFlow,
  isWithin,
  lineEnd,
  lineStart,
  linesAfter,
  memberEnd,
  ownEntries,
  type Layout,
  type Splice,
  renderBlock,
  renderInline,
} from './layout.ts';

export type Attempt = Splice | { readonly problem: string };

export interface Addition {
  readonly to: Found;
  readonly depth: number;
  readonly members: JsonObject;
}

const shared = { problem: 'an alias or a merge key shares these lines: edit the file by hand' } as const;

/** Finds the splice of one edit. A value of `undefined` removes the member; the index after a list's last item adds an item. */
export function attemptAt(root: MapNode, path: Path, value: Json | undefined, layout: Layout): Attempt | Addition {
  const { rest, ...to } = deepest(root, path);
  const { node, parent } = to;
  const [name, ...inner] = rest;
  if (name === undefined) return value === undefined ? removal(to, path, layout) : replaceValue(to, value, layout);
  if (value === undefined) return absent;
  if (node.kind === 'list' && name === node.items.length) return appendTo(to, value, layout);
  if (parent !== null && !isWithin(node, parent) && !isEmpty(node)) return shared;
  const at = path.slice(0, path.length - rest.length);
  if (node.kind !== 'map' && !isEmpty(node)) return { problem: `${at.join('.')} is not a mapping` };
  const nested = inner.reduceRight<Json>((member, key) => ({ [key]: member }), value);
  return { to, depth: at.length, members: { [name]: nested } };
}

const absent = { problem: 'it is not written there' } as const;

export function addMembers(to: Found, members: JsonObject, layout: Layout, inlineFrom: number): Attempt {
  const map = to.node;
  if (map.kind !== 'map') return replaceValue(to, members, layout);
  const { text, eol } = layout;
  const last = ownEntries(map).at(-1);
  if (isFlow(map, text)) {
    const inline = renderInline(members).slice(2, -2);
    if (last !== undefined) return insertAt(memberEnd(last, map, text), `, ${inline}`);
    const rest = text.slice(map.start + 1, map.end - 1).trim();
    return insertAt(map.start + 1, rest === '' ? ` ${inline} ` : ` ${inline}, `);
  }
  const column = columnOf(text, map.start);
  const lines = renderBlock(members, { column, inlineFrom });
  if (last === undefined) return insertAt(map.start, `${lines.join(eol).trimStart()}${eol}${' '.repeat(column)}`);
  return linesAfter(layout, memberEnd(last, map, text), lines);
}

function appendTo({ node: list, parent }: Found, item: Json, layout: Layout): Attempt {
  const { text } = layout;
  const last = list.kind === 'list' ? list.items.at(-1) : undefined;
  if (parent === null || last === undefined || !isWithin(list, parent) || !isWithin(last, list)) return shared;
  const end = contentEnd(last, text);
  if (isFlow(list, text)) return insertAt(end, `, ${renderInline(item)}`);
  return linesAfter(layout, end, [`${' '.repeat(columnOf(text, list.start))}- ${renderInline(item)}`]);
}

function replaceValue({ node: value, entry, parent }: Found, next: Json, { text }: Layout): Attempt {
  if (parent === null) return { problem: 'the whole file cannot be replaced' };
  if (entry !== null && !isWithin(entry.key, parent)) return shared;
  if (isEmpty(value)) return entry === null ? absent : afterColon(entry, next, text);
  if (!isWithin(value, parent) || (entry !== null && value.start < entry.key.end)) return shared;
  const written = text.slice(value.start, value.end);
  if (value.kind === 'scalar' && written.includes('${')) return { problem: 'the value is given by a variable' };
  const quote = written.startsWith('"') ? '"' : written.startsWith("'") ? "'" : null;
  return { start: value.start, end: contentEnd(value, text), insert: renderInline(next, quote) };
}

function afterColon(entry: TreeEntry, next: Json, text: string): Attempt {
  const colon = text.indexOf(':', entry.key.end);
  if (colon < 0 || text.slice(entry.key.end, colon).trim() !== '') return { problem: 'the key has no colon' };
  return insertAt(colon + 1, ` ${renderInline(next)}`);
}

function removal({ node: value, entry, parent }: Found, path: Path, layout: Layout): Attempt {
  if (entry === null || parent?.kind !== 'map') return { problem: `${path.join('.')} is not a member of a mapping` };
  if (!isWithin(entry.key, parent)) return shared;
  const { text } = layout;
  if (value.kind === 'scalar' && text.slice(value.start, value.end).includes('${'))
    return { problem: 'the value is given by a variable' };
  const end = memberEnd(entry, parent, text);
  if (isFlow(parent, text)) return removalInFlow(entry.key.start, end, text);
  if (isAlone(entry, parent, text)) return { start: parent.start, end, insert: '{}' };
  const start = lineStart(text, entry.key.start);
  if (text.slice(start, entry.key.start).trim() !== '')
    return { problem: 'the key shares its line with something else' };
  const stop = lineEnd(text, end);
  const eolLength = /^(\r\n|\r|\n)?/.exec(text.slice(stop, stop + 2))?.[0].length ?? 0;
  // A last line without a line break is removed with the break before it, so no empty line stays behind.
  if (eolLength === 0)
    return { start: text.slice(0, start).replace(/(\r\n|\r|\n)$/, '').length, end: stop, insert: '' };
  return { start, end: stop + eolLength, insert: '' };
}

function removalInFlow(start: number, end: number, text: string): Splice {
  const after = /^\s*,[ \t]*/.exec(text.slice(end, end + 200))?.[0].length ?? 0;
  if (after > 0) return { start, end: end + after, insert: '' };
  const before = /,\s*$/.exec(text.slice(Math.max(0, start - 200), start))?.[0].length ?? 0;
  return { start: start - before, end, insert: '' };
}

/** True if the entry is the only member of the map; a merge key counts as a member, too. */
function isAlone(entry: TreeEntry, map: MapNode, text: string): boolean {
  const rest = text.slice(map.start, entry.key.start) + text.slice(memberEnd(entry, map, text), map.end);
  return ownEntries(map).length === 1 && !/^\s*<<\s*:/m.test(rest);
}

function insertAt(offset: number, insert: string): Splice {
  return { start: offset, end: offset, insert };
}
