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

it('a hash of the same plan without operation logs says so', () => {
  const expected = hashOf(NO_LOGS);
  const record = { input: INPUT, before: [], after: [] };
  const { hint } = otherHash({ record, plan: made({}) }, expected, [computeRules]);
  expect(hint).toContain(`That hash is of the same files and account without operation logs (plan --no-history).`);
});

it('any other hash is of other steps', () => {
  const record = { input: INPUT, before: [], after: [] };
  const { hint } = otherHash({ record, plan: made({}) }, `sha256:${'0'.repeat(64)}`, [computeRules]);
  expect(hint).toContain('nothing of it is as it was, or that hash is of another version');
});
