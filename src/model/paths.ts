// Finds the leaves of a nested value, and reads and writes values along attribute paths.
import { isJsonObject, objectOf, type Json, type JsonObject } from '../base/json.ts';
import { isReference } from './reference.ts';

/** A value within a nested value. `path` is for people and rules; only `segments` is exact, because a name may contain a dot. */
export interface Leaf {
  readonly path: string;
  readonly segments: readonly string[];
  readonly value: Json;
}

/** Returns all leaves in order of path. A leaf is a reference, or any value that is not a non-empty object. */
export function leavesOf(value: JsonObject): Leaf[] {
  const leaves: Leaf[] = [];
  gatherLeaves(value, null, leaves);
  return leaves;
}

function gatherLeaves(value: JsonObject, under: readonly string[] | null, leaves: Leaf[]): void {
  for (const key of Object.keys(value).sort()) {
    const segments = under === null ? [key] : [...under, key];
    const inner = value[key] ?? null;
    if (isJsonObject(inner) && Object.keys(inner).length > 0 && !isReference(inner))
      gatherLeaves(inner, segments, leaves);
    else leaves.push({ path: under === null ? key : segments.join('.'), segments, value: inner });
  }
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
