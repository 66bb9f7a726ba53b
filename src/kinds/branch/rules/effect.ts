// What a change of a branch does to data and to those who use it.
import type { Json } from '../../../base/json.ts';
import { humanDuration } from '../../../base/time/duration.ts';
import { bytesWords } from '../../../base/text/words.ts';
import type { Effect, EffectInput, KindRules } from '../../../plan/kind-rules.ts';
import { lastUseTold } from '../../shared/last-use.ts';
import { endsSooner } from '../live-branch.ts';
import { computesOn, contentsWords } from './removal.ts';

const NOTHING: Effect = { impact: ['none'], details: {}, notes: [] };

export const branchEffects: KindRules['effects'] = { update: changed, delete: dropped };

/** Deleted branches linger for seven days, and can be brought back as long. */
function dropped({ live, around }: EffectInput): Effect {
  if (live === null) return NOTHING;
  const { logical_size: size } = live.observed;
  const inside = contentsWords(live, around);
  const used = lastUseTold(computesOn(live.id, around));
  const words = [
    `its data${typeof size === 'number' ? ` (${bytesWords(size)})` : ''} is shelved`,
    ...(inside === null ? [] : [`with ${inside}`]),
    `${used.words}; it can be recovered for 7 days, by POST /projects/${live.projectId ?? ''}/branches/${live.id}/recover`,
  ].join(', ');
  return {
    impact: ['data_shelved', ...(computesOn(live.id, around).length === 0 ? [] : ['drops_connections'])],
    details: {
      data_shelved: {
        words,
        ...(typeof size === 'number' ? { logical_size: size } : {}),
        ...used.facts,
        recoverable_days: 7,
      },
    },
    notes: [],
  };
}

function changed({ attributes, live }: EffectInput): Effect {
  const unprotects = attributes.some(({ path, after: wanted }) => path === 'protected' && wanted === false);
  const expiry = expiryOf({ attributes, live });
  const access: Effect = unprotects
    ? {
        impact: ['access_changes'],
        details: { access_changes: { paths: ['protected'], words: 'it and its computes can be deleted from then on' } },
        notes: [],
      }
    : NOTHING;
  if (expiry === null) return access;
  return {
    impact: [...access.impact.filter((word) => word !== 'none'), 'data_shelved'],
    details: { ...access.details, data_shelved: { words: expiry } },
    notes: [],
    consents: [{ word: 'expire' }],
  };
}

/** Where it is to expire, and did not or later, in words; null where nothing is brought forward. */
function expiryOf({ attributes, live }: Pick<EffectInput, 'attributes' | 'live'>): string | null {
  const after = (name: string): Json => attributes.find(({ path }) => path === name)?.after ?? null;
  const [lease, moment] = [after('ttl_seconds'), after('expires_at')];
  if (!endsSooner({ ttl_seconds: lease, expires_at: moment }, live?.spec ?? {})) return null;
  const when = typeof lease === 'number' ? `${humanDuration(lease * 1000)} after this is sent` : `at ${String(moment)}`;
  return `it expires ${when}, and its data is shelved then`;
}
