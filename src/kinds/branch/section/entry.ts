// What can be wrong within one branch: contradictions, and names that could not be told from ids.
import { isJsonObject, type JsonObject } from '../../../base/json.ts';
import type { Entry, EntryProblem } from '../../../config/kind-section.ts';
import { nameProblem } from '../../../config/check/names.ts';
import { besideAbsence, error } from '../../shared/problems.ts';

export function entryProblems({ name, value }: Entry): readonly EntryProblem[] {
  return CHECKS.flatMap((check) => check(value, name) ?? []);
}

type Check = (value: JsonObject, name: string) => EntryProblem | null;

/** Keys that contradict each other, and why. */
const EXCLUSIVE: readonly (readonly [string, string, string])[] = [
  ['ttl', 'expires_at', 'a lease is renewed, and an expiry is not: write one of them'],
  ['new', 'id', 'a new branch has no id yet'],
  ['new', 'renamed_from', 'a new branch has no former name'],
];

/** What says how a branch shall be says nothing of one that shall be gone. */
const OF_PRESENT = ['new', 'renamed_from', 'default', 'protected', 'ttl', 'expires_at', 'init_source'];

const CHECKS: readonly Check[] = [
  (_value, name) =>
    name.startsWith('br-')
      ? error([], 'reserved_label', 'a label cannot begin with `br-`: it would be read as an id', {
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
    return error([other], 'contradiction', `\`${one}\` and \`${other}\` contradict each other: ${why}`, {
      atKey: true,
      hint: 'Remove one of the two.',
      related: { message: `\`${one}\` stands here`, path: [one] },
    });
  },
  (value) => {
    const other = OF_PRESENT.find((key) => isWritten(value[key]));
    return value['state'] === 'absent' && other !== undefined ? besideAbsence(other) : null;
  },
  ({ from }) =>
    isJsonObject(from) && from['at'] !== undefined && from['lsn'] !== undefined
      ? error(['from', 'lsn'], 'contradiction', '`at` and `lsn` say the same: where in its history it begins', {
          hint: 'Write one of them.',
          related: { message: '`at` stands here', path: ['from', 'at'] },
        })
      : null,
  (value) =>
    value['default'] === false
      ? error(['default'], 'default_false', 'a branch stops being the default one by another becoming it', {
          hint: 'Write `default: true` at the branch that shall be it.',
        })
      : null,
  (value) => {
    const kept = ['default', 'protected'].find((key) => value[key] === true);
    const expiry = ['ttl', 'expires_at'].find((key) => isWritten(value[key]));
    return kept !== undefined && expiry !== undefined
      ? error([expiry], 'expiry_refused', `a branch that is ${kept} cannot expire`, {
          hint: 'Remove one of the two.',
          related: { message: `\`${kept}\` stands here`, path: [kept] },
        })
      : null;
  },
];

function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}
