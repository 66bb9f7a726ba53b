// Live computes as entries of a file: the names and values that a person would write.
import { formatDuration } from '../../../base/time/duration.ts';
import { compareText, isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { WrittenEntry } from '../../../config/kind-section.ts';
import type { LiveResource } from '../../../model/live.ts';
import { sharedAttributes } from './attributes.ts';

/**
 * `primary` where the project has one primary, else `primary-` and the rest of its branch's id; `replica-1` and so on by age.
 * Primaries stand before replicas.
 */
export function writtenComputes(
  all: readonly LiveResource[],
  wanted: readonly LiveResource[],
): readonly WrittenEntry[] {
  const isOnly = all.filter(isPrimary).length < 2;
  const primaries = wanted.filter(isPrimary).sort((a, b) => compareText(branchOf(a), branchOf(b)) || byAge(a, b));
  const others = wanted.filter((live) => !isPrimary(live)).sort(byAge);
  return [
    ...primaries.map((live) => entryOf(live, isOnly ? 'primary' : `primary-${branchOf(live).replace(/^br-/, '')}`)),
    ...others.map((live, at) => entryOf(live, `replica-${at + 1}`)),
  ];
}

function isPrimary({ spec }: LiveResource): boolean {
  return spec['type'] === 'read_write';
}

function branchOf({ spec }: LiveResource): string {
  return String(spec['branch_id'] ?? '');
}

function byAge(a: LiveResource, b: LiveResource): number {
  return (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id);
}

function entryOf(live: LiveResource, name: string): WrittenEntry {
  const type = isPrimary(live) ? {} : { type: live.spec['type'] ?? 'read_only' };
  const identity = { id: live.id, branch_id: branchOf(live), ...type };
  return { id: live.id, name, isApiName: false, identity, attributes: attributesOf(live.spec) };
}

/** What a file may manage, in the file's order; empty settings say nothing. */
function attributesOf(spec: JsonObject): JsonObject {
  const names = ['name', ...sharedAttributes];
  const written = names.flatMap((name): [string, Json][] => {
    const value = spec[name];
    if (value === undefined || value === null) return [];
    const shown = shownValue(name, value);
    return shown === null ? [] : [[name, shown]];
  });
  return Object.fromEntries(written);
}

/** The value in the words of a person; null for one that says nothing. */
function shownValue(name: string, value: Json): Json | null {
  if (name === 'settings') return isJsonObject(value) ? settingsOf(value) : null;
  if (name !== 'suspend_timeout_seconds' || typeof value !== 'number') return value;
  return value > 0 ? formatDuration(value * 1000) : value;
}

function settingsOf(settings: JsonObject): JsonObject | null {
  const groups = ['pg_settings', 'pgbouncer_settings', 'preload_libraries'].flatMap((name): [string, JsonObject][] => {
    const group = settings[name];
    if (!isJsonObject(group) || Object.keys(group).length === 0) return [];
    const members = Object.entries(group).sort(([a], [b]) => compareText(a, b));
    return [[name, Object.fromEntries(members.map(([key, value]) => [key, parameterOf(value)]))]];
  });
  return groups.length === 0 ? null : Object.fromEntries(groups);
}

/** Parameters are text on the wire; whole numbers are written as such. */
function parameterOf(value: Json): Json {
  if (typeof value !== 'string' || !/^(0|[1-9][0-9]{0,14})$/.test(value)) return value;
  return Number(value);
}
