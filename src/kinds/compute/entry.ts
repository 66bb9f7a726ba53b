// Reads and writes the entries of computes in a file: names branches by label, handles restarts, and finds mistakes without the API.
import { compareText, isJsonObject, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { listed, present } from '../../base/picked.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { formatDuration, parseDurationMs } from '../../base/time/duration.ts';
import type { Entry, EntryMeaning, EntryProblem, WrittenAmong, WrittenEntry } from '../../config/kind-section.ts';
import { canonicalAt, namedAs, writableOf } from '../../model/attributes.ts';
import { errorAt, type DesiredResource, type ResourceId } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { LiveResource } from '../../model/live.ts';
import { branchOf, branchTextOf } from '../shared/branch-labels.ts';
import { badName, clashes, error, likeAnId, missingKey, sizesProblem, type Exclusion } from '../shared/problems.ts';
import { attributes } from './attributes.ts';

/** An entry without `type` declares a primary, unless the entry has an `id` and no branch: then the type stays unset. */
export function meansOf(
  { value, project }: Entry,
  spec: Record<string, Json>,
  problems: EntryProblem[],
): Partial<EntryMeaning> {
  const branchId = branchOf(value['branch'], project, ['branch'], problems);
  if (branchId !== null) spec['branch_id'] = branchId;
  if (spec['type'] === undefined && (value['id'] === undefined || spec['branch_id'] !== undefined))
    spec['type'] = 'read_write';
  const movedFrom = branchTextOf(branchOf(value['moved_from'], project, ['moved_from'], problems));
  const via = objectOf(value['lifecycle'])['via'];
  const { restart, state } = value;
  return {
    ...(isJsonObject(restart) && state !== 'absent' ? { options: { restart: restartOf(restart, problems) } } : {}),
    movedFrom,
    via: branchTextOf(branchOf(via, project, ['lifecycle', 'via'], problems)),
    places: value['branch'] === undefined ? {} : { branch_id: 'branch' },
  };
}

export const exclusions: readonly Exclusion[] = [
  ['new', true, ['id', 'moved_from']],
  ['branch', undefined, ['branch_id'], 'both name the branch'],
  ['type', 'read_only', ['moved_from'], '`moved_from` is for a primary, and a pinned replica moves to its `branch`'],
  ['state', 'absent', ['new', 'moved_from', 'restart']],
];

function restartOf({ not_before: notBefore, max_age: maxAge }: JsonObject, problems: EntryProblem[]): JsonObject {
  const notBeforeMs = millisecondsOf(notBefore);
  const maxAgeMs = parseDurationMs(maxAge);
  const isTooShort = maxAgeMs !== undefined && maxAgeMs < 60_000;
  const message = 'expected a duration of at least one minute';
  if (isTooShort) problems.push(error(['restart', 'max_age'], 'bad_duration', message, 'For example 7d.'));
  return present({ notBeforeMs, maxAgeMs: isTooShort ? null : maxAgeMs });
}

export function entryProblems({ name, value }: Entry): readonly (EntryProblem | null)[] {
  const hint = 'Write `branch:` with a label or a branch id, or pin a live compute with `id:`.';
  return [
    likeAnId(name, 'ep-'),
    badName(value['name'], ['name']),
    missingKey(value, ['branch', 'branch_id', 'id'], hint),
    sizesProblem(value, []),
  ];
}

/** The service accepts names of at most this many characters. */
const LONGEST_NAME = 64;

export function checkComputes(resources: readonly DesiredResource[]): readonly Diagnostic[] {
  const present = resources.filter(({ absent }) => !absent);
  return [
    ...clashes(present, {
      of: ({ spec }) => (spec['type'] === 'read_write' ? branchTextOf(spec['branch_id']) : null),
      at: 'branch_id',
      hint: 'A branch has at most one read_write compute: give one of the computes `type: read_only`, or another branch.',
      code: () => 'two_primaries',
      words: (first, other) => `${first} and ${other} are both the primary of one branch`,
    }),
    ...clashes(present, {
      of: ({ movedFrom }) => movedFrom,
      at: 'moved_from',
      hint: 'Remove `moved_from` from one of the two computes.',
      code: () => 'moved_twice',
      words: (first, other) => `the primary of one branch cannot move to both ${first} and ${other}`,
    }),
    ...clashes(resources, {
      of: (resource) => {
        const [branch, name] = [branchTextOf(resource.spec['branch_id']), nameOfReplica(resource)];
        return branch === null || name === null ? null : [branch, name];
      },
      at: 'name',
      hint: 'Write another `name` at one of the replicas, or pin a replica with `id:`.',
      code: () => 'duplicate_name',
      words: (first, other) => `${first} and ${other} are replicas of one branch with the same name in the API`,
    }),
    ...listed(...resources.map(nameTooLong)),
  ];
}

/** Returns the API name that identifies a replica. Null for a pinned replica and for a primary, because the pin or the branch identifies them. */
function nameOfReplica(resource: DesiredResource): string | null {
  return resource.spec['type'] === 'read_only' && resource.pin === null ? namedAs({ attributes }, resource) : null;
}

function nameTooLong(resource: DesiredResource): Diagnostic | null {
  const { length } = nameOfReplica(resource) ?? '';
  if (length <= LONGEST_NAME) return null;
  const message = `the label of ${resource.address} becomes the name of the replica, and has ${length} characters; a name has at most ${LONGEST_NAME}`;
  return errorAt(resource, 'name', 'bad_name', message, 'Write a shorter `name`, or a shorter label.');
}

/** Chooses names: `primary` for the primary of the default branch, and the label of the branch for other computes. */
export function writtenComputes(
  wanted: readonly LiveResource[],
  { around, labels }: WrittenAmong,
): readonly WrittenEntry[] {
  const main = mainBranch(around);
  const primaries = wanted.filter(isPrimary).sort((a, b) => compareText(branchIdOf(a), branchIdOf(b)) || byAge(a, b));
  const others = wanted.filter((live) => !isPrimary(live)).sort(byAge);
  const nameOf = (live: LiveResource): string => {
    const branch = branchIdOf(live);
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

/** Returns the default branch; without a list of branches, the branch of the only primary. Null if unknown. */
function mainBranch(around: readonly LiveResource[]): ResourceId | null {
  const main = around.find(({ kind, spec }) => kind === 'branch' && spec['default'] === true);
  if (main !== undefined) return main.id;
  const [first, ...more] = around.filter((one) => one.kind === 'compute' && isPrimary(one));
  return first === undefined || more.length > 0 ? null : branchIdOf(first);
}

function isPrimary({ spec }: LiveResource): boolean {
  return spec['type'] === 'read_write';
}

function branchIdOf({ spec }: LiveResource): string {
  return String(spec['branch_id'] ?? '');
}

function byAge(a: LiveResource, b: LiveResource): number {
  return (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0) || compareText(a.id, b.id);
}

function entryOf(live: LiveResource, name: string): WrittenEntry {
  const type = isPrimary(live) ? {} : { type: live.spec['type'] ?? 'read_only' };
  const identity = { id: live.id, branch_id: branchIdOf(live), ...type };
  return { id: live.id, name, isApiName: false, identity, attributes: attributesOf(live.spec) };
}

function attributesOf(spec: JsonObject): JsonObject {
  const names = writableOf({ attributes }).filter((name) => !['branch_id', 'type', 'region_id'].includes(name));
  const shown = names.map((name) => [name, shownValue(name, spec[name] ?? null)] as const);
  return Object.fromEntries(shown.filter(([, value]) => value !== null));
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

/** The service shows parameters as text, but trueup writes whole numbers as numbers. */
function withNumbers(value: Json): Json {
  if (isJsonObject(value)) {
    const members = Object.entries(value).sort(([a], [b]) => compareText(a, b));
    return Object.fromEntries(members.map(([name, inner]) => [name, withNumbers(inner)]));
  }
  return typeof value === 'string' && /^(0|[1-9][0-9]{0,14})$/.test(value) ? Number(value) : value;
}
