// Roles in the file: what may be written, what it means, and what can be checked without the API.
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../config/kind-section.ts';
import { compareText } from '../../base/json.ts';
import { nameProblemOf } from '../branch-contents.ts';
import { PLACE } from './live-role.ts';

export const section: KindSection = {
  ...PLACE,
  // Their names tell them apart.
  hasPins: false,
  isKeyedByName: true,
  shared: [],
  attributes: ['no_login'],
  profileKey: () => null,
  meaning,
  normalise: (path, value) =>
    path === 'no_login' && typeof value === 'boolean' ? { value } : { problem: 'expected true or false' },
  check: () => [],
  written: (_all, wanted) =>
    [...wanted]
      .sort((a, b) => compareText(a.id, b.id))
      .map(({ id, spec }) => ({
        id,
        name: String(spec['name']),
        isApiName: true,
        identity: {},
        attributes: spec['no_login'] === true ? { no_login: true } : {},
      })),
};

function meaning({ name, value }: Entry): EntryMeaning {
  const problems = [nameProblemOf(name, 'role'), reservedProblem(name)].filter((problem) => problem !== null);
  const isAbsent = value['state'] === 'absent';
  return {
    spec: { name, ...(isAbsent || value['no_login'] === undefined ? {} : { no_login: value['no_login'] }) },
    options: {},
    movedFrom: null,
    via: null,
    places: {},
    problems,
  };
}

/** Postgres or the service keep these for themselves ("Roles": not pg*, …). */
const RESERVED = /^(?:pg.*|neon_superuser|cloud_admin|zenith_admin|public|none)$/;

function reservedProblem(name: string): EntryProblem | null {
  if (!RESERVED.test(name)) return null;
  return {
    severity: 'error',
    code: 'reserved_name',
    message: `${JSON.stringify(name)} is a name that Postgres or the service keeps for itself`,
    hint: 'Choose another name.',
    path: [],
    atKey: true,
  };
}
