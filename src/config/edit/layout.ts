// Finds where values end in a file, and writes values as YAML, so that an edit leaves comments and neighbours alone.
import { arrayOf, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { coreScalar } from '../yaml/yaml-package.ts';
import type { MapNode, TreeEntry, TreeNode } from '../yaml/source-tree.ts';

/** Writes a value on one line. A text has quotes if YAML needs them or `quote` is set: double, unless `quote` is single and can hold the text. */
export function renderInline(value: Json, quote: '"' | "'" | null = null): string {
  if (typeof value === 'string') return renderText(value, quote);
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[${value.map((item: Json) => renderInline(item)).join(', ')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${renderText(key, null)}: ${renderInline(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export interface BlockOptions {
  readonly column: number;
  /** Mappings this many levels down, or deeper, are on one line. */
  readonly inlineFrom: number;
}

export function renderBlock(members: JsonObject, { column, inlineFrom }: BlockOptions): readonly string[] {
  return Object.entries(members).flatMap(([key, value]) => {
    const head = `${' '.repeat(column)}${renderText(key, null)}:`;
    if (inlineFrom > 1 && isJsonObject(value) && Object.keys(value).length > 0)
      return [head, ...renderBlock(value, { column: column + 2, inlineFrom: inlineFrom - 1 })];
    const items = arrayOf(value);
    if (inlineFrom > 1 && items.some((item) => isJsonObject(item)))
      return [head, ...items.map((item) => `${' '.repeat(column + 2)}- ${renderInline(item)}`)];
    return [`${head} ${renderInline(value)}`];
  });
}

function renderText(text: string, quote: '"' | "'" | null): string {
  const printable = !/[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd]/u.test(text);
  if (quote === "'" && printable && !text.includes('${')) return `'${text.replaceAll("'", "''")}'`;
  // trueup reads `${` as a reference, so the text is written with `$${`.
  return quote === null && isPlain(text) ? text : JSON.stringify(shielded(text));
}

export function shielded(text: string): string {
  return text.replaceAll('${', () => '$${');
}

/** True if YAML 1.2 reads the text without quotes as itself. False for texts such as `yes` and `1_000`, which YAML 1.1 reads otherwise. */
function isPlain(text: string): boolean {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_./:-]*$/.test(text) || text.endsWith(':')) return false;
  return coreScalar(text) === text && !/^(?:y|yes|n|no|on|off|[0-9][0-9_:.]*)$/i.test(text);
}

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

/** Inserts lines after the line at `offset`; a comment on that line stays there. */
export function linesAfter({ text, eol }: Layout, offset: number, lines: readonly string[]): Splice {
  const at = lineEnd(text, offset);
  return { start: at, end: at, insert: lines.map((line) => `${eol}${line}`).join('') };
}

export function lineEnd(text: string, offset: number): number {
  const rest = /[\r\n]/.exec(text.slice(offset));
  return rest === null ? text.length : offset + rest.index;
}

/** Returns the members that the map itself writes, without members of merge keys. */
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

/** Returns the offset at which a node's content ends, before white space and comments at the end of the node. */
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
