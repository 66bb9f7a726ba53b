// Databases: name and owner change in place (api-rules 10). A rename keeps the id.
import type { DatabaseListItem } from '../api/index.ts';
import { textOf } from '../base/json.ts';
import type { LiveResource } from '../model/live.ts';
import type { Effect, EffectInput } from '../plan/kind-rules.ts';
import { defineKind, type Kind, plain, text } from './define.ts';
import { checkNames, nameProblemOf, onABranch, reservedName, strangerIn } from './shared/branch-contents.ts';
import { present } from '../base/picked.ts';
import { bytesWords } from '../base/text/words.ts';
import {
  bytesOf,
  computesOn,
  COPY_DROPPED,
  effectOf,
  lastUseOf,
  lastUseTold,
  NOTHING,
  ofKind,
  stakeOf,
  together,
} from './shared/effects.ts';

export const database: Kind = defineKind<DatabaseListItem>({
  ...onABranch('database'),
  wire: {
    list: 'DatabaseListing',
    items: 'databases',
    reply: 'DatabaseWritten',
    item: 'database',
    problemOf: (items, { parentId = '' }) => strangerIn(items, parentId, 'database'),
  },
  // Databases of a branch and of its parent branch may have the same id, so trueup puts the branch before the id.
  idOf: ({ id }, branchId) => `${branchId}/${id}`,
  attributes: {
    name: plain({ tells: true, isIdentity: true, formerly: 'renamed_from' }),
    owner: {
      ...text({ isIdentity: true }),
      wire: 'owner_name',
      refersTo: { kind: 'role', field: 'name', among: 'siblings', onRemoval: 'holds' },
    },
  },
  observed: ['created_at', 'updated_at'],
  consentWords: ['drop'],
  contents: {
    kinds: ['compute'],
    of: () => [],
    stake: (live, around) => stakeOf(servedBy(live, around), holderOf(live, around), true),
    lastUse: (live, around) => lastUseOf(servedBy(live, around)),
  },
  effects: { update: changed, delete: dropped },
  excludes: [
    ['new', true, ['renamed_from']],
    ['state', 'absent', ['renamed_from', 'new']],
  ],
  problems: ({ name }) => [nameProblemOf(name, 'database'), RESERVED.has(name) && reservedName(name)],
  check: (resources, context) => checkNames(resources, context, { owner: 'role' }),
});

const RESERVED: ReadonlySet<string> = new Set(['postgres', 'template0', 'template1']);

/** All computes of the branch: any of them may serve clients of the database. */
function servedBy({ parentId = '' }: LiveResource, around: readonly LiveResource[]): readonly LiveResource[] {
  return computesOn(parentId, around);
}

function holderOf({ parentId }: LiveResource, around: readonly LiveResource[]): readonly LiveResource[] {
  return ofKind(around, 'branch').filter(({ id }) => id === parentId);
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
  const bytes = live === null ? null : bytesOf(holderOf(live, around));
  const size = bytes === null ? '' : `${bytesWords(bytes)}, `;
  const words = `deletes its data, which only a restore of the whole branch brings back; the branch: ${size}${used.words}`;
  const facts = { words, ...present({ logical_size: bytes }), ...used.facts };
  return { ...effectOf('data_lost', facts), impact: ['data_lost', 'drops_connections'] };
}
