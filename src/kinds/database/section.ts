// Databases in the file: what may be written, what it means, and what can be checked without the API.
import { compareText, textOf } from '../../base/json.ts';
import type { Entry, EntryMeaning, EntryProblem, KindSection } from '../../config/kind-section.ts';
import { checkNames, nameProblemOf, reservedName } from '../shared/branch-contents.ts';
import { error } from '../shared/problems.ts';
import { PLACE } from './live-database.ts';

export const section: KindSection = {
  ...PLACE,
  // Their names tell them apart.
  hasPins: false,
  isKeyedByName: true,
  attributes: ['owner'],
  meaning,
  normalise: (path, value) =>
    path === 'owner' && typeof value === 'string' ? { value } : { problem: 'expected the name of a role' },
  check: (resources, context) => checkNames(resources, context, { owner: 'role' }),
  written: (wanted) =>
    [...wanted]
      .sort((a, b) => compareText(String(a.spec['name']), String(b.spec['name'])))
      .map(({ id, spec }) => ({
        id,
        name: String(spec['name']),
        isApiName: true,
        identity: {},
        attributes: { owner: spec['owner'] ?? null },
        isConcise: true,
      })),
};

function meaning({ name, value }: Entry): EntryMeaning {
  const isAbsent = value['state'] === 'absent';
  const { owner } = value;
  return {
    spec: { name, ...(isAbsent || owner === undefined ? {} : { owner }) },
    options: {},
    movedFrom: textOf(value['renamed_from']),
    places: { name: 'renamed_from' },
    problems: [
      nameProblemOf(name, 'database'),
      RESERVED.has(name) ? reservedName(name) : null,
      ...contradictions(value),
    ].filter((problem) => problem !== null),
  };
}

/** Databases that every Postgres has, and the service does not give away. */
const RESERVED: ReadonlySet<string> = new Set(['postgres', 'template0', 'template1']);

function contradictions(value: Entry['value']): readonly EntryProblem[] {
  const pairs = [
    ['new', 'renamed_from', value['new'] === true],
    ['state', 'renamed_from', value['state'] === 'absent'],
    ['state', 'new', value['state'] === 'absent' && value['new'] === true],
  ] as const;
  return pairs
    .filter(([, other, holds]) => holds && value[other] !== undefined)
    .map(([one, other]) =>
      error([other], 'contradiction', `\`${one}: ${String(value[one])}\` and \`${other}\` contradict each other`, {
        hint: 'Remove one of the two.',
        atKey: true,
        related: { message: `\`${one}\` is written here`, path: [one] },
      }),
    );
}
