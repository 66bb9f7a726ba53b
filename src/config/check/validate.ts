// Validates a tree against the schema, and leaves out the parts that later checks cannot use.
import * as validators from '../generated/validators.js';
import { MAX_PROBLEMS, type Report } from '../report.ts';
import {
  changedMap,
  mapWith,
  nodeAt,
  toJson,
  type MapNode,
  type Path,
  type TreeNode,
  openingOf,
  placeAt,
  type Span,
} from '../yaml/source-tree.ts';
import { didYouMean, listOf, nearHint, plural } from '../../base/text/words.ts';
import { notes, type SchemaNote } from '../generated/notes.ts';
import type { ValidationError } from '../generated/validators.js';
import { codePoint, describe, show } from '../yaml/show.ts';

export type Shape = 'DesiredStateFile' | 'SafetyFile';

/** The checks of all files share this state. */
export interface Checking {
  readonly report: Report;
  readonly addressAt: (path: Path) => string | undefined;
  /** Keys that entries lack in one file. */
  readonly lacking: ValidationError[];
  /** Places of values that are reported, and perhaps left out. */
  readonly refused: Set<string>;
}

export function validateTree(root: MapNode, shape: Shape, { report, addressAt, lacking, refused }: Checking): MapNode {
  const validate = validators[shape];
  if (validate(toJson(root))) return root;
  const found: ValidationError[] = [];
  // Another file may write a key that a mapping lacks here; `version` alone belongs to each file.
  for (const error of validate.errors ?? [])
    (error.keyword === 'required' && error.instancePath !== '' ? lacking : found).push(error);
  const errors = found.slice(0, MAX_PROBLEMS * 4);
  validate.errors = null;
  const damaged = new Map<string, boolean>();
  for (const { code, message, span, hint, path, isDamaged } of schemaProblems(errors, root, shape)) {
    if (report.isFull) break;
    report.add(code, message, span, { hint, address: addressAt(path) });
    refused.add(placeOf(path));
    for (let length = isDamaged ? 1 : Infinity; length <= path.length; length++) {
      const place = placeOf(path.slice(0, length));
      damaged.set(place, damaged.get(place) === true || length === path.length);
    }
  }
  // A file with very many errors is left out as a whole.
  return found.length > errors.length || report.isFull
    ? mapWith(root, new Map())
    : (without(root, [], damaged) as MapNode);
}

/** Reports the keys that neither a file nor an overlay writes, and leaves all out after very many. `root` is the merged tree. */
export function completeTree(root: MapNode, { report, addressAt, lacking, refused }: Checking): MapNode {
  for (const { instancePath, params } of lacking) {
    if (report.isFull) return mapWith(root, new Map());
    const path = pathOf(instancePath);
    const name = String(params['missingProperty']);
    const node = nodeAt(root, path);
    if (node?.kind !== 'map' || node.entries.has(name) || refused.has(placeOf([...path, name]))) continue;
    const { code, message, span } = missingKey(path, name, root);
    report.add(code, message, span, { address: addressAt(path) });
  }
  return root;
}

function placeOf(path: Path): string {
  return path.join('\0');
}

/** Leaves out the parts whose paths are true in `damaged`; the paths of their parents are false in this map. */
function without(node: TreeNode, path: Path, damaged: ReadonlyMap<string, boolean>): TreeNode {
  const usable = (value: TreeNode, name: string | number): TreeNode | undefined => {
    const isDamaged = damaged.get(placeOf([...path, name]));
    if (isDamaged === undefined) return value;
    return isDamaged ? undefined : without(value, [...path, name], damaged);
  };
  if (node.kind === 'list') return { ...node, items: node.items.flatMap((item, at) => usable(item, at) ?? []) };
  return node.kind === 'map' ? changedMap(node, usable) : node;
}

interface SchemaProblem {
  readonly code: string;
  readonly message: string;
  readonly span: Span;
  readonly hint: string | undefined;
  readonly path: Path;
  readonly isDamaged: boolean;
}

const RANK: Readonly<Record<string, number>> = { type: 0, const: 1, enum: 1, pattern: 2 };

function schemaProblems(errors: readonly ValidationError[], root: TreeNode, shape: string): readonly SchemaProblem[] {
  const best = new Map<string, ValidationError>();
  for (const error of errors) {
    const { additionalProperty, missingProperty } = error.params as Record<string, string | undefined>;
    const place = `${error.instancePath}\0${additionalProperty ?? ''}\0${missingProperty ?? ''}`;
    const known = best.get(place);
    if (known === undefined || (RANK[error.keyword] ?? 3) < (RANK[known.keyword] ?? 3)) best.set(place, error);
  }
  return [...best.values()].map((error) => problemOf(error, root, shape));
}

function problemOf(error: ValidationError, root: TreeNode, shape: string): SchemaProblem {
  const path = pathOf(error.instancePath);
  const note = noteAt(shape, path);
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(path, String(error.params['additionalProperty']), note, root);
    case 'required':
      return missingKey(path, String(error.params['missingProperty']), root);
    default:
      return badValue(error, path, note, root);
  }
}

function pathOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function noteAt(shape: string, path: Path): SchemaNote {
  let note: SchemaNote = notes[shape] ?? {};
  for (const segment of path) {
    const properties = note.properties ?? {};
    const name = Object.hasOwn(properties, segment) ? properties[String(segment)] : (note.values ?? note.items);
    note = notes[name ?? ''] ?? {};
  }
  return note;
}

function unknownKey(parent: Path, name: string, note: SchemaNote, root: TreeNode): SchemaProblem {
  const path = [...parent, name];
  const { refused = {}, expectedKey } = note;
  const isRefused = Object.hasOwn(refused, name);
  const isLabel = !isRefused && expectedKey !== undefined;
  const hints = [foreignLetter(name), isLabel ? undefined : nearKey(name, note)].filter((hint) => hint !== undefined);
  const [code, message] = isRefused
    ? ['refused_key', `${show(name)} cannot be set here: ${refused[name]}`]
    : isLabel
      ? ['bad_label', `${show(name)} is not ${expectedKey}`]
      : ['unknown_key', `unknown key ${show(name)}`];
  const hint = isRefused || hints.length === 0 ? undefined : hints.join(' ');
  return { code, message, hint, span: placeAt(root, path, true), path, isDamaged: true };
}

function nearKey(name: string, { properties = {} }: SchemaNote): string {
  const known = Object.keys(properties);
  const near = known.find((key) => key === SYNONYMS[name.trim()]) ?? didYouMean(name.trim(), known);
  if (near !== undefined) return `Did you mean ${show(near)}?`;
  return known.length > 10 ? 'Run `trueup schema` to see all keys.' : `Expected ${listOf(known.map(show), 'or')}.`;
}

const SYNONYMS: Readonly<Record<string, string>> = { profile: 'use', profiles: 'use' };

function foreignLetter(name: string): string | undefined {
  const foreign = /[^\u0000-\u007f]/u.exec(name);
  return foreign === null
    ? undefined
    : `The key contains the character ${codePoint(foreign[0])}, which is not an ASCII letter.`;
}

function missingKey(parent: Path, name: string, root: TreeNode): SchemaProblem {
  const span = placeAt(root, parent, true);
  return {
    code: 'missing_key',
    message: `the key ${show(name)} is missing`,
    span: parent.length === 0 ? openingOf(span) : span,
    hint: name === 'version' ? 'Begin the file with `version: 1`.' : undefined,
    path: parent,
    isDamaged: false,
  };
}

function badValue(error: ValidationError, path: Path, note: SchemaNote, root: TreeNode): SchemaProblem {
  const node = nodeAt(root, path) ?? root;
  return {
    code: CODES[error.keyword] ?? note.code ?? 'wrong_value',
    message: `expected ${expectation(error, note)}, found ${found(error, node)}`,
    span: node.kind === 'scalar' ? placeAt(root, path) : firstLine(placeAt(root, path)),
    hint: hintFor(error, node),
    path,
    isDamaged: error.keyword === 'type' || error.keyword === 'enum' || error.keyword === 'const',
  };
}

const CODES: Readonly<Record<string, string>> = {
  type: 'wrong_type',
  minimum: 'out_of_range',
  maximum: 'out_of_range',
  minLength: 'wrong_length',
  maxLength: 'wrong_length',
  minItems: 'wrong_length',
};

function expectation(error: ValidationError, note: SchemaNote): string {
  const limit = String(error.params['limit']);
  switch (error.keyword) {
    case 'type':
      return note.expected ?? typeWords(error.params['type']);
    case 'enum':
      return listOf((error.params['allowedValues'] as unknown[]).map(String), 'or');
    case 'minimum':
      return `at least ${limit}`;
    case 'maximum':
      return `at most ${limit}`;
    case 'maxLength':
      return `at most ${limit} characters`;
    case 'minLength':
      return limit === '1' ? 'a text that is not empty' : `at least ${limit} characters`;
    case 'minItems':
      return `at least ${plural(Number(limit), 'item')}`;
    case 'minProperties':
      return note.expected ?? 'at least one key';
    default:
      return note.expected ?? 'another form';
  }
}

function found(error: ValidationError, node: TreeNode): string {
  if (node.kind === 'scalar' && typeof node.value === 'string' && error.keyword.endsWith('Length'))
    return node.value === '' ? 'an empty text' : String(Array.from(node.value).length);
  if (node.kind === 'list' && error.keyword.endsWith('Items')) return String(node.items.length);
  if (node.kind === 'map' && node.entries.size === 0) return 'an empty mapping';
  return describe(node);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  object: 'a mapping',
  array: 'a list',
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
};

function typeWords(type: unknown): string {
  const words = [type]
    .flat()
    .map(String)
    .flatMap((name) => (name === 'null' ? [] : (TYPE_WORDS[name] ?? name)));
  return listOf(words, 'or');
}

function hintFor(error: ValidationError, node: TreeNode): string | undefined {
  const types = error.keyword === 'type' ? [error.params['type']].flat() : [];
  if (node.kind === 'list' && types.includes('object')) return 'Write each entry as `NAME: …`, without `- `.';
  if (node.kind === 'map' && types.includes('array')) return 'Begin each item with `- `.';
  if (node.kind !== 'scalar') return undefined;
  const { value } = node;
  if (error.keyword === 'const' && value !== null)
    return Number(value) > 1 ? 'The file was written for a newer trueup: upgrade it.' : 'Write `version: 1`.';
  if (value === null && error.keyword === 'type')
    return `There is no value here (text after # is a comment): write a value${types.includes('object') ? ', write `{}` for an empty mapping,' : ''} or remove the key.`;
  if (error.keyword === 'enum' && typeof value === 'string') {
    const allowed = error.params['allowedValues'] as unknown[];
    return nearHint(
      value,
      allowed.filter((word) => typeof word === 'string'),
      undefined,
    );
  }
  if (error.keyword !== 'type') return undefined;
  if (types.includes('boolean') && typeof value === 'string' && /^(yes|no|on|off|y|n|true|false)$/i.test(value))
    return 'Write true or false without quotes: other words are text in YAML 1.2.';
  if (types.includes('string') && typeof value !== 'string') return 'Quotes around the value make the value a text.';
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return isQuoted(node) ? 'Remove the quotes to make the value a number.' : 'Write the number in decimal digits.';
  return undefined;
}

function isQuoted({ text, start }: Span): boolean {
  return /["']/.test(text.text.charAt(start));
}

function firstLine(span: Span): Span {
  const lineEnd = span.text.text.indexOf('\n', span.start);
  return lineEnd < 0 || lineEnd >= span.end ? span : { ...span, end: lineEnd };
}
