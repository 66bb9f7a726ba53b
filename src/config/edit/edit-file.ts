// Edits a file of the user and keeps all else byte for byte: comments, order, quotes and line ends.
import { isJsonArray, jsonEqual, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { mergeDeep } from '../../model/values.ts';
import { lineFeeds } from '../files/read-files.ts';
import { createReport, newBudget } from '../report.ts';
import { parseText } from '../yaml/parse.ts';
import {
  itemsOf,
  nodeAt,
  textFile,
  toJson,
  type MapNode,
  type Path,
  type TreeNode,
  deepest,
  type Found,
  type TreeEntry,
} from '../yaml/source-tree.ts';
import {
  type Layout,
  type Splice,
  shielded,
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
  renderBlock,
  renderInline,
} from './layout.ts';

export type Edited = { readonly text: string } | { readonly problem: string };

/** A `value` of `undefined` removes the member at `path`. */
export interface ValueEdit {
  readonly path: Path;
  readonly value: Json | undefined;
}

/** `refused`: why an edit could not be made, by the index of the edit. */
export interface EditedAll {
  readonly text: string;
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Makes the edits and creates missing parents. An edit that would change anything else in the parsed file is refused; the others are made.
 * A new mapping has the style of its parent, but is on one line if its path has `inlineDepth` keys or more.
 */
export function setValues(text: string, edits: readonly ValueEdit[], inlineDepth: number): EditedAll {
  const refused = new Map<number, string>();
  const together = attemptAll(text, edits, inlineDepth, refused);
  if (together !== null) return { text: together, refused };
  // An edit of lines that an alias shares makes all edits fail, so each edit is tried alone. Rounds repeat, as an edit may depend on another.
  let after = text;
  let waiting = [...edits.entries()].filter(([at]) => !refused.has(at));
  for (let before = Infinity; waiting.length < before;) {
    before = waiting.length;
    waiting = waiting.filter(([at, edit]) => {
      const problems = new Map<number, string>();
      const result = attemptAll(after, [edit], inlineDepth, problems);
      const problem = result === null ? spreads : problems.get(0);
      refused.delete(at);
      if (problem === undefined) after = result ?? after;
      else refused.set(at, problem);
      return problem !== undefined;
    });
  }
  return { text: after, refused };
}

const spreads = 'the edit would change more than this entry, because an alias or a merge key shares these lines';

/** Makes the possible edits and adds the others to `refused`. Returns the new text; null if the edits would change anything else. */
function attemptAll(
  text: string,
  edits: readonly ValueEdit[],
  inlineDepth: number,
  refused: Map<number, string>,
): string | null {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
  const own = text.slice(mark.length);
  const root = readTree(own);
  if (root === null) {
    for (const at of edits.keys()) refused.set(at, 'the file cannot be read');
    return text;
  }
  const layout: Layout = { text: own, eol: /\r\n|\r|\n/.exec(own)?.[0] ?? '\n' };
  const attempts: (readonly [Attempt, from: readonly number[]])[] = [];
  const additions = new Map<TreeNode, Addition & { readonly from: readonly number[] }>();
  for (const [at, { path, value }] of edits.entries()) {
    const found = attemptAt(root, path, value, layout);
    if ('members' in found) {
      const { members, from } = additions.get(found.to.node) ?? { members: {}, from: [] };
      additions.set(found.to.node, { ...found, members: mergeDeep(members, found.members), from: [...from, at] });
    } else attempts.push([found, [at]]);
  }
  for (const { to, depth, members, from } of additions.values())
    attempts.push([addMembers(to, members, layout, inlineDepth - depth), from]);
  const splices: Splice[] = [];
  const made: ValueEdit[] = [];
  for (const [attempt, from] of attempts)
    if ('problem' in attempt) for (const at of from) refused.set(at, attempt.problem);
    else {
      splices.push(attempt);
      for (const at of from) made.push(edits[at] as ValueEdit);
    }
  if (made.length === 0) return text;
  const after = spliced(own, splices);
  const result = readTree(after);
  const isAsWanted = result !== null && jsonEqual(toJson(result), made.reduce<Json>(changed, toJson(root)));
  return isAsWanted ? mark + after : null;
}

const BYTE_ORDER_MARK = '\ufeff';

export function appendItem(text: string, path: Path, item: Json): Edited {
  const root = readTree(text.replace(BYTE_ORDER_MARK, ''));
  const { length } = itemsOf(root === null ? undefined : nodeAt(root, path));
  const edit = length === 0 ? { path, value: [item] } : { path: [...path, length], value: item };
  const { text: after, refused } = setValues(text, [edit], Infinity);
  const problem = refused.get(0);
  return problem === undefined ? { text: after } : { problem };
}

/** Returns the value as `readTree` shows it in the edited file: a `${` is written as `$${`, and `readTree` keeps this escape. */
function inFile(value: Json): Json {
  return JSON.parse(shielded(JSON.stringify(value))) as Json;
}

function changed(before: Json | undefined, { path: [name, ...path], value }: ValueEdit): Json {
  if (name === undefined) return inFile(value ?? null);
  if (isJsonArray(before)) return before.toSpliced(Number(name), 1, changed(before[Number(name)], { path, value }));
  const { [name]: inner, ...others } = objectOf(before);
  if (path.length === 0 && value === undefined) return others;
  return { ...objectOf(before), [name]: changed(inner, { path, value }) };
}

/** Parses the text; returns null if there is any problem. References such as `${var:NAME}` and escapes stay as they are written. */
function readTree(text: string): MapNode | null {
  const file = textFile('', lineFeeds(text));
  const report = createReport();
  const { root } = parseText({ text: file, variables: null, report, budget: newBudget() });
  return report.diagnostics.length === 0 ? root : null;
}

function spliced(text: string, splices: readonly Splice[]): string {
  let at = 0;
  let after = '';
  for (const { start, end, insert } of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (start < at) continue;
    after += text.slice(at, start) + insert;
    at = end;
  }
  return after + text.slice(at);
}

export type Attempt = Splice | { readonly problem: string };

export interface Addition {
  readonly to: Found;
  readonly depth: number;
  readonly members: JsonObject;
}

const shared = { problem: 'an alias or a merge key shares these lines: edit the file by hand' } as const;

/** Returns the splice or the problem of one edit, or an `Addition` for a missing key. The index after a list's last item appends an item. */
function attemptAt(root: MapNode, path: Path, value: Json | undefined, layout: Layout): Attempt | Addition {
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

function addMembers(to: Found, members: JsonObject, layout: Layout, inlineFrom: number): Attempt {
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
