// Live computes as entries of a file, with the names and values that a person would write.
import { formatDuration } from '../../base/time/duration.ts';
import { compareText, isJsonObject, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import type { WrittenAmong, WrittenEntry } from '../../config/kind-section.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { LiveResource } from '../../model/live.ts';
import { attributes } from './attributes.ts';
import { canonicalAt, writableOf } from '../../model/attributes.ts';

/** The primary of the default branch is `primary`, and other computes get a name from the label of their branch. */
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
    // The label of a compute cannot begin like an id.
    const isUsable = label !== undefined && !label.startsWith('ep-');
    if (isPrimary(live)) return isUsable ? `${label}-primary` : `primary-${branch.replace(/^br-/, '')}`;
    // If the name is taken, the caller counts the number up.
    return isUsable ? `${label}-replica-1` : 'replica-1';
  };
  return [...primaries, ...others].map((live) => entryOf(live, nameOf(live)));
}

/** Longer labels of branches are cut, to leave room for the suffix. */
const MOST_OF_LABEL = 40;

/** The default branch; without a list of branches, the branch of the only primary. Null if unknown. */
function mainBranch(around: readonly LiveResource[]): ResourceId | null {
  const main = around.find(({ kind, spec }) => kind === 'branch' && spec['default'] === true);
  if (main !== undefined) return main.id;
  const [first, ...more] = around.filter((one) => one.kind === 'compute' && isPrimary(one));
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

function attributesOf(spec: JsonObject): JsonObject {
  const names = writableOf({ attributes }).filter((name) => !['branch_id', 'type', 'region_id'].includes(name));
  const written = names.flatMap((name): [string, Json][] => {
    const shown = shownValue(name, spec[name] ?? null);
    return shown === null ? [] : [[name, shown]];
  });
  return Object.fromEntries(written);
}

function shownValue(name: string, value: Json): Json | null {
  if (name === 'suspend_timeout_seconds' && typeof value === 'number')
    return value > 0 ? formatDuration(value * 1000) : value;
  if (name !== 'settings') return value;
  const groups = Object.entries(objectOf(canonicalAt({ attributes }, name, value))).filter(
    ([group]) => attributes[`settings.${group}`] !== undefined,
  );
  return groups.length === 0 ? null : withNumbers(Object.fromEntries(groups));
}

/** The service shows parameters as text; a file writes whole numbers as numbers. */
function withNumbers(value: Json): Json {
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => compareText(a, b));
    return Object.fromEntries(members.map(([name, inner]) => [name, withNumbers(inner)]));
  }
  return typeof value === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value;
}
