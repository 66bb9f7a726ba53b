// The effects of branch changes on data and clients, and the reasons why a branch cannot be deleted.
import { listed } from '../../base/picked.ts';
import type { Json } from '../../base/json.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { endsSooner } from '../../model/attributes.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Contents, LiveResource } from '../../model/live.ts';
import { DROP } from '../../model/outcome/impact.ts';
import type { Effect, EffectInput, KindRules } from '../../plan/kind-rules.ts';
import { bytesWords } from '../../base/text/words.ts';
import {
  bytesOf,
  computesOn,
  effectOf,
  keptBy,
  lastUseOf,
  lastUseTold,
  namedWords,
  NOTHING,
  ofKind,
  shelved,
  stakeOf,
  together,
} from '../shared/effects.ts';
import { wireTable } from './attributes.ts';

export const branchEffects: KindRules['effects'] = {
  create: takesOver,
  update: (input) => together(takesOver(input), unprotected(input), expiring(input), resetting(input)),
  delete: dropped,
};

function dropped({ live, around }: EffectInput): Effect {
  if (live === null) return NOTHING;
  const { id } = live;
  const children = around.flatMap(({ spec }) => (spec['parent_id'] === id ? [String(spec['name'])] : [])).sort();
  const computes = computesOn(id, around);
  const words = namedWords('branch', 'branches', children).map((names) => `parent of ${names}`);
  const effect = shelved({
    path: `/projects/${live.projectId}/branches/${id}`,
    computes,
    branches: [live],
    contents: contents.of(live, around).filter(({ kind }) => kind !== live.kind),
    nameOf: (one) => (one.kind === 'compute' ? one.id : String(one.spec['name'])),
    more: { words, facts: { children } },
  });
  return dropping(computes, effect);
}

function takesOver({ attributes, live, after, around }: EffectInput): Effect {
  const isTaking = attributes.some(({ path, after: wanted }) => path === 'default' && wanted === true);
  const loser = isTaking ? defaultBranchIn(around, live?.id ?? null) : null;
  if (loser === null) return NOTHING;
  const name = String(after?.['name'] ?? live?.spec['name'] ?? '?');
  const from = { id: loser.id, name: String(loser.spec['name'] ?? '?') };
  const words = `${name} replaces ${from.name} (${from.id}) as the default branch; clients and tools that name no branch then use ${name}`;
  return effectOf('default_changes', { words, from, to: { id: live?.id ?? null, name } });
}

function unprotected({ attributes }: EffectInput): Effect {
  if (!attributes.some(({ path, after: wanted }) => path === 'protected' && wanted === false)) return NOTHING;
  const words = 'after this change, the service no longer refuses to delete the branch and its computes';
  return effectOf('access_changes', { paths: ['protected'], words });
}

/** A reset replaces the data; the computes, hosts, passwords and connection strings of the branch stay. */
function resetting({ attributes, live, around }: EffectInput): Effect {
  if (live === null || !attributes.some(({ path }) => path === 'reset')) return NOTHING;
  const parentId = live.spec['parent_id'];
  const parent = around.find(({ kind, id }) => kind === live.kind && id === parentId);
  const computes = computesOn(live.id, around);
  const { words: used, facts } = lastUseTold(computes);
  const bytes = bytesOf([live]);
  const size = bytes === null ? '' : ` (${bytesWords(bytes)})`;
  const databases = ofKind(contents.of(live, around), 'database').map(({ spec }) => String(spec['name']));
  const lost = ['its roles', ...namedWords('database', 'databases', databases)].join(' and ');
  const words = `replaces all data of the branch${size}, including ${lost}, with the present data of its parent ${String(parent?.spec['name'] ?? parentId)}; ${used}; the data of the branch cannot be recovered`;
  return dropping(computes, effectOf('data_lost', { words, ...facts }, DROP));
}

function dropping(computes: readonly LiveResource[], { impact, ...effect }: Effect): Effect {
  return { ...effect, impact: listed(...impact, computes.length > 0 && 'drops_connections') };
}

function expiring({ attributes, live }: EffectInput): Effect {
  const after = (name: string): Json => attributes.find(({ path }) => path === name)?.after ?? null;
  const [lease, moment] = [after('ttl_seconds'), after('expires_at')];
  if (!endsSooner(wireTable, { ttl_seconds: lease, expires_at: moment }, live?.spec ?? {})) return NOTHING;
  const when = typeof lease === 'number' ? `${humanDuration(lease * 1000)} after the apply` : `at ${String(moment)}`;
  const words = `the branch expires ${when}: the service then deletes its data, which can be recovered for 7 days`;
  return effectOf('data_shelved', { words }, 'expire');
}

/** Blocks the deletions that the service would refuse (api-rules 8.5), so that the plan already shows them as blocked. */
export const removalGuard: NonNullable<KindRules['removalGuard']> = ({ spec }) =>
  keptBy([
    {
      isSo: spec['protected'],
      why: 'the branch is protected: write `protected: false` first, and apply that change',
      unknown: 'the service does not show whether the branch is protected',
    },
    {
      isSo: spec['default'],
      why: 'the branch is the default branch: make another branch the default first, and apply that change',
      unknown: 'the service does not show whether the branch is the default branch',
    },
  ]);

/** Returns the default branch; null if there is none, or if the default branch is `id` itself. */
export function defaultBranchIn(around: readonly LiveResource[], id: ResourceId | null): LiveResource | null {
  return around.find((one) => one.kind === wireTable.kind && one.spec['default'] === true && one.id !== id) ?? null;
}

/** The resources that are deleted with a branch, and its children, which keep it from being deleted. */
export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: ({ id }, around) =>
    around.filter(({ spec, parentId }) => [spec['parent_id'], spec['branch_id'], parentId].includes(id)),
  stake: (live, around) => stakeOf(computesOn(live.id, around), [live]),
  lastUse: ({ id }, around, isCareful) => lastUseOf(computesOn(id, around), isCareful),
};
