// Edits a file of the user: all other bytes stay, such as comments, order, quotes and line ends.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { mergeDeep } from '../../model/paths.ts';
import { toJson, type Path, type TreeNode } from '../yaml/source-tree.ts';
import type { Splice } from './layout.ts';
import { openText } from './opened-text.ts';
import { shielded } from './render.ts';
import { addMembers, appendTo, deepest, intentFor, type Attempt, type Found } from './splice.ts';

export type Edited = { readonly text: string } | { readonly problem: string };

/** `undefined` removes the member at `path`. */
export interface ValueEdit {
  readonly path: Path;
  readonly value: Json | undefined;
}

/** `refused` gives the reason for each edit, by its index, that could not be made. */
export interface EditedAll {
  readonly text: string;
  readonly refused: ReadonlyMap<number, string>;
}

/**
 * Creates missing parents. The result is read again, and an edit that changes anything else is refused alone. New mappings are in
 * block style like their parent; below a path of `inlineDepth` keys they stand on one line.
 */
export function setValues(text: string, edits: readonly ValueEdit[], inlineDepth: number): EditedAll {
  const refused = new Map<number, string>();
  const together = attemptAll(text, edits, inlineDepth, refused);
  if (together !== null) return { text: together, refused };
  // An alias shares a changed line: single edits show which ones fail, and one can depend on another.
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

/** Null if the text, read again, has other changes than the edits. */
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

/** Creates the list if it is missing. */
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

function ofOne({ text, refused }: EditedAll): Edited {
  const problem = refused.get(0);
  return problem === undefined ? { text } : { problem };
}

const unreadable = 'the file cannot be read';

function asWritten({ path, value }: ValueEdit): ValueEdit {
  return { path, value: value === undefined ? undefined : inFile(value) };
}

/** The value as a reading without variables gives it. */
function inFile(value: Json): Json {
  if (typeof value === 'string') return shielded(value);
  if (isJsonArray(value)) return value.map(inFile);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inFile(member)]));
}

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
