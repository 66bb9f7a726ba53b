// Where things end in a text: what an edit must know to leave comments, blank lines and its neighbours alone.
import type { MapNode, TreeEntry, TreeNode } from '../yaml/source-tree.ts';

/** The text, and how its lines end. */
export interface Layout {
  readonly text: string;
  readonly eol: string;
}

/** A replacement of one stretch of the text. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

export function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}

/** `lines` after the line on which `offset` lies, whose comment stays where it is. */
export function linesAfter({ text, eol }: Layout, offset: number, lines: readonly string[]): Splice {
  const at = lineEnd(text, offset);
  return { start: at, end: at, insert: lines.map((line) => `${eol}${line}`).join('') };
}

export function lineEnd(text: string, offset: number): number {
  const rest = /[\r\n]/.exec(text.slice(offset));
  return rest === null ? text.length : offset + rest.index;
}

/** Members that are written in the map itself, not merged into it. */
export function ownEntries(map: MapNode): readonly TreeEntry[] {
  return [...map.entries.values()].filter((entry) => isWithin(entry.key, map));
}

/** Where a member ends: its value, its alias, or its key where nothing is written. */
export function memberEnd(entry: TreeEntry, map: MapNode, text: string): number {
  if (isWithin(entry.value, map) && entry.value.start >= entry.key.end && !isEmpty(entry.value))
    return contentEnd(entry.value, text);
  const alias = /^\s*:\s*\*[^\s,[\]{}]+/.exec(text.slice(entry.key.end, entry.key.end + 1000));
  const colon = /^\s*:/.exec(text.slice(entry.key.end, entry.key.end + 100));
  return entry.key.end + (alias ?? colon ?? [''])[0].length;
}

/** The end of what is written, without the white space and comments that a block may end with. */
export function contentEnd(node: TreeNode, text: string): number {
  if (node.kind !== 'scalar' && !isFlow(node, text)) {
    if (node.kind === 'list') {
      const last = node.items.at(-1);
      if (last !== undefined && isWithin(last, node)) return contentEnd(last, text);
    } else {
      const last = ownEntries(node).at(-1);
      if (last !== undefined) return memberEnd(last, node, text);
    }
  }
  return node.start + text.slice(node.start, node.end).trimEnd().length;
}

export function isFlow(node: TreeNode, text: string): boolean {
  return text[node.start] === '{' || text[node.start] === '[';
}

/** Nothing is written after the key. */
export function isEmpty(node: TreeNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.start === node.end;
}

export function isWithin(inner: { start: number; end: number }, outer: { start: number; end: number }): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
