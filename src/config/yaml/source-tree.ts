// The tree that a file is read into: values with the places they were written at. Aliases share nodes.
import type { Json } from '../../base/json.ts';
import type { Position, SourceRange } from '../../model/source.ts';

/** One text that was read; `file` is its name as the user gave it. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[];
}

/** A stretch of one text, as offsets. */
export interface Span {
  readonly text: TextFile;
  readonly start: number;
  readonly end: number;
}

export type ScalarValue = null | boolean | number | bigint | string;
export type TreeNode = MapNode | ListNode | ScalarNode;

export interface ScalarNode extends Span {
  readonly kind: 'scalar';
  readonly value: ScalarValue;
  /** The characters of a variable that were read as another value than a text. */
  readonly given?: string;
}

export interface ListNode extends Span {
  readonly kind: 'list';
  readonly items: readonly TreeNode[];
}

export interface MapNode extends Span {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, TreeEntry>;
}

/** Where a member comes from that does not simply stand where it counts. */
export interface Provenance {
  /** The profile that brings it. */
  readonly profile?: string;
  /** What it won over: the same member below an overlay. */
  readonly over?: Span;
}

/** A member of a map: the place of its key, and its value. */
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
    // Looked for when a place is asked for: where nothing is wrong and nothing changes, nobody does.
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

/** The place of a span, with lines and columns. */
export function rangeOf(span: Span): SourceRange {
  return { file: span.text.file, start: positionAt(span.text, span.start), end: positionAt(span.text, span.end) };
}

/** The same of a member whose value or key it is, with where from that comes. */
export function sourceOf({ key, value }: TreeEntry, { profile, over }: Provenance): SourceRange {
  return {
    ...rangeOf(value.kind === 'scalar' && value.start < value.end ? value : key),
    ...(profile === undefined ? {} : { profile }),
    ...(over === undefined ? {} : { over: rangeOf(over) }),
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

/** The first character of a stretch: enough to point at a long one. */
export function openingOf({ text, start, end }: Span): Span {
  return { text, start, end: Math.min(end, start + 1) };
}

/** The text of a scalar that is one; null for anything else. */
export function textIn(node: TreeNode | undefined): string | null {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : null;
}

/** The entry of `name` in a map node; undefined for other nodes. */
export function entryOf(node: TreeNode | undefined, name: string): TreeEntry | undefined {
  return node?.kind === 'map' ? node.entries.get(name) : undefined;
}

/** True where `null` is written, or nothing. */
export function isNull(node: TreeNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

/** What stands at `path`: its node and, for a member of a map, its key. Undefined when nothing does. */
export function nodeAt(
  root: TreeNode,
  path: Path,
): { readonly node: TreeNode; readonly key: Span | undefined } | undefined {
  let node = root;
  let key: Span | undefined;
  for (const segment of path) {
    if (node.kind === 'map') {
      const entry = node.entries.get(String(segment));
      if (entry === undefined) return undefined;
      node = entry.value;
      key = entry.key;
    } else {
      const item = node.kind === 'list' ? node.items[Number(segment)] : undefined;
      if (item === undefined) return undefined;
      node = item;
      key = undefined;
    }
  }
  return { node, key };
}

/** The place that what stands at `path` won over, where an overlay brought it. */
export function overAt(root: TreeNode, path: Path): Span | undefined {
  let node: TreeNode | undefined = root;
  let over: Span | undefined;
  for (const segment of path) {
    const entry = entryOf(node, String(segment));
    over = entry?.from?.over ?? over;
    node = entry?.value;
  }
  return over;
}

/** The nearest written place for `path`: the value (or its key), else that of the closest parent. */
export function placeAt(root: TreeNode, path: Path, atKey: boolean = false): Span {
  for (let length = path.length; length > 0; length--) {
    const found = nodeAt(root, path.slice(0, length));
    if (found === undefined) continue;
    if (found.key !== undefined && (atKey || length < path.length || found.node.start === found.node.end))
      return found.key;
    return found.node;
  }
  return root;
}

/** A map of these entries, at the same place. */
export function mapWith({ text, start, end }: Span, entries: MapNode['entries']): MapNode {
  return { text, start, end, kind: 'map', entries };
}

/** The value as JSON. An integer that a double cannot hold becomes the string of its digits. */
export function toJson(node: TreeNode): Json {
  if (node.kind === 'scalar') return scalarJson(node.value);
  if (node.kind === 'list') return node.items.map(toJson);
  const value: Record<string, Json> = {};
  // No tree holds the key `__proto__`, so that plain assignment is safe.
  for (const [name, entry] of node.entries) value[name] = toJson(entry.value);
  return value;
}

function scalarJson(value: ScalarValue): Json {
  if (typeof value !== 'bigint') return value;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
}

/** An empty mapping at the start of a file. */
export function emptyMap(text: TextFile): MapNode {
  return { text, start: 0, end: 0, kind: 'map', entries: new Map() };
}
