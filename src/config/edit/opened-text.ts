// A text that is open for edits: its tree, the text after splices, and a check of that text.
import { isJsonObject, jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import { lineFeeds } from '../files/decode.ts';
import { createReport } from '../report.ts';
import { parseText } from '../yaml/parse.ts';
import { textFile, toJson, type MapNode } from '../yaml/source-tree.ts';
import type { Layout, Splice } from './layout.ts';

export interface OpenedText {
  readonly root: MapNode;
  readonly value: JsonObject;
  readonly layout: Layout;
  with(splices: readonly Splice[]): string;
  gives(after: string, expected: Json): boolean;
}

/** Null for an unreadable text. */
export function openText(original: string): OpenedText | null {
  const mark = original.startsWith('\ufeff') ? '\ufeff' : '';
  const text = original.slice(mark.length);
  const root = readTree(text);
  const value = root === null ? null : toJson(root);
  if (root === null || !isJsonObject(value)) return null;
  return {
    root,
    value,
    layout: { text, eol: /\r\n|\r|\n/.exec(text)?.[0] ?? '\n' },
    with: (splices) => mark + spliced(text, splices),
    gives(after, expected) {
      const result = readTree(after.slice(mark.length));
      return result !== null && jsonEqual(toJson(result), expected);
    },
  };
}

/** Variables stay as they are written. */
function readTree(text: string): MapNode | null {
  const file = textFile('', lineFeeds(text));
  const report = createReport();
  const { root } = parseText({ text: file, variables: null, report });
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
