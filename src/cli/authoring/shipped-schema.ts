// The schemas of this version, the comment line that points an editor to one, and the keys that a file may have.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { arrayOf, isJsonObject, objectOf, parseJson, type Json, type JsonObject } from '../../base/json.ts';

export function shippedSchema(file: string): string {
  return readFileSync(new URL(`../../../schemas/${file}`, import.meta.url), 'utf8');
}

const DESIRED = 'desired-state.schema.json';

/** The first line for a file in `folder` (absolute): names the installed schema, or else a schema beside the file. */
export function schemaLine(folder: string): string {
  return `# yaml-language-server: $schema=${installedFor(folder) ?? `./${DESIRED}`}`;
}

function installedFor(folder: string): string | null {
  for (let above = folder; ; above = dirname(above)) {
    const path = join(above, 'node_modules/trueup/schemas', DESIRED);
    if (existsSync(path)) {
      const way = relative(folder, path).replaceAll('\\', '/');
      return way.startsWith('..') ? way : `./${way}`;
    }
    if (dirname(above) === above) return null;
  }
}

/** A key of the file format and its path. Capitals stand for names that the user chooses (`projects.PROJECT.computes.NAME`). */
export interface Place {
  readonly path: readonly string[];
  readonly schema: JsonObject;
}

export function filePlaces(): readonly Place[] {
  const root = objectOf(parseJson(shippedSchema(DESIRED)));
  // Collected by path: if a value may be a mapping or a list of mappings, each inner key occurs twice.
  const found = new Map<string, Place>();
  const visit = (schema: JsonObject, path: readonly string[]): void => {
    for (const [key, inner] of membersOf(schema)) {
      const name = key ?? (path.at(-1) === 'projects' ? 'PROJECT' : 'NAME');
      const place = { path: [...path, name], schema: resolved(inner, root) };
      found.set(place.path.join('.'), place);
      visit(place.schema, place.path);
    }
    const { items } = schema;
    if (isJsonObject(items)) visit(items, path);
  };
  visit(resolved(root, root), []);
  return [...found.values()];
}

/** The keys of a schema, each with its own schema; null instead of a key that the user chooses. */
function membersOf(schema: JsonObject): readonly (readonly [string | null, JsonObject])[] {
  const named = Object.entries(objectOf(schema['properties'])).map(([key, inner]) => [key, objectOf(inner)] as const);
  const free = [...Object.values(objectOf(schema['patternProperties'])), schema['additionalProperties'] ?? null];
  const chosen = free.filter((inner) => isJsonObject(inner)).map((inner) => [null, inner] as const);
  const choices = ['anyOf', 'oneOf']
    .flatMap((word) => arrayOf(schema[word]))
    .flatMap((one) => membersOf(objectOf(one)));
  return [...named, ...chosen, ...choices];
}

/** Replaces the schema's reference, and that of its items, by the target. Members beside a reference have precedence. */
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
