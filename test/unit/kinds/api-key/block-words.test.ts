// Why a key's change is held back, and what lifts it: each sentence is true, and does what it says.
import { expect, it } from 'vitest';
import type { Block, Change } from '../../../../src/model/outcome/plan.ts';
import { blockWords } from '../../../../src/render/messages/blocks.ts';
import type { Allowance } from '../../../../src/plan/input.ts';
import { declared, key, planOf } from './world.ts';

/** The one change of a plan that revokes `ci`, which may be the key that the run itself uses. */
function revocation(allow: readonly Allowance[], consent: 'unattended' | 'reviewed' = 'unattended'): Change {
  const { changes } = planOf({
    desired: [declared({ state: 'absent' })],
    live: [key({ id: '9007199254740993', used: '1h' })],
    facts: { self: null },
    more: { consent, allow },
  });
  const [change] = changes;
  if (change === undefined) throw new Error('no change');
  return change;
}

it.each(['*', 'api_keys/*', 'api_keys/ci', 'api_keys/9007199254740993'])(
  'a key that may be our own is not revoked by %s',
  (address) => {
    const allow = ['*', 'revoke'].map((action) => ({ action, address }));
    expect(revocation(allow).blockedBy).toEqual(['self']);
    expect(revocation(allow, 'reviewed').blockedBy).toEqual(['self']);
  },
);

it.each<[Block, RegExp]>([
  ['secret_missing', /names no sink/],
  ['sink_unusable', /cannot be used/],
])('%s says what is wrong with the sinks', (block, why) => {
  expect(blockWords(block, [revocation([])]).why).toMatch(why);
});
