// Computes in the file: branches by label, restarts, and the mistakes that can be found without the API.
import { present } from '../../base/picked.ts';
import { sizeOf, tableSizes } from '../../api/size-table.ts';
import { isJsonObject, objectOf, type Json, type JsonObject } from '../../base/json.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import type { Entry, EntryMeaning, EntryProblem } from '../../config/kind-section.ts';
import { namedAs } from '../../model/attributes.ts';
import type { DesiredResource } from '../../model/desired.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { branchOf, branchTextOf } from '../shared/branch-labels.ts';
import { besideAbsence, clashes, contradiction, diagnosed, error, sizesProblem } from '../shared/problems.ts';
import { attributes } from './attributes.ts';

const BY_LABEL = { branch_id: 'branch' };
const NOTHING = {};

/** A compute without a type is a primary, unless the entry has only an id, which says neither type nor branch. */
export function meansOf(
  entry: Entry,
  spec: Record<string, Json>,
  problems: EntryProblem[],
): ReturnType<NonNullable<Means>> {
  const { value, project } = entry;
  const branchId = branchOf(value['branch'], project, ['branch'], problems);
  if (branchId !== null) spec['branch_id'] = branchId;
  if (spec['type'] === undefined && (value['id'] === undefined || spec['branch_id'] !== undefined))
    spec['type'] = 'read_write';
  const movedFrom = branchTextOf(branchOf(value['moved_from'], project, ['moved_from'], problems));
  const via = objectOf(value['lifecycle'])['via'];
  const isAbsent = value['state'] === 'absent';
  const restart =
    isJsonObject(value['restart']) && !isAbsent ? { restart: restartOf(value['restart'], problems) } : null;
  problems.push(...problemsOf(entry, spec, movedFrom));
  return {
    ...(restart === null ? NOTHING : { options: restart }),
    movedFrom,
    via: branchTextOf(branchOf(via, project, ['lifecycle', 'via'], problems)),
    places: value['branch'] === undefined ? NOTHING : BY_LABEL,
  };
}

type Means = (...of: never) => Partial<EntryMeaning>;

function restartOf({ not_before: notBefore, max_age: maxAge }: JsonObject, problems: EntryProblem[]): JsonObject {
  const notBeforeMs = millisecondsOf(notBefore);
  const maxAgeMs = typeof maxAge === 'string' || typeof maxAge === 'number' ? (parseDurationMs(maxAge) ?? 0) : null;
  const isTooShort = maxAgeMs !== null && maxAgeMs < 60_000;
  const message = 'expected a duration of at least one minute';
  if (isTooShort) problems.push(error(['restart', 'max_age'], 'bad_duration', message, { hint: 'For example 7d.' }));
  return present({ notBeforeMs, maxAgeMs: isTooShort ? null : maxAgeMs });
}

function problemsOf({ name, value }: Entry, spec: JsonObject, movedFrom: string | null): readonly EntryProblem[] {
  const other = (...keys: readonly string[]): string | undefined => keys.find((key) => value[key] !== undefined);
  const [rival, beside] = [other('id', 'moved_from'), other('new', 'moved_from', 'restart')];
  const found = [
    name.startsWith('ep-') &&
      error([], 'reserved_label', 'a label cannot begin with `ep-`, because trueup would read the label as an id', {
        hint: 'Choose another label and pin the compute with `id:`.',
      }),
    value['branch'] !== undefined &&
      value['branch_id'] !== undefined &&
      error(['branch_id'], 'branch_twice', '`branch` and `branch_id` both name the branch', {
        hint: 'Write one of the two keys.',
        atKey: true,
        related: { message: '`branch` is written here', path: ['branch'] },
      }),
    other('branch', 'branch_id', 'id') === undefined &&
      error([], 'missing_key', 'the key `branch` is missing', {
        hint: 'Write `branch:` with a label or a branch id, or pin a live compute with `id:`.',
        missing: true,
      }),
    value['new'] === true && rival !== undefined && contradiction('new', rival, { value: 'true' }),
    value['state'] === 'absent' && beside !== undefined && besideAbsence(beside),
    movedFrom !== null &&
      value['type'] === 'read_only' &&
      error(['moved_from'], 'contradiction', '`moved_from` is for a primary, but this compute is a read replica', {
        hint: 'Pin the replica with `id:` and write its new branch.',
        related: { message: '`type` is written here', path: ['type'] },
      }),
    movedFrom !== null &&
      movedFrom === branchTextOf(spec['branch_id']) &&
      error(['moved_from'], 'contradiction', '`moved_from` and `branch` name the same branch', {
        hint: 'Remove `moved_from` once the move is done.',
      }),
    sizesProblem(spec, []),
    ...['autoscaling_limit_min_cu', 'autoscaling_limit_max_cu'].map((path) => offTable(path, spec[path])),
  ];
  return found.filter((problem) => problem !== null && problem !== false);
}

/** The service decides which sizes exist, so an unknown size is only a warning. */
function offTable(path: string, size: Json | undefined): EntryProblem | null {
  if (typeof size !== 'number' || sizeOf(size) !== undefined) return null;
  return {
    severity: 'warning',
    code: 'size_off_table',
    message: `${size} is not a size of the published table`,
    hint: `Sizes are ${tableSizes.join(', ')}.`,
    path: [path],
  };
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
      problem: (first, other) => ({
        code: 'two_primaries',
        message: `${first.address} and ${other.address} are both the primary of one branch`,
      }),
    }),
    ...clashes(present, {
      of: ({ movedFrom }) => movedFrom,
      at: 'moved_from',
      hint: 'Remove `moved_from` from one of the two computes.',
      problem: (first, other) => ({
        code: 'moved_twice',
        message: `the primary of one branch cannot move to both ${first.address} and ${other.address}`,
      }),
    }),
    ...clashes(resources, {
      of: (resource) => {
        const [branch, name] = [branchTextOf(resource.spec['branch_id']), nameOfReplica(resource)];
        return branch === null || name === null ? null : [branch, name];
      },
      at: 'name',
      hint: 'Write another `name` at one of the replicas, or pin a replica with `id:`.',
      problem: (first, other) => ({
        code: 'duplicate_name',
        message: `${first.address} and ${other.address} are replicas of one branch with the same name in the API`,
      }),
    }),
    ...resources.flatMap((resource) => nameTooLong(resource) ?? []),
  ];
}

/** The API name that identifies a replica; null for a pinned replica and for a primary, which need no name. */
function nameOfReplica(resource: DesiredResource): string | null {
  return resource.spec['type'] === 'read_only' && resource.pin === null ? namedAs({ attributes }, resource) : null;
}

function nameTooLong(resource: DesiredResource): Diagnostic | null {
  const { length } = nameOfReplica(resource) ?? '';
  if (length <= LONGEST_NAME) return null;
  return diagnosed(resource, 'name', {
    severity: 'error',
    code: 'bad_name',
    message: `the label of ${resource.address} becomes the name of the replica, and has ${length} characters; a name has at most ${LONGEST_NAME}`,
    hint: 'Write a shorter `name`, or a shorter label.',
  });
}
