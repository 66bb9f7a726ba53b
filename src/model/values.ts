// Handles the nested values of specs and bodies: their leaves, values along paths, and references to values that are not known yet.
import { isJsonObject, type Json, type JsonObject, objectOf } from '../base/json.ts';
import type { Address } from './address.ts';

/** Stands for a value that may not be known yet: the `field` (`id`, or an attribute) of the resource at the address `ref`. */
export type Reference = { readonly ref: Address; readonly field: string };

export function isReference(value: Json | undefined): value is Reference {
  return (
    isJsonObject(value) &&
    typeof value['ref'] === 'string' &&
    typeof value['field'] === 'string' &&
    Object.keys(value).length === 2
  );
}

/** Returns the text that stands for an unknown id in a path or a scope. */
export function placeholderOf(ref: Address): string {
  return `{${ref}}`;
}

const PLACEHOLDER = /\{([^{}]+)\}/g;

export function placeholdersIn(text: string): readonly Address[] {
  return text.includes('{') ? [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '') : [];
}

/** True if `id` is the placeholder of this address; other texts in braces are ordinary names. */
export function isIdToCome(id: string, address: Address): boolean {
  return id === placeholderOf(address);
}

/** True if the project or the parent does not exist yet, so that there is nothing to read. */
export function isUnborn({
  projectId = null,
  parentId = '',
}: {
  readonly projectId?: string | null;
  readonly parentId?: string | undefined;
}): boolean {
  return [projectId ?? '', parentId].some((id) => placeholdersIn(id).length > 0);
}

/** Returns the value that a reference stands for; undefined while that value is not known. */
export type Known = (reference: Reference) => Json | undefined;

export function resolveIn<T extends Json>(value: T, known: Known): T;
export function resolveIn(value: Json, known: Known): Json {
  // Most values hold no reference, and a copy of each would fill the memory.
  if (!holdsReference(value)) return value;
  if (isReference(value)) return known(value) ?? value;
  if (Array.isArray(value)) return value.map((item: Json) => resolveIn(item, known));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolveIn(inner, known)]));
}

export function referencesIn(value: Json): readonly Address[] {
  if (isReference(value)) return [value.ref];
  if (Array.isArray(value)) return value.flatMap((item: Json) => referencesIn(item));
  return isJsonObject(value) ? Object.values(value).flatMap((item) => referencesIn(item ?? null)) : [];
}

export function holdsReference(value: Json | undefined): boolean {
  if (isReference(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsReference);
}

export function resolveText(text: string, idOf: (address: Address) => string | undefined): string {
  return text.replaceAll(PLACEHOLDER, (whole, address: Address) => idOf(address) ?? whole);
}

/** A value within a nested value. `path` is for people and rules; only `segments` is exact, because a name may contain a dot. */
export interface Leaf {
  readonly path: string;
  readonly segments: readonly string[];
  readonly value: Json;
}

/** Returns all leaves, sorted by key at each level. Every value is a leaf, except a non-empty object that is no reference. */
export function leavesOf(value: JsonObject, under: readonly string[] = []): readonly Leaf[] {
  const leaves: Leaf[] = [];
  for (const key of Object.keys(value).sort()) {
    const segments = [...under, key];
    const inner = value[key] ?? null;
    if (isJsonObject(inner) && Object.keys(inner).length > 0 && !isReference(inner))
      leaves.push(...leavesOf(inner, segments));
    else leaves.push({ path: segments.join('.'), segments, value: inner });
  }
  return leaves;
}

export function valueAt(value: Json | undefined, segments: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const segment of segments) {
    if (!isJsonObject(at) || !Object.hasOwn(at, segment)) return undefined;
    at = at[segment];
  }
  return at;
}

export function withValue(value: JsonObject, segments: readonly string[], leaf: Json): JsonObject {
  const [first, ...rest] = segments;
  if (first === undefined) return value;
  const inner = Object.hasOwn(value, first) ? value[first] : undefined;
  return { ...value, [first]: rest.length === 0 ? leaf : withValue(objectOf(inner), rest, leaf) };
}

export function mergeDeep(value: JsonObject, over: JsonObject): JsonObject {
  const members = Object.entries(over);
  if (members.length === 0) return value;
  const merged: Record<string, Json> = { ...value };
  for (const [key, inner] of members) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    merged[key] = isJsonObject(inner) && isJsonObject(below) ? mergeDeep(below, inner) : inner;
  }
  return merged;
}

/** True if `path` is `pattern` or lies within it: `settings` covers `settings.pg_settings.work_mem`. */
export function coversPath(pattern: string, path: string): boolean {
  return path === pattern || path.startsWith(`${pattern}.`);
}
