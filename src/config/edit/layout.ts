// Finds the ends of values in a text, so that an edit leaves comments, blank lines and neighbours alone.
import type { MapNode, TreeEntry, TreeNode } from '../yaml/source-tree.ts';

export interface Layout {
  readonly text: string;
  readonly eol: string;
}

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

/** Inserts lines after the line at `offset`, whose comment stays on that line. */
export function linesAfter({ text, eol }: Layout, offset: number, lines: readonly string[]): Splice {
  const at = lineEnd(text, offset);
  return { start: at, end: at, insert: lines.map((line) => `${eol}${line}`).join('') };
}

export function lineEnd(text: string, offset: number): number {
  const rest = /[\r\n]/.exec(text.slice(offset));
  return rest === null ? text.length : offset + rest.index;
}

/** The members that the map has itself, without members of merge keys. */
export function ownEntries(map: MapNode): readonly TreeEntry[] {
  return [...map.entries.values()].filter((entry) => isWithin(entry.key, map));
}

export function memberEnd(entry: TreeEntry, map: MapNode, text: string): number {
  if (isWithin(entry.value, map) && entry.value.start >= entry.key.end && !isEmpty(entry.value))
    return contentEnd(entry.value, text);
  const alias = /^\s*:\s*\*[^\s,[\]{}]+/.exec(text.slice(entry.key.end, entry.key.end + 1000));
  const colon = /^\s*:/.exec(text.slice(entry.key.end, entry.key.end + 100));
  return entry.key.end + (alias ?? colon ?? [''])[0].length;
}

/** The offset at which the content of a node ends, before white space and comments at its end. */
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

export function isEmpty(node: TreeNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.start === node.end;
}

export function isWithin(inner: { start: number; end: number }, outer: { start: number; end: number }): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
