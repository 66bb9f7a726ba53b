// Roles in the file: what may be written, what it means, and what can be checked without the API.
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../config/kind-section.ts';
import { compareText, isJsonObject, type JsonObject } from '../../base/json.ts';
import { storedAt, targetsOf } from '../shared/secret-places.ts';
import { rotationIn } from '../shared/secret-rotation.ts';
import { nameProblemOf, reservedName } from '../shared/branch-contents.ts';
import { error } from '../shared/problems.ts';
import { PLACE } from './live-role.ts';

export const section: KindSection = {
  ...PLACE,
  // Their names tell them apart.
  hasPins: false,
  isKeyedByName: true,
  attributes: ['no_login'],
  meaning,
  normalise: (path, value) =>
    path === 'no_login' && typeof value === 'boolean' ? { value } : { problem: 'expected true or false' },
  stores: (resource) => storedAt(resource, 'password'),
  check: () => [],
  written: (wanted) =>
    [...wanted]
      .sort((a, b) => compareText(a.id, b.id))
      .map(({ id, spec }) => ({
        id,
        name: String(spec['name']),
        isApiName: true,
        identity: {},
        attributes: spec['no_login'] === true ? { no_login: true } : {},
        isConcise: true,
      })),
};

function meaning({ name, value }: Entry): EntryMeaning {
  const problems: EntryProblem[] = [
    nameProblemOf(name, 'role'),
    RESERVED.test(name) ? reservedName(name) : null,
  ].filter((problem) => problem !== null);
  const isAbsent = value['state'] === 'absent';
  const options = isAbsent ? {} : optionsOf(value, problems);
  return {
    spec: { name, ...(isAbsent || value['no_login'] === undefined ? {} : { no_login: value['no_login'] }) },
    options,
    problems,
  };
}

/** `secret`: the places for its password · `rotate`: `everyMs` and `notBeforeMs`. */
function optionsOf(value: Entry['value'], problems: EntryProblem[]): JsonObject {
  const secret = targetsOf(value['password'], 'password', problems);
  const { rotate } = value;
  if (value['no_login'] === true)
    problems.push(...['password', 'rotate'].filter((key) => value[key] !== undefined).map(withoutLogin));
  return {
    ...(secret.length === 0 ? {} : { secret }),
    ...(isJsonObject(rotate) ? { rotate: rotationIn(rotate, 'passwords', problems) } : {}),
  };
}

function withoutLogin(key: string): EntryProblem {
  const message = `\`no_login: true\` and \`${key}\` contradict each other: such a role has no password`;
  return error([key], 'contradiction', message, {
    hint: 'Remove one of the two.',
    atKey: true,
    related: { message: '`no_login` is written here', path: ['no_login'] },
  });
}

/** Postgres or the service keep these for themselves ("Roles": not pg*, …). */
const RESERVED = /^(?:pg.*|neon_superuser|cloud_admin|zenith_admin|public|none)$/;
