// The effects of a change of a branch on data and clients, and whatever keeps a branch from being deleted.
import type { Json } from '../../base/json.ts';
import { listOf } from '../../base/text/words.ts';
import { humanDuration } from '../../base/time/duration.ts';
import { endsSooner } from '../../model/attributes.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Contents, LiveResource } from '../../model/live.ts';
import type { Effect, EffectInput, KindRules } from '../../plan/kind-rules.ts';
import { keptBy, lastUseOf, lastUseTold, namedWords, sizeTold, stakeOf } from '../shared/last-use.ts';
import { wireTable } from './attributes.ts';

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

export const branchEffects: KindRules['effects'] = { create: takesOver, update: changed, delete: dropped };

/** The service keeps a deleted branch for seven days. */
function dropped({ live, around }: EffectInput): Effect {
  if (live === null) return NOTHING;
  const [size, children] = [sizeTold([live]), childrenOf(live, around)];
  const computes = computesOn(live.id, around);
  const used = lastUseTold(computes);
  const all = listOf([`its data${size.words}`, ...contentsWords(live, around)]);
  const words = [
    `deletes ${all}`,
    used.words,
    ...namedWords('branch', 'branches', children).map((names) => `parent of ${names}`),
    `recoverable for 7 days (POST /projects/${live.projectId}/branches/${live.id}/recover)`,
  ].join('; ');
  return {
    impact: ['data_shelved', ...(computes.length === 0 ? [] : ['drops_connections'])],
    details: { data_shelved: { words, ...size.facts, ...used.facts, children, recoverable_days: 7 } },
    notes: [],
  };
}

function changed(input: EffectInput): Effect {
  return together(takesOver(input), unprotected(input), expiring(input));
}

function together(...effects: readonly Effect[]): Effect {
  const impact = effects.flatMap((one) => one.impact.filter((word) => word !== 'none'));
  if (impact.length === 0) return NOTHING;
  return {
    impact,
    details: Object.assign({}, ...effects.map(({ details }) => details)) as Effect['details'],
    notes: [],
    consents: effects.flatMap(({ consents = [] }) => consents),
  };
}

/** Clients that name no branch use the default branch. */
function takesOver({ attributes, live, after, around }: EffectInput): Effect {
  const isTaking = attributes.some(({ path, after: wanted }) => path === 'default' && wanted === true);
  const loser = isTaking ? defaultBranchIn(around, live?.id ?? null) : null;
  if (loser === null) return NOTHING;
  const name = String(after?.['name'] ?? live?.spec['name'] ?? '?');
  const former = String(loser.spec['name'] ?? '?');
  const words = `${name} replaces ${former} (${loser.id}) as the default branch; clients and tools that name no branch then use ${name}`;
  const [from, to] = [
    { id: loser.id, name: former },
    { id: live?.id ?? null, name },
  ];
  return { impact: ['default_changes'], details: { default_changes: { words, from, to } }, notes: [] };
}

function unprotected({ attributes }: EffectInput): Effect {
  if (!attributes.some(({ path, after: wanted }) => path === 'protected' && wanted === false)) return NOTHING;
  const words = 'after this change, the service no longer refuses to delete the branch and its computes';
  return { impact: ['access_changes'], details: { access_changes: { paths: ['protected'], words } }, notes: [] };
}

function expiring(input: EffectInput): Effect {
  const words = expiryOf(input);
  if (words === null) return NOTHING;
  return { impact: ['data_shelved'], details: { data_shelved: { words } }, notes: [], consents: [{ word: 'expire' }] };
}

/** Null if the branch does not expire sooner than before. */
function expiryOf({ attributes, live }: Pick<EffectInput, 'attributes' | 'live'>): string | null {
  const after = (name: string): Json => attributes.find(({ path }) => path === name)?.after ?? null;
  const [lease, moment] = [after('ttl_seconds'), after('expires_at')];
  if (!endsSooner(wireTable, { ttl_seconds: lease, expires_at: moment }, live?.spec ?? {})) return null;
  const when = typeof lease === 'number' ? `${humanDuration(lease * 1000)} after the apply` : `at ${String(moment)}`;
  return `the branch expires ${when}: the service then deletes its data, which can be recovered for 7 days`;
}

/** The service refuses to delete these only when it is asked ("Branches"). */
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

/** A branch is deleted with its computes. */
function computesOn(id: ResourceId, around: readonly LiveResource[]): readonly LiveResource[] {
  return around.filter(({ spec }) => spec['branch_id'] === id);
}

/** Null also if `id` itself is the default branch. */
export function defaultBranchIn(around: readonly LiveResource[], id: ResourceId | null): LiveResource | null {
  return around.find((one) => one.kind === wireTable.kind && one.spec['default'] === true && one.id !== id) ?? null;
}

/** A branch is deleted with its contents, and its children keep it from being deleted. */
export const contents: Contents = {
  kinds: ['branch', 'compute', 'role', 'database'],
  of: ({ id }, around) =>
    around.filter(({ spec, parentId }) => [spec['parent_id'], spec['branch_id'], parentId].includes(id)),
  stake: (live, around) => stakeOf(computesOn(live.id, around), [live]),
  lastUse: ({ id }, around) => lastUseOf(computesOn(id, around)),
};

/** `the compute ep-…`, `the role app`, `the databases orders and stock`. */
function contentsWords(live: LiveResource, around: readonly LiveResource[]): readonly string[] {
  const namesOf = (wanted: string): readonly string[] =>
    around
      .filter(({ kind, parentId }) => kind === wanted && parentId === live.id)
      .map(({ spec }) => String(spec['name']));
  const computes = computesOn(live.id, around).map(({ id }) => id);
  return [
    ...namedWords('compute', 'computes', computes),
    ...namedWords('role', 'roles', namesOf('role')),
    ...namedWords('database', 'databases', namesOf('database')),
  ];
}

function childrenOf({ id }: LiveResource, around: readonly LiveResource[]): readonly string[] {
  return around.flatMap(({ spec }) => (spec['parent_id'] === id ? [String(spec['name'])] : [])).sort();
}
