// Keys for the planner: found by exact name, never changed, made with a secret, revoked for good.
import { columns } from '../../shared/lists.ts';
import type { RemovalGuard, Effect, KindRules, RequestDraft, RequestInput } from '../../../plan/kind-rules.ts';
import { provenOthers, factsFromJson, type KeyFacts } from '../facts/facts.ts';
import { lastUseWords, LAST_USE, liveKey, suspectWords, type LiveKey } from '../live-key.ts';
import { assert } from '../../../base/assert.ts';
import { picked } from '../../../base/picked.ts';
import { referencesOf } from '../../../model/attributes.ts';
import { isoTime } from '../../../base/time/clock.ts';
import { inert } from '../../../base/text/inert.ts';
import type { Described, LiveResource } from '../../../model/live.ts';
import type { Marks } from '../../../model/outcome/plan.ts';
import { chooseKey } from './choose.ts';
import { ACCOUNT, type KeyVariant } from '../variant.ts';
import { keyVerdict } from './verdict.ts';

const KEY_ID = /^[0-9]{1,20}$/;

/** Path of one key below those of its like; `id` is checked before it enters the URL. */
export function keyPath(collection: string, id: string): string {
  assert(KEY_ID.test(id), 'a key id is a row of digits');
  return `${collection}/${id}`;
}

const CONTINGENCY =
  'if its value cannot be stored, the new key is revoked; if the reply is lost, any new key with this name is reported, not revoked';

const MADE: Effect = { impact: ['secret_created'], details: {}, notes: [CONTINGENCY] };

const EFFECTS: KindRules['effects'] = {
  create: () => MADE,
  rotate: () => MADE,
  replace: () => ({ ...MADE, impact: ['secret_created', 'permanent'] }),
  revoke: ({ live }) => ({
    impact: ['permanent'],
    details: {},
    notes: live === null ? [] : [lastUseWords(liveKey(live), null)],
  }),
};

/** Keys of the account. */
export const rules: KindRules = keyRules(ACCOUNT);

export function keyRules(variant: KeyVariant): KindRules {
  const { place } = variant;
  return {
    ...place,
    attributes: variant.attributes,
    isPruned: true,
    place: () => null,
    fingerprint: fingerprintOf,
    poolWords: (spec) => `the key named ${inert(JSON.stringify(spec['name'] ?? null))}`,
    choose: chooseKey,
    describe: describeKey,
    verdict: keyVerdict,
    effects: EFFECTS,
    removalGuard: (live, context) => revocationGuard(liveKey(live), factsFromJson(context.facts), context.nowMs),
    requests: requestsOf(variant),
  };
}

/** A key has neither host nor size. */
export function describeKey(live: LiveResource): Described {
  const key = liveKey(live);
  const { createdAtMs, lastUsedAtMs } = key;
  const made = createdAtMs === null ? '' : `made ${isoTime(createdAtMs)}, `;
  return {
    columns: columns(),
    facts: { host: null, size: null, last_active: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs) },
    words: `${made}${lastUseWords(key, null)}`,
  };
}

/** A key of another account may have the same id and name; one that is limited to a project now is no longer what was to go. */
function fingerprintOf(live: LiveResource): Marks {
  const { createdAtMs, lastUsedAtMs } = liveKey(live);
  return {
    lasting: {
      ...(createdAtMs === null ? {} : { created_at: isoTime(createdAtMs) }),
      project_id: live.spec['project_id'] ?? null,
    },
    passing: { [LAST_USE]: lastUsedAtMs === null ? null : isoTime(lastUsedAtMs) },
  };
}

/** The requests for keys (api-rules 2). */
function requestsOf({ attributes: rows, collection }: KeyVariant): KindRules['requests'] {
  const make = ({ attributes }: RequestInput): RequestDraft => {
    const name = attributes['name'];
    assert(typeof name === 'string', 'a key is created without a name');
    const scope = picked(attributes, Object.keys(referencesOf({ attributes: rows })));
    return { method: 'POST', path: collection(attributes), body: { key_name: name, ...scope } };
  };
  return {
    create: make,
    rotate: make,
    revoke({ id, live }) {
      assert(id !== null, 'a key is revoked without an id');
      return { method: 'DELETE', path: keyPath(collection(live?.spec ?? {}), id), body: null };
    },
  };
}

/** By so much a service may lag in showing a use: until then a key used lately may be ours although another one's last use moves. */
const LAG_MS = 300_000;

/**
 * The run's own key is never revoked, nor one that may be it, whatever the consent. A key is another one where the run's own is known by its
 * value, where a place holds a value of it that is not ours, or where the last use of another one moves with our looks and it has rested meanwhile.
 */
function revocationGuard(key: LiveKey, facts: KeyFacts, nowMs: number): RemovalGuard {
  if (facts.self === key.id) return held(`this run uses key ${key.id}`);
  const isRecent = key.lastUsedAtMs !== null && nowMs - key.lastUsedAtMs < LAG_MS;
  const isAnother =
    facts.isSelfSure || provenOthers(Object.values(facts.sinks)).has(key.id) || (facts.self !== null && !isRecent);
  return isAnother ? { blockedBy: [], notes: [] } : held(suspectWords(key, nowMs));
}

function held(note: string): RemovalGuard {
  return { blockedBy: ['self'], notes: [note] };
}
