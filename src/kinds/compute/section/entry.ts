// What can be wrong within one compute: contradictions, sizes, and what is missing.
import { tableSizes, sizeOf } from '../../../api/size-table.ts';
import type { JsonObject } from '../../../base/json.ts';
import type { Entry, EntryProblem } from '../../../config/kind-section.ts';
import { besideAbsence, error, sizesProblem } from '../../shared/problems.ts';

export interface EntryFacts {
  readonly branchId: string | null;
  readonly movedFrom: string | null;
  readonly spec: JsonObject;
}

type Check = (value: JsonObject, facts: EntryFacts, name: string) => EntryProblem | null;

export function entryProblems(entry: Entry, facts: EntryFacts): readonly EntryProblem[] {
  let found: EntryProblem[] | undefined;
  for (const check of CHECKS) {
    const problem = check(entry.value, facts, entry.name);
    if (problem !== null) (found ??= []).push(problem);
  }
  for (const name of SIZES) {
    const size = facts.spec[name];
    if (typeof size === 'number' && sizeOf(size) === undefined) (found ??= []).push(sizeWarning(name, size));
  }
  return found ?? NONE;
}

const NONE: readonly EntryProblem[] = [];
const SIZES = ['autoscaling_limit_min_cu', 'autoscaling_limit_max_cu'];

const CHECKS: readonly Check[] = [
  (_value, _facts, name) =>
    name.startsWith('ep-')
      ? error(
          [],
          'reserved_label',
          'a label cannot begin with `ep-`, because addresses of unlisted computes begin so',
          {
            hint: 'Choose another label and pin the compute with `id:`.',
          },
        )
      : null,
  (value) =>
    value['branch'] !== undefined && value['branch_id'] !== undefined
      ? error(['branch_id'], 'branch_twice', '`branch` and `branch_id` both name the branch', {
          hint: 'Write one of the two keys.',
          atKey: true,
          related: { message: '`branch` is written here', path: ['branch'] },
        })
      : null,
  (value) =>
    value['branch'] === undefined && value['branch_id'] === undefined && value['id'] === undefined
      ? error([], 'missing_key', 'the key `branch` is missing', {
          hint: 'Write `branch:` with a label or a branch id, or pin a live compute with `id:`.',
          missing: true,
        })
      : null,
  (value) => {
    const other = ['id', 'moved_from'].find((key) => value[key] !== undefined);
    return value['new'] === true && other !== undefined
      ? error(['new'], 'contradiction', `\`new: true\` and \`${other}\` contradict each other`, {
          hint: 'A new compute has neither an id nor a former branch: remove one of the two keys.',
          atKey: true,
          related: { message: `\`${other}\` is written here`, path: [other] },
        })
      : null;
  },
  (value) => {
    const other = ['new', 'moved_from', 'restart'].find((key) => value[key] !== undefined);
    return value['state'] === 'absent' && other !== undefined ? besideAbsence(other) : null;
  },
  (value, { movedFrom }) =>
    movedFrom !== null && value['type'] === 'read_only'
      ? error(['moved_from'], 'contradiction', '`moved_from` is for a primary; this is a read replica', {
          hint: 'Pin the replica with `id:` and write its new branch.',
          related: { message: '`type` is written here', path: ['type'] },
        })
      : null,
  (_value, { movedFrom, branchId }) =>
    movedFrom !== null && movedFrom === branchId
      ? error(['moved_from'], 'contradiction', '`moved_from` and `branch` name the same branch', {
          hint: 'Remove `moved_from` once the move is done.',
        })
      : null,
  (_value, { spec }) => sizesProblem(spec, []),
];

/** The service decides which sizes exist: those off the published table are only warned of. */
function sizeWarning(name: string, size: number): EntryProblem {
  return {
    severity: 'warning',
    code: 'size_off_table',
    message: `${size} is not a size of the published table`,
    hint: `Its sizes are ${tableSizes.join(', ')}.`,
    path: [name],
  };
}
