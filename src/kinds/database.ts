// Databases: name and owner change in place (api-rules 10). Their ids survive a rename.
import type { DatabaseListItem } from '../api/index.ts';
import { textOf } from '../base/json.ts';
import type { Entry, EntryProblem } from '../config/kind-section.ts';
import type { LiveResource } from '../model/live.ts';
import type { Effect, EffectInput } from '../plan/kind-rules.ts';
import { defineKind, type Kind } from './define.ts';
import { nameOfA, plain } from './attributes.ts';
import { checkNames, nameProblemOf, onABranch, reservedName, strangerIn } from './shared/branch-contents.ts';
import {
  computesOn,
  COPY_DROPPED,
  effectOf,
  lastUseOf,
  lastUseTold,
  NOTHING,
  stakeOf,
  together,
} from './shared/effects.ts';
import { contradiction } from './shared/problems.ts';

export const database: Kind = defineKind<DatabaseListItem>({
  ...onABranch('database'),
  wire: {
    list: 'DatabaseListing',
    items: 'databases',
    reply: 'DatabaseWritten',
    item: 'database',
    problemOf: (items, { parentId = '' }) => strangerIn(items, parentId, 'database'),
  },
  // A child branch may have databases with the ids of its parent's, so the branch is a part of the id.
  idOf: ({ id }, branchId) => `${branchId}/${id}`,
  attributes: {
    name: plain({ tells: true, isIdentity: true, formerly: 'renamed_from' }),
    owner: {
      ...nameOfA('role', { isIdentity: true }),
      wire: 'owner_name',
      refersTo: { kind: 'role', field: 'name', among: 'siblings', onRemoval: 'holds' },
    },
  },
  observed: ['created_at', 'updated_at'],
  consentWords: ['drop'],
  contents: {
    kinds: ['compute'],
    of: () => [],
    stake: (live, around) => stakeOf(servedBy(live, around), []),
    lastUse: (live, around) => lastUseOf(servedBy(live, around)),
  },
  effects: { update: changed, delete: dropped },
  problems: (entry) => [
    nameProblemOf(entry.name, 'database'),
    RESERVED.has(entry.name) ? reservedName(entry.name) : null,
    ...contradictions(entry),
  ],
  check: (resources, context) => checkNames(resources, context, { owner: 'role' }),
});

const RESERVED: ReadonlySet<string> = new Set(['postgres', 'template0', 'template1']);

function contradictions({ value }: Entry): readonly EntryProblem[] {
  const pairs = [
    ['new', 'renamed_from', value['new'] === true],
    ['state', 'renamed_from', value['state'] === 'absent'],
    ['state', 'new', value['state'] === 'absent' && value['new'] === true],
  ] as const;
  return pairs
    .filter(([, other, holds]) => holds && value[other] !== undefined)
    .map(([one, other]) => contradiction(one, other, { value: String(value[one]) }));
}

/** All computes of the branch: any of them may serve clients of the database. */
function servedBy({ parentId = '' }: LiveResource, around: readonly LiveResource[]): readonly LiveResource[] {
  return computesOn(parentId, around);
}

function changed({ attributes, isBelowUnborn = false }: EffectInput): Effect {
  const effects = attributes.map(({ path, before }): Effect => {
    const renamed = `drops open connections; clients that use the name ${JSON.stringify(before)} can no longer connect`;
    if (path === 'name') return effectOf('drops_connections', { words: renamed });
    const owner = textOf(before) ?? 'its owner';
    const words = `${owner} can no longer create objects in schema public, nor alter objects of other roles; open connections stay`;
    return effectOf('access_changes', { words });
  });
  return isBelowUnborn ? NOTHING : together(...effects);
}

function dropped({ live, around, isBelowUnborn = false }: EffectInput): Effect {
  if (isBelowUnborn) return COPY_DROPPED;
  const used = lastUseTold(live === null ? [] : servedBy(live, around));
  const words = `deletes its data, which only a restore of the whole branch brings back; the branch: ${used.words}`;
  return { ...effectOf('data_lost', { words, ...used.facts }), impact: ['data_lost', 'drops_connections'] };
}
