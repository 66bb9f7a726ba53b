// A change that failed before is a difference even where the attributes read right.
import { describe, expect, it } from 'vitest';
import type { Change } from '../../../../src/model/outcome/plan.ts';
import { planText } from '../../plan/support/plan-text.ts';
import { planOf } from '../../plan/support/world.ts';

function plan(log: readonly string[], entry: string = 'branch: br-1, max: 2, pooler_enabled: true'): string {
  return planText(
    planOf({
      file: `shop: { computes: { a: { ${entry} } } }`,
      live: 'shop: { ep-a: { branch: br-1, max: 2, pooler_enabled: true } }',
      log,
    }),
  );
}

describe('last_operation_failed', () => {
  it('sends what the file manages once more', () => {
    expect(plan(['1h apply_config failed ep-a', '2h apply_config finished ep-a'])).toBe(
      [
        'update shop/a ep-a [drops_connections]',
        'steps',
        '  update:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{autoscaling_limit_max_cu:2,branch_id:br-1,pooler_enabled:true}}',
      ].join('\n'),
    );
  });

  it.each([
    ['a later one that finished', ['1h apply_config finished ep-a', '2h apply_config failed ep-a']],
    ['a later one that is under way', ['1m apply_config running ep-a', '2h apply_config failed ep-a']],
    ['another compute', ['1h apply_config failed ep-b']],
    ['a start since then', ['1m start_compute finished ep-a', '1h apply_config error ep-a']],
    ['an availability check', ['1h check_availability failed ep-a']],
    ['nothing', []],
  ])('is no difference after %s', (_name, log) => {
    expect(plan(log)).toBe('');
  });

  it('stays a difference while other operations come and go', () => {
    expect(plan(['1m suspend_compute finished ep-a', '1h apply_config error ep-a'])).toMatch(/^update shop\/a/);
  });

  it.each(['start_compute', 'suspend_compute'])(
    'is no difference after a %s, which sending again would not end',
    (action) => {
      expect(plan([`1h ${action} failed ep-a`])).not.toMatch(/^update shop\/a/);
    },
  );

  it('never sends a name once more', () => {
    const { steps } = planOf({
      file: 'shop: { computes: { a: { branch: br-1, max: 2, name: a } } }',
      live: 'shop: { ep-a: { branch: br-1, max: 2, name: a } }',
      log: ['1h apply_config failed ep-a'],
    });
    expect(steps.map(({ body }) => body)).toEqual([{ endpoint: { branch_id: 'br-1', autoscaling_limit_max_cu: 2 } }]);
  });

  it('names its reason', () => {
    const [change] = planOf({
      file: 'shop: { computes: { a: { branch: br-1, pooler_enabled: true } } }',
      live: 'shop: { ep-a: { branch: br-1, pooler_enabled: true } }',
      log: ['1h apply_config failed ep-a'],
    }).changes;
    expect(change).toMatchObject({
      action: 'update',
      reasons: ['last_operation_failed'],
      origin: 'last_operation_failed',
      impact: ['none'],
      lastOperation: { id: 'op-0', action: 'apply_config', at: '2026-11-20T11:00:00.000Z' },
    });
  });
});

describe('a failure of a compute that does not run', () => {
  const changeIn = (state: string): Change | undefined =>
    planOf({
      file: 'shop: { computes: { a: { branch: br-1, max: 2 } } }',
      live: `shop: { ep-a: { branch: br-1, max: 2, state: ${state} } }`,
      log: ['1h apply_config failed ep-a'],
    }).changes[0];

  it('is a note: the next start applies what is configured', () => {
    const change = changeIn('idle');
    expect(change).toMatchObject({ action: 'none', origin: 'file' });
    expect(change?.notes).toContain(
      'the last apply_config (op-0) ended as failed; the next start applies the configured values',
    );
  });

  it.each(['active', 'init'])('is a difference while it is %s', (state) => {
    expect(changeIn(state)).toMatchObject({ action: 'update', origin: 'last_operation_failed' });
  });
});
