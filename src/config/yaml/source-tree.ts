// Defines the tree of a file: values with their positions. An alias is the same node as the value that it names.
import { numberOf, type Json } from '../../base/json.ts';
import { present } from '../../base/picked.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import type { Position, SourceRange } from '../../model/source.ts';

/** `file` is the name that the user gave. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
  readonly lineStarts: readonly number[];
}

/** A part of one text, from the offset `start` up to `end`. */
export interface Span {
  readonly text: TextFile;
  readonly start: number;
  readonly end: number;
}

export type ScalarValue = null | boolean | number | bigint | string;
export type Held = readonly ScalarValue[] | Readonly<Record<string, ScalarValue>>;
export type TreeNode = MapNode | ListNode | ScalarNode;

export interface ScalarNode extends Span {
  readonly kind: 'scalar';
  readonly value: ScalarValue;
  /** The variable's value as text, if `value` is a number or boolean that came from a variable. The schema may want the text instead. */
  readonly given?: string;
  /** A variable's list or map. `value` is then its JSON text, or null if a variable file has the list or map itself. */
  readonly held?: Held;
}

export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: readonly TreeNode[];
}

export interface MapNode extends Span {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, TreeEntry>;
}

export interface Provenance {
  readonly profile?: string;
  /** The position of the key whose value an overlay overrides. */
  readonly over?: Span;
}

export interface TreeEntry {
  readonly key: Span;
  readonly value: TreeNode;
  readonly from?: Provenance;
}

export type Path = readonly (string | number)[];

export function textFile(file: string, text: string): TextFile {
  let lineStarts: readonly number[] | undefined;
  return {
    file,
    text,
    // Computed on demand, because a run without a problem needs no positions.
    get lineStarts() {
      return (lineStarts ??= lineStartsOf(text));
    },
  };
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

export function rangeOf(span: Span): SourceRange {
  return { file: span.text.file, start: positionAt(span.text, span.start), end: positionAt(span.text, span.end) };
}

/** Returns the position of a non-empty scalar, or else of the key. Adds the profile of the value, and the key that an overlay overrides. */
export function sourceOf({ key, value }: TreeEntry, { profile, over }: Provenance): SourceRange {
  return {
    ...rangeOf(value.kind === 'scalar' && value.start < value.end ? value : key),
    ...present({ profile, over: over && rangeOf(over) }),
  };
}

function positionAt(text: TextFile, offset: number): Position {
  let low = 0;
  let high = text.lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((text.lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (text.lineStarts[low] ?? 0) + 1, offset };
}

/** Returns the first character of a span, which is enough to point at a long span. */
export function openingOf({ text, start, end }: Span): Span {
  return { text, start, end: Math.min(end, start + 1) };
}

export function textIn(node: TreeNode | undefined): string | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null;
}

export function numberIn(node: TreeNode | undefined): number | null {
  return node === undefined ? null : numberOf(toJson(node));
}

/** Returns a duration in milliseconds; null if the node holds none. */
export function durationIn(node: TreeNode | undefined): number | null {
  return (node && parseDurationMs(toJson(node))) ?? null;
}

export function entryOf(node: TreeNode | undefined, name: string): TreeEntry | undefined {
  return membersOf(node).get(name);
}

export function membersOf(node: TreeNode | undefined): MapNode['entries'] {
  return node?.kind === 'map' ? node.entries : NO_MEMBERS;
}

const NO_MEMBERS: MapNode['entries'] = new Map();

export function valueOf(node: TreeNode | undefined, name: string): TreeNode | undefined {
  return entryOf(node, name)?.value;
}

export function itemsOf(node: TreeNode | undefined): readonly TreeNode[] {
  return node?.kind === 'list' ? node.items : [];
}

export function textsIn(node: TreeNode | undefined): readonly string[] {
  return itemsOf(node).flatMap((item) => textIn(item) ?? []);
}

export function isTrue(node: TreeNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}

/** True for `null`, and for a key without a value. */
export function isNull(node: TreeNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

export interface Found {
  readonly node: TreeNode;
  readonly entry: TreeEntry | null;
  readonly parent: MapNode | ListNode | null;
  /** The key that an overlay overrides at the node, or else at the nearest of its parents. */
  readonly over?: Span | undefined;
}

/** Returns the node at the longest existing part of `path`, and the rest of the path. */
export function deepest(root: TreeNode, path: Path): Found & { readonly rest: Path } {
  let found: Found = { node: root, entry: null, parent: null };
  for (const [at, segment] of path.entries()) {
    const { node: parent } = found;
    const entry = entryOf(parent, String(segment)) ?? null;
    const node = parent.kind === 'list' ? parent.items[Number(segment)] : entry?.value;
    if (node === undefined || parent.kind === 'scalar') return { ...found, rest: path.slice(at) };
    found = { node, entry, parent, over: entry?.from?.over ?? found.over };
  }
  return { ...found, rest: [] };
}

export function nodeAt(root: TreeNode, path: Path): TreeNode | undefined {
  const { node, rest } = deepest(root, path);
  return rest.length > 0 ? undefined : node;
}

/** Returns the span of the value at `path`; of its key for `atKey` or an empty value; of the closest parent's key for a missing path. */
export function placeAt(root: TreeNode, path: Path, atKey: boolean = false): Span {
  const { node, entry, rest } = deepest(root, path);
  const isKey = atKey || rest.length > 0 || node.start === node.end;
  return entry !== null && isKey ? entry.key : node;
}

export function mapWith({ text, start, end }: Span, entries: MapNode['entries']): MapNode {
  return { text, start, end, kind: 'map', entries };
}

/** Replaces the value of each member by `change`; `undefined` drops the member. Returns the same map if nothing changes. */
export function changedMap(map: MapNode, change: (value: TreeNode, name: string) => TreeNode | undefined): MapNode {
  let entries: Map<string, TreeEntry> | undefined;
  for (const [name, entry] of map.entries) {
    const value = change(entry.value, name);
    if (value === entry.value) continue;
    entries ??= new Map(map.entries);
    if (value === undefined) entries.delete(name);
    else entries.set(name, { ...entry, value });
  }
  return entries === undefined ? map : mapWith(map, entries);
}

/** Converts a node to JSON; an integer that a double cannot hold becomes a string of its digits. */
export function toJson(node: TreeNode): Json {
  if (node.kind === 'list') return node.items.map(toJson);
  if (node.kind === 'scalar') {
    if (typeof node.value !== 'bigint') return node.value;
    return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : node.value.toString();
  }
  const value: Record<string, Json> = {};
  // Plain assignment is safe, because no tree holds the key `__proto__`.
  for (const [name, entry] of node.entries) value[name] = toJson(entry.value);
  return value;
}
