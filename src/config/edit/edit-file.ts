// Edits of a user's file: the wanted values are written, everything else keeps its bytes: comments, order, quotes, line ends.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { mergeDeep } from '../../model/paths.ts';
import { toJson, type Path, type TreeNode } from '../yaml/source-tree.ts';
import type { Splice } from './layout.ts';
import { openText } from './opened-text.ts';
import { shielded } from './render.ts';
import { addMembers, appendTo, deepest, intentFor, type Attempt, type Found } from './splice.ts';

export type Edited = { readonly text: string } | { readonly problem: string };

/** One value to be written at `path` (keys of mappings, places in lists); `undefined` removes the member that stands there. */
export interface ValueEdit {
  readonly path: Path;
  readonly value: Json | undefined;
}

/** What came of several edits: the text with those that could be made, and why the others (by their index) could not. */
export interface EditedAll {
  readonly text: string;
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * The text with each value at its path; what is missing on the way is created. The result is read back: an edit that would not give exactly
 * this change is refused with a reason instead, which does not keep the others from being made.
 * New mappings are written in block style where their parent is; those at a path of `inlineDepth` keys or more on one line.
 */
export function setValues(text: string, edits: readonly ValueEdit[], inlineDepth: number): EditedAll {
  const refused = new Map<number, string>();
  const together = attemptAll(text, edits, inlineDepth, refused);
  if (together !== null) return { text: together, refused };
  // Something shares what is written: one at a time shows which edits that concerns; one may have to wait for another.
  const reasons = new Map<number, string>();
  let after = text;
  let waiting = [...edits.keys()].filter((at) => !refused.has(at));
  for (let before = Infinity; waiting.length < before;) {
    before = waiting.length;
    waiting = waiting.filter((at) => {
      const one = new Map<number, string>();
      const result = attemptAll(after, [edits[at] as ValueEdit], inlineDepth, one);
      if (result !== null && one.size === 0) after = result;
      else reasons.set(at, one.get(0) ?? spreads);
      return result === null || one.size > 0;
    });
  }
  for (const at of waiting) refused.set(at, reasons.get(at) ?? spreads);
  return { text: after, refused };
}

const spreads = 'the edit would change more than this entry, because an alias or a merge key shares these lines';

/** The text with all edits but those that are refused at once; null when reading it back does not give just these changes. */
function attemptAll(
  text: string,
  edits: readonly ValueEdit[],
  inlineDepth: number,
  refused: Map<number, string>,
): string | null {
  const opened = openText(text);
  if (opened === null) {
    for (const at of edits.keys()) refused.set(at, unreadable);
    return text;
  }
  const splices: Splice[] = [];
  const additions = new Map<
    TreeNode,
    { readonly to: Found; readonly depth: number; readonly members: JsonObject; readonly from: number[] }
  >();
  const made: number[] = [];
  for (const [at, { path, value }] of edits.entries()) {
    const intent = intentFor(opened.root, path, value, opened.layout);
    if (intent.kind === 'add') {
      const known = additions.get(intent.to.value);
      const members = mergeDeep(known?.members ?? {}, intent.members);
      additions.set(intent.to.value, {
        to: intent.to,
        depth: intent.depth,
        members,
        from: [...(known?.from ?? []), at],
      });
    } else if ('problem' in intent.attempt) refused.set(at, intent.attempt.problem);
    else {
      splices.push(intent.attempt);
      made.push(at);
    }
  }
  for (const { to, depth, members, from } of additions.values()) {
    const attempt = addMembers(to, members, opened.layout, inlineDepth - depth);
    if ('problem' in attempt) for (const at of from) refused.set(at, attempt.problem);
    else {
      splices.push(attempt);
      for (const at of from) made.push(at);
    }
  }
  const after = opened.with(splices);
  const expected = made.reduce<Json>((value, at) => changed(value, asWritten(edits[at] as ValueEdit)), opened.value);
  return made.length === 0 || opened.gives(after, expected) ? after : null;
}

/** The text with `item` at the end of the list at `path`; the list is created when there is none. */
export function appendItem(text: string, path: Path, item: Json): Edited {
  const opened = openText(text);
  if (opened === null) return { problem: unreadable };
  const { node, rest } = deepest(opened.root, path);
  if (rest.length > 0 || node.value.kind !== 'list' || node.value.items.length === 0)
    return ofOne(setValues(text, [{ path, value: [item] }], Infinity));
  const attempt: Attempt = appendTo(node, item, opened.layout);
  if ('problem' in attempt) return attempt;
  const after = opened.with([attempt]);
  const list = [...(toJson(node.value) as readonly Json[]), inFile(item)];
  return opened.gives(after, changed(opened.value, { path, value: list })) ? { text: after } : { problem: spreads };
}

/** What came of the only edit. */
function ofOne({ text, refused }: EditedAll): Edited {
  const problem = refused.get(0);
  return problem === undefined ? { text } : { problem };
}

const unreadable = 'the file cannot be read';

function asWritten({ path, value }: ValueEdit): ValueEdit {
  return { path, value: value === undefined ? undefined : inFile(value) };
}

/** The value as it is read where references are left as they are written. */
function inFile(value: Json): Json {
  if (typeof value === 'string') return shielded(value);
  if (isJsonArray(value)) return value.map(inFile);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inFile(member)]));
}

/** The value with the edit made. */
function changed(before: Json, { path, value }: ValueEdit): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value ?? null;
  if (isJsonArray(before) && typeof name === 'number')
    return before.map((item, at) => (at === name ? changed(item, { path: rest, value }) : item));
  const members = isJsonObject(before) ? { ...before } : {};
  const inner = Object.hasOwn(members, name) ? members[name] : undefined;
  if (rest.length === 0 && value === undefined)
    return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
  return { ...members, [name]: changed(inner ?? null, { path: rest, value }) };
}
