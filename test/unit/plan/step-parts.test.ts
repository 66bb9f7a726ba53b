// Changes that take several requests, and what a kind says can never be changed.
import { compute } from '../../../src/kinds/compute/compute.ts';
import { describe, expect, it } from 'vitest';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { ONE, planWith } from './support/own-kind.ts';
import { planText } from './support/plan-text.ts';

/** The size goes apart, and last of all. */
const TWO_REQUESTS: Partial<KindRules> = {
  parts: (_action, { autoscaling_limit_max_cu: max, ...attributes }) => [
    ...(Object.keys(attributes).length === 0 ? [] : [{ name: 'main', attributes }]),
    ...(max === undefined
      ? []
      : [{ name: 'size', attributes: { autoscaling_limit_max_cu: max }, waitsFor: 'users' as const }]),
  ],
};

describe('a change in several requests', () => {
  it('of what is made acts on it before its id is known', () => {
    const plan = planWith(TWO_REQUESTS, { ...ONE, live: 'shop: {}' });
    expect(planText(plan)).toBe(
      [
        'create shop/a',
        'steps',
        '  create:shop/a POST /new/create {branch_id:br-1,type:read_write}',
        '  size:shop/a POST /{shop/a}/update {autoscaling_limit_max_cu:2} after create:shop/a',
      ].join('\n'),
    );
    expect(plan.steps.map(({ expects, achieves }) => [expects.state, achieves])).toEqual([
      ['absent', { branch_id: 'br-1', type: 'read_write' }],
      ['present', { branch_id: 'br-1', type: 'read_write', autoscaling_limit_max_cu: 2 }],
    ]);
    expect(plan.steps[1]?.expects).toMatchObject({ id: '{shop/a}', attributes: {} });
    expect(plan.summary).toMatchObject({ create: 1, update: 0 });
  });

  it('of what is live goes in their order', () => {
    const file = 'shop: { computes: { a: { branch: br-1, max: 4, pooler_enabled: true } } }';
    expect(
      planText(planWith(TWO_REQUESTS, { ...ONE, file }))
        .split('\n')
        .slice(-2),
    ).toEqual([
      '  size:shop/a POST /ep-a/update {autoscaling_limit_max_cu:4} after update:shop/a',
      '  update:shop/a POST /ep-a/update {pooler_enabled:true}',
    ]);
  });

  it('is one request where only one of them has something to send', () => {
    const file = 'shop: { computes: { a: { branch: br-1, max: 4 } } }';
    expect(
      planText(planWith(TWO_REQUESTS, { ...ONE, file }))
        .split('\n')
        .slice(-1),
    ).toEqual(['  update:shop/a POST /ep-a/update {autoscaling_limit_max_cu:4}']);
  });
});

describe('a difference that no request can mend', () => {
  const file = 'shop: { computes: { a: { branch: br-1, max: 4 } } }';
  const rows = compute.attributes;
  const size = { ...rows['autoscaling_limit_max_cu'], change: 'immutable', restarts: false } as const;
  const rules: Partial<KindRules> = { attributes: { ...rows, autoscaling_limit_max_cu: size } };

  it('is held back, and becomes no replacement', () => {
    expect(planText(planWith(rules, { ...ONE, file }))).toContain('update shop/a ep-a');
    expect(planWith(rules, { ...ONE, file })).toMatchObject({
      steps: [],
      changes: [{ action: 'update', blockedBy: ['immutable'], attributes: [{ path: 'autoscaling_limit_max_cu' }] }],
    });
  });

  it('is no matter while something is made', () => {
    expect(planWith(rules, { ...ONE, file, live: 'shop: {}' }).steps).toHaveLength(1);
  });
});
