// Why a key's change is held back, and what lifts it: each sentence is true, and does what it says.
import { describe, expect, it } from 'vitest';
import type { LiveResource } from '../../../../src/model/live.ts';
import type { Block, Change } from '../../../../src/model/outcome/plan.ts';
import { blockWords } from '../../../../src/render/messages/blocks.ts';
import { rules } from '../../../../src/kinds/api-key/rules/rules.ts';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import type { Allowance } from '../../../../src/plan/input.ts';
import { NOW_MS, contextOf, declared, key } from './world.ts';

/** The one change of a plan that revokes `ci`, which may be the key that the run itself uses. */
function revocation(
  allow: readonly Allowance[],
  others: readonly LiveResource[] = [],
  consent: 'unattended' | 'reviewed' = 'unattended',
): Change {
  const live = [key({ id: '9007199254740993', used: '1h' }), ...others];
  const { changes } = makePlan({
    baseUrl: 'https://api.example.test',
    desired: {
      expect: null,
      projects: [],
      resources: [declared({ state: 'absent' })],
      accountPrune: [],
      safety: [],
    },
    live: {
      projects: [],
      resources: live,
      histories: new Map(),
      unread: [],
      facts: new Map([['api_key', contextOf({ self: null }).facts]]),
    },
    kinds: [rules],
    nowMs: NOW_MS,
    consent,
    allow,
    due: false,
    target: [],
    exclude: [],
  });
  const [change] = changes;
  if (change === undefined) throw new Error('no change');
  return change;
}

describe('a key that may be our own', () => {
  it('is revoked by the very allowance that the plan names', () => {
    const { blockedBy, ...change } = revocation([]);
    expect(blockedBy).toEqual(['allowance']);
    const { lift } = blockWords('allowance', [{ ...change, blockedBy }]);
    expect(lift).toBe('pass --allow revoke:api_keys/9007199254740993 or --allow revoke:api_keys/ci');
    for (const [, address = ''] of lift.matchAll(/--allow revoke:(\S+)/g))
      expect(revocation([{ action: 'revoke', address }]).blockedBy).toEqual([]);
  });

  it.each(['api_keys/*', 'api_keys/c?', '*', 'api_keys/other'])('is not revoked by %s', (address) => {
    expect(revocation([{ action: 'revoke', address }]).blockedBy).toEqual(['allowance']);
  });

  it('is not revoked by its address where that reads like the id of another key', () => {
    const others = [key({ id: 'ci', name: 'other' })];
    expect(revocation([{ action: 'revoke', address: 'api_keys/ci' }], others).blockedBy).toEqual(['allowance']);
  });

  it('is not revoked by a review alone', () => {
    expect(revocation([], [], 'reviewed').blockedBy).toEqual(['allowance']);
  });

  it('is one of many, each with its own', () => {
    const one = revocation([]);
    const many = ['1', '2', '3', '4', '5'].map((resourceId) => ({ ...one, resourceId }));
    expect(blockWords('allowance', [one, ...many]).lift).toMatch(
      /^pass --allow revoke:api_keys\/9007199254740993 .*\/1 .*\/2 and 3 more, each by its id$/,
    );
  });
});

it.each<[Block, RegExp]>([
  ['secret_missing', /names no place/],
  ['sink_unusable', /cannot be used: see the note/],
])('%s says what is wrong with the places', (block, why) => {
  expect(blockWords(block, [revocation([])]).why).toMatch(why);
});
