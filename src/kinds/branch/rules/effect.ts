// What a change of a branch does to data and to those who use it.
import type { Json } from '../../../base/json.ts';
import { listOf } from '../../../base/text/words.ts';
import { humanDuration } from '../../../base/time/duration.ts';
import type { Effect, EffectInput, KindRules } from '../../../plan/kind-rules.ts';
import { lastUseTold, namedWords, sizeTold } from '../../shared/last-use.ts';
import { attributes as rows } from '../attributes.ts';
import { endsSooner } from '../../../model/attributes.ts';
import { childrenOf, computesOn, contentsWords, defaultBranchIn } from './removal.ts';

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

export const branchEffects: KindRules['effects'] = { create: takesOver, update: changed, delete: dropped };

/** Deleted branches linger for seven days, and can be brought back as long. */
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
    `recoverable for 7 days (POST …/${live.id}/recover)`,
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

/** The effects of one change, as one. */
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

/** What names no branch uses the default one: it follows when another becomes that. */
function takesOver({ attributes, live, after, around }: EffectInput): Effect {
  const isTaking = attributes.some(({ path, after: wanted }) => path === 'default' && wanted === true);
  const loser = isTaking ? defaultBranchIn(around, live?.id ?? null) : null;
  if (loser === null) return NOTHING;
  const name = String(after?.['name'] ?? live?.spec['name'] ?? '?');
  const former = String(loser.spec['name'] ?? '?');
  const words = `${name} replaces ${former} (${loser.id}) as the default branch; clients and tools that name no branch follow it`;
  const [from, to] = [
    { id: loser.id, name: former },
    { id: live?.id ?? null, name },
  ];
  return { impact: ['default_changes'], details: { default_changes: { words, from, to } }, notes: [] };
}

function unprotected({ attributes }: EffectInput): Effect {
  if (!attributes.some(({ path, after: wanted }) => path === 'protected' && wanted === false)) return NOTHING;
  const words = 'the branch and its computes can be deleted from then on';
  return { impact: ['access_changes'], details: { access_changes: { paths: ['protected'], words } }, notes: [] };
}

function expiring(input: EffectInput): Effect {
  const words = expiryOf(input);
  if (words === null) return NOTHING;
  return { impact: ['data_shelved'], details: { data_shelved: { words } }, notes: [], consents: [{ word: 'expire' }] };
}

/** Where it is to expire, and did not or later, in words; null where nothing is brought forward. */
function expiryOf({ attributes, live }: Pick<EffectInput, 'attributes' | 'live'>): string | null {
  const after = (name: string): Json => attributes.find(({ path }) => path === name)?.after ?? null;
  const [lease, moment] = [after('ttl_seconds'), after('expires_at')];
  if (!endsSooner({ attributes: rows }, { ttl_seconds: lease, expires_at: moment }, live?.spec ?? {})) return null;
  const when = typeof lease === 'number' ? `${humanDuration(lease * 1000)} after the apply` : `at ${String(moment)}`;
  return `the branch expires ${when}, and its data is deleted then, recoverable for 7 days`;
}
