// Every key that the file may hold: its path, its schema in words, and the way in which a change is made.
import { picked } from '../../src/base/picked.ts';
import {
  arrayOf,
  isJsonObject,
  objectOf,
  parseJson,
  stringifyJson,
  type Json,
  type JsonObject,
} from '../../src/base/json.ts';
import { shippedSchema } from '../../src/cli/authoring/shipped-schema.ts';
import { resourceAt } from '../../src/config/files/resource-at.ts';
import { writtenFormOf } from '../../src/config/written-form.ts';
import { kinds, type Kind } from '../../src/kinds/index.ts';
import { attributeAt, writableOf, type Attribute } from '../../src/model/attributes.ts';
import { PROJECT } from '../../src/model/kind.ts';

/** A key of the file format by its path. Names that the user chooses are in capitals (`projects.PROJECT.computes.NAME.type`). */
export interface Place {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

const DEEPEST = 12;

export function filePlaces(): readonly Place[] {
  const root = objectOf(parseJson(shippedSchema('desired-state.schema.json')));
  // A value that may be a mapping or a list of mappings leads to the same keys twice, so they are collected by path.
  const found = new Map<string, Place>();
  const visit = (schema: JsonObject, path: readonly string[]): void => {
    if (path.length > DEEPEST) return;
    for (const [key, inner] of membersOf(schema)) {
      const place = { path: [...path, key ?? nameAfter(path)], schema: resolved(inner, root) };
      found.set(place.path.join('.'), place);
      visit(place.schema, place.path);
    }
    const { items } = schema;
    if (isJsonObject(items)) visit(items, path);
  };
  visit(resolved(root, root), []);
  return [...found.values()];
}

/** The keys of a schema with their own schemas; null for a name that the user chooses. */
function membersOf(schema: JsonObject): readonly (readonly [string | null, JsonObject])[] {
  const named = Object.entries(objectOf(schema['properties'])).map(([key, inner]) => [key, objectOf(inner)] as const);
  const free = [...Object.values(objectOf(schema['patternProperties'])), schema['additionalProperties'] ?? null];
  const chosen = free.filter((inner) => isJsonObject(inner)).map((inner) => [null, inner] as const);
  const choices = ['anyOf', 'oneOf']
    .flatMap((word) => arrayOf(schema[word]))
    .flatMap((one) => membersOf(objectOf(one)));
  return [...named, ...chosen, ...choices];
}

function nameAfter(path: readonly string[]): string {
  return path.at(-1) === 'projects' ? 'PROJECT' : 'NAME';
}

export function isChosen(word: string | undefined): boolean {
  return word !== undefined && /^[A-Z]+$/.test(word);
}

/** The schema with its own reference and that of its items resolved. A member beside a reference overrides that of the target. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  const whole = withoutReference(schema, root);
  const { items } = whole;
  return isJsonObject(items) ? { ...whole, items: resolved(items, root) } : whole;
}

function withoutReference(schema: JsonObject, root: JsonObject): JsonObject {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string') return own;
  const target = $ref
    .replace(/^#\//, '')
    .split('/')
    .reduce<Json>((node, key) => objectOf(node)[key] ?? null, root);
  return { ...withoutReference(objectOf(target), root), ...own };
}

/** The way in which plans change the live value of a key; null for a key that sets no attribute of a live resource. */
export function changeOf({ path, schema }: Place): Pick<Attribute, 'change' | 'restarts'> | null {
  const found = resourceAt(path, kinds);
  const kind = kinds.find((one) => one === found?.kind);
  const [first, ...inner] = (found?.rest ?? []).map(String);
  if (kind === undefined || first === undefined) return null;
  const live = liveName(kind, first, arrayOf(schema['examples'])[0] ?? null);
  // A key with a live attribute of another name: its inner keys are used at creation only, so they have no rule.
  if (live === null || (live !== first && inner.length > 0)) return null;
  return picked(attributeAt(kind, [live, ...inner].join('.')), ['change', 'restarts']);
}

function liveName(kind: Kind, key: string, example: Json): string | null {
  if (writableOf(kind).includes(key)) return key;
  const parent = kind.parent === null || kind.parent === PROJECT ? null : 'sample/sample';
  const at = { line: 1, column: 1, offset: 0 };
  const project = {
    label: 'sample',
    name: 'sample',
    id: null,
    labels: { main: 'br-sample-000001' },
    prune: false,
    unmanagedOk: [],
    source: { file: '', start: at, end: at },
  };
  const value = { [key]: example };
  const { places = writtenFormOf(kind).places } = kind.meaning({
    name: 'sample',
    value,
    project,
    projects: [],
    parent,
  });
  return Object.entries(places).find(([, written]) => written === key)?.[0] ?? null;
}

/** What a key takes, in words. */
export function typeWords(schema: JsonObject): string {
  const { expected } = objectOf(schema['x-trueup']);
  if (typeof expected === 'string')
    return schema['maximum'] === undefined ? expected : `${expected} (${rangeOf(schema).join()})`;
  const values = schema['const'] === undefined ? arrayOf(schema['enum']) : [schema['const']];
  const named = values.filter((value) => value !== null).map((value) => stringifyJson(value));
  const { items, maxLength } = schema;
  return [
    (named.length > 0 ? named : typesOf(schema)).join(' or '),
    ...rangeOf(schema),
    ...(maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`]),
    ...(isJsonObject(items) ? [`each ${typeWords(items)}`] : []),
  ].join(', ');
}

const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  array: 'a list',
  object: 'a mapping',
};

function typesOf({ type }: JsonObject): readonly string[] {
  const types = (Array.isArray(type) ? type : [type ?? null]).filter((one) => one !== 'null');
  return types.length > 3 ? ['any value'] : types.map((one) => TYPES[String(one)] ?? 'any value');
}

function rangeOf({ minimum, maximum }: JsonObject): readonly string[] {
  if (minimum === undefined) return [];
  return [maximum === undefined ? `at least ${String(minimum)}` : `${String(minimum)} to ${String(maximum)}`];
}
