// The rules of keys: trueup finds them by name, creates them with a secret, never changes them, and revokes them for good.
import { columns } from '../../shared/wire.ts';
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

/** The check keeps a malformed id out of the URL. */
function keyPath(collection: string, id: string): string {
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

/** A key of another account may have the same id and name, and a limit to a project makes another key of it. */
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

/** A service may show a use this late: until then, a recent use may be our own. */
const LAG_MS = 300_000;

/**
 * No consent revokes the own key of the run, or a key that may be it. A key is another one if the value of the own key is known, if a sink
 * holds another value for the key, or if the use of another key moves with our looks while this key rests.
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
