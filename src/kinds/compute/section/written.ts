// Live computes as entries of a file: the names and values that a person would write.
import { formatDuration } from '../../../base/time/duration.ts';
import { compareText, isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { WrittenAmong, WrittenEntry } from '../../../config/kind-section.ts';
import type { ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { KIND, attributes } from '../attributes.ts';
import { writableOf } from '../../../model/attributes.ts';

/** The primary of the default branch is `primary`; any other compute is called after its branch, as far as that has a label. */
export function writtenComputes(
  wanted: readonly LiveResource[],
  { around, labels }: WrittenAmong,
): readonly WrittenEntry[] {
  const main = mainBranch(around);
  const primaries = wanted.filter(isPrimary).sort((a, b) => compareText(branchOf(a), branchOf(b)) || byAge(a, b));
  const others = wanted.filter((live) => !isPrimary(live)).sort(byAge);
  const nameOf = (live: LiveResource): string => {
    const branch = branchOf(live);
    if (isPrimary(live) && branch === main) return 'primary';
    const label = labels.get(branch)?.slice(0, MOST_OF_LABEL);
    // What begins like an id of a compute is no label for one.
    const isUsable = label !== undefined && !label.startsWith('ep-');
    if (isPrimary(live)) return isUsable ? `${label}-primary` : `primary-${branch.replace(/^br-/, '')}`;
    // Where that is taken, the next free number follows.
    return isUsable ? `${label}-replica-1` : 'replica-1';
  };
  return [...primaries, ...others].map((live) => entryOf(live, nameOf(live)));
}

/** So much of a branch's label leaves room in a compute's for what follows it. */
const MOST_OF_LABEL = 40;

/** The default branch; where branches were not read, the one that has the only primary. */
function mainBranch(around: readonly LiveResource[]): ResourceId | null {
  const main = around.find(({ kind, spec }) => kind === 'branch' && spec['default'] === true);
  if (main !== undefined) return main.id;
  const [first, ...more] = around.filter((one) => one.kind === KIND && isPrimary(one));
  return first === undefined || more.length > 0 ? null : branchOf(first);
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
  const names = writableOf({ attributes }).filter((name) => !['branch_id', 'type', 'region_id'].includes(name));
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
