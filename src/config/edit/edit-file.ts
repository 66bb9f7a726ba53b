// Edits a file of the user and keeps all else byte for byte: comments, order, quotes and line ends.
import { isJsonArray, isJsonObject, jsonEqual, objectOf, type Json } from '../../base/json.ts';
import { mergeDeep } from '../../model/values.ts';
import { lineFeeds } from '../files/read-files.ts';
import { createReport } from '../report.ts';
import { parseText } from '../yaml/parse.ts';
import { itemsOf, nodeAt, textFile, toJson, type MapNode, type Path, type TreeNode } from '../yaml/source-tree.ts';
import { type Layout, type Splice, shielded } from './layout.ts';
import { addMembers, attemptAt, type Addition, type Attempt } from './splice.ts';

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
 * New mappings are in block style like their parent; below a path of `inlineDepth` keys, mappings are on one line.
 */
export function setValues(text: string, edits: readonly ValueEdit[], inlineDepth: number): EditedAll {
  const refused = new Map<number, string>();
  const together = attemptAll(text, edits, inlineDepth, refused);
  if (together !== null) return { text: together, refused };
  // If an alias shares the lines of one edit, all fail, so each is tried alone. Rounds repeat, because an edit may need another one first.
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

/** Returns the text after the edits; null if the parsed result has other changes than the wanted ones. */
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

/** Returns the value as the parser reads it without variables: with `$${` for each `${`. */
function inFile(value: Json): Json {
  if (typeof value === 'string') return shielded(value);
  if (isJsonArray(value)) return value.map(inFile);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inFile(member)]));
}

function changed(before: Json | undefined, { path: [name, ...path], value }: ValueEdit): Json {
  if (name === undefined) return inFile(value ?? null);
  if (isJsonArray(before)) return before.toSpliced(Number(name), 1, changed(before[Number(name)], { path, value }));
  const { [name]: inner, ...others } = objectOf(before);
  if (path.length === 0 && value === undefined) return others;
  return { ...objectOf(before), [name]: changed(inner, { path, value }) };
}

/** Returns null after any problem; references such as `${var:NAME}` stay as they are written. */
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
