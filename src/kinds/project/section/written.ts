// Writes live projects as entries of a file, without the settings that the service chose.
import { isJsonObject, jsonEqual, type Json, type JsonObject } from '../../../base/json.ts';
import { picked } from '../../../base/picked.ts';
import type { WrittenEntry } from '../../../config/kind-section.ts';
import { leavesOf, withValue } from '../../../model/paths.ts';
import type { LiveResource } from '../../../model/live.ts';
import { canonical } from '../attributes.ts';

export function writtenProjects(wanted: readonly LiveResource[]): readonly WrittenEntry[] {
  return wanted.map(({ id, spec }) => ({
    id,
    name: String(spec['name'] ?? id),
    isApiName: false,
    identity: creationOf(spec),
    attributes: settingsOf(spec),
  }));
}

/** With these values, the file allows to create the project again. */
function creationOf(spec: JsonObject): JsonObject {
  return { create: picked(spec, ['region_id', 'pg_version']) };
}

/** Settings that differ from their defaults, or have no known default. */
function settingsOf(spec: JsonObject): JsonObject {
  const { default_endpoint_settings: defaults, settings } = spec;
  let written: JsonObject = picked(spec, ['history_retention_seconds']);
  const nested: JsonObject = { default_endpoint_settings: defaults ?? {}, settings: settings ?? {} };
  for (const { path, segments, value } of leavesOf(nested))
    if (!isDefault(path, value)) written = withValue(written, segments, value);
  return written;
}

function isDefault(path: string, value: Json): boolean {
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return jsonEqual(canonical(path, value), canonical(path, undefined));
}
