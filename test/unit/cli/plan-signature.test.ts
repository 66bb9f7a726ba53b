// What is signed with one key is refused with another, and after any edit; where the key comes from.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { Secret } from '../../../src/base/secret.ts';
import { planKeyOf, requireSignature, signedPlan } from '../../../src/cli/plans/signature.ts';

const plan: JsonObject = { format_version: '1.2', trueup: { version: 2, steps: [], plan_digest: 'sha256:0' } };
const key = new Secret('one');
const refusal = (json: JsonObject, by: Secret): string => {
  try {
    requireSignature(json, 'plan.json', by);
    return 'accepted';
  } catch (error) {
    return String((error as { code?: string }).code);
  }
};

describe('a signature', () => {
  const signed = signedPlan(plan, key);
  const details = signed['trueup'] as JsonObject;
  it.each<[string, JsonObject, Secret, string]>([
    ['the same', signed, key, 'accepted'],
    ['another order of members', { trueup: details, format_version: '1.2' }, key, 'accepted'],
    ['another key', signed, new Secret('two'), 'plan_altered'],
    ['none', plan, key, 'plan_unsigned'],
    ['an edit outside', { ...signed, format_version: '1.3' }, key, 'plan_altered'],
    ['an edit inside', { ...signed, trueup: { ...details, steps: [null] } }, key, 'plan_altered'],
    ['a shorter one', { ...signed, trueup: { ...details, signature: 'hmac-sha256:' } }, key, 'plan_altered'],
    ['no text', { ...signed, trueup: { ...details, signature: null } }, key, 'plan_unsigned'],
    ['no plan', {}, key, 'usage'],
  ])('of %s', (_name, json, by, says) => {
    expect(refusal(json, by)).toBe(says);
  });
});

describe('the plan key', () => {
  const of = (env: Record<string, string>): string | undefined => planKeyOf({ env, cwd: '/' })?.reveal();
  it('comes from the environment', () => {
    expect(of({})).toBeUndefined();
    expect(of({ TRUEUP_PLAN_KEY: '', TRUEUP_PLAN_KEY_FILE: '' })).toBeUndefined();
    expect(of({ TRUEUP_PLAN_KEY: 'abc\n' })).toBe('abc');
  });

  it.each([
    [{ TRUEUP_PLAN_KEY: 'a', TRUEUP_PLAN_KEY_FILE: 'b' }, /two plan keys/],
    [{ TRUEUP_PLAN_KEY: '\n' }, /is empty/],
    [{ TRUEUP_PLAN_KEY_FILE: 'no-such-file' }, /cannot read no-such-file: .*\(ENOENT\)/],
    [{ TRUEUP_PLAN_KEY_FILE: '/dev/null' }, /is not a regular file/],
  ])('is refused: %j', (env, says) => {
    expect(() => of(env)).toThrow(says);
  });
});
