// Compares attributes by their normal form, so that two spellings of one value are equal.
import { compareText, isJsonObject, jsonEqual, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Pool } from '../../model/outcome/plan.ts';
import { leavesOf, valueAt, type Leaf } from '../../model/paths.ts';
import { isReference } from '../../model/reference.ts';

/** Returns the normal form of a value at a dotted `path`; `beside` is the value to compare with, `of` the spec that contains it. */
export type Canonical = (path: string, value: Json | undefined, beside?: Json, of?: JsonObject) => Json;

/** The leaves of `wanted` that `spec` lacks or has with another meaning; an empty object is nothing to compare. */
export function disagreements(wanted: JsonObject, spec: JsonObject, canonical: Canonical): readonly Leaf[] {
  return leavesOf(wanted).filter(({ path, segments, value }) => {
    if (isJsonObject(value) && !isReference(value)) return false;
    const have = valueAt(spec, segments);
    return !jsonEqual(canonical(path, value, have, wanted), canonical(path, have, value, spec));
  });
}

export function shows(spec: JsonObject, wanted: JsonObject, canonical: Canonical): boolean {
  return disagreements(wanted, spec, canonical).length === 0;
}

interface Known {
  readonly claimed: ReadonlySet<ResourceId>;
  readonly canonical: Canonical;
}

/** The resources that match the pool, and that neither the plan nor this run knows, oldest first. */
export function strangersIn(
  pool: Pool,
  live: readonly LiveResource[],
  { claimed, canonical }: Known,
): readonly LiveResource[] {
  return live
    .filter(({ id, spec }) => !claimed.has(id) && !pool.known.includes(id) && shows(spec, pool.where, canonical))
    .sort((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id));
}
