// What can be wrong within one branch: contradictions, and names that could not be told from ids.
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryProblem } from '../../../config/kind-section.ts';
import { nameProblem } from '../../../config/check/names.ts';
import { besideAbsence, contradiction, error } from '../../shared/problems.ts';

export function entryProblems({ name, value }: Entry): readonly EntryProblem[] {
  return CHECKS.flatMap((check) => check(value, name) ?? []);
}

type Check = (value: JsonObject, name: string) => EntryProblem | null;

/** Keys that contradict each other, and why. */
const EXCLUSIVE: readonly (readonly [string, string, string])[] = [
  ['ttl', 'expires_at', '`ttl` is renewed by every apply, and `expires_at` is not: write one of the two'],
  ['new', 'id', 'a new branch has no id yet'],
  ['new', 'renamed_from', 'a new branch has no former name'],
];

/** What says how a branch shall be says nothing of one that shall be gone. */
const OF_PRESENT = ['new', 'renamed_from', 'default', 'protected', 'ttl', 'expires_at', 'init_source'];

const CHECKS: readonly Check[] = [
  (_value, name) =>
    name.startsWith('br-')
      ? error([], 'reserved_label', 'a label cannot begin with `br-`: trueup would read the label as an id', {
          hint: 'Choose another label, and write its name in the API as `name:`.',
        })
      : null,
  ({ name }) => {
    const problem = typeof name === 'string' ? nameProblem(name) : null;
    return problem === null ? null : error(['name'], 'bad_name', problem);
  },
  (value) => {
    const found = EXCLUSIVE.find(([one, other]) => isWritten(value[one]) && isWritten(value[other]));
    if (found === undefined) return null;
    const [one, other, why] = found;
    return contradiction(one, other, { why });
  },
  (value) => {
    const other = OF_PRESENT.find((key) => isWritten(value[key]));
    return value['state'] === 'absent' && other !== undefined ? besideAbsence(other) : null;
  },
  ({ from }) =>
    isJsonObject(from) && from['at'] !== undefined && from['lsn'] !== undefined
      ? error(['from', 'lsn'], 'contradiction', '`at` and `lsn` both name the point in history to copy', {
          hint: 'Write one of the two keys.',
          related: { message: '`at` is written here', path: ['from', 'at'] },
        })
      : null,
  (value) =>
    value['default'] === false
      ? error(['default'], 'default_false', '`default: false` has no effect: a project always has a default branch', {
          hint: 'Write `default: true` on the branch that becomes the default.',
        })
      : null,
  (value) => {
    const kept = ['default', 'protected'].find((key) => value[key] === true);
    const expiry = ['ttl', 'expires_at'].find((key) => isWritten(value[key]));
    return kept !== undefined && expiry !== undefined
      ? error([expiry], 'expiry_refused', `a branch that is ${kept} cannot expire`, {
          hint: 'Remove one of the two keys.',
          related: { message: `\`${kept}\` is written here`, path: [kept] },
        })
      : null;
  },
];

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
