// A hash that is not the expected one: the flag that explains it is named, and nothing is claimed that is not known.
import { expect, it } from 'vitest';
import { otherHash } from '../../../src/cli/plans/other-hash.ts';
import { computeRules } from '../../../src/kinds/compute/rules/rules.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { inputOf } from '../plan/support/world.ts';

const { kinds: _kinds, ...INPUT } = inputOf({
  file: 'shop: { computes: { a: { branch: br-1, max: 2 } } }',
  live: 'shop: { ep-a: { branch: br-1, max: 2 } }',
  log: ['1h apply_config failed ep-a'],
});

const made = (more: Partial<typeof INPUT>): Plan => makePlan({ ...INPUT, ...more, kinds: [computeRules] });
const hashOf = (more: Partial<typeof INPUT>): string => made(more).planHash;
const NO_LOGS = { noHistory: true, live: { ...INPUT.live, histories: new Map() } };

const record = { input: INPUT, before: [], after: [] };
const hintFor = (expected: string): string | undefined =>
  otherHash({ record, plan: made({}) }, expected, [computeRules]).hint;

it.each<[string, Partial<typeof INPUT>]>([
  ['without operation logs (plan --no-history)', NO_LOGS],
  ['without operation logs (plan --no-history) and without --allow', { ...NO_LOGS, allow: [] }],
])('a hash of the same plan %s says so', (words, more) => {
  const allow = more.allow === undefined ? INPUT.allow : [{ action: 'restart', address: 'shop/a' }];
  const input = { ...INPUT, allow };
  const plan = made({ allow });
  const { hint } = otherHash({ record: { ...record, input }, plan }, hashOf(more), [computeRules]);
  expect(hint).toContain(`to the same files and account, but to a plan ${words.split(' and ')[0]}`);
});

it('a hash that no flag explains is of other files or another account', () => {
  expect(hintFor(`sha256:${'0'.repeat(64)}`)).toContain(
    'The files, the account or the flags have changed since that hash was made.',
  );
});
