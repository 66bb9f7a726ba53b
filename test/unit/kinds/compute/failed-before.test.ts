// A change that failed before is a difference even where the attributes read right.
import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../../src/plan/make-plan.ts';
import { planText } from '../../plan/support/plan-text.ts';
import { inputOf, planOf } from '../../plan/support/world.ts';

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
        '  update:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{autoscaling_limit_max_cu:2,pooler_enabled:true}}',
      ].join('\n'),
    );
  });

  it.each([
    ['a later one that finished', ['1h apply_config finished ep-a', '2h apply_config failed ep-a']],
    ['a later one that is under way', ['1m apply_config running ep-a', '2h apply_config failed ep-a']],
    ['another compute', ['1h apply_config failed ep-b']],
    ['another action', ['1h suspend_compute failed ep-a']],
    ['nothing', []],
  ])('is no difference after %s', (_name, log) => {
    expect(plan(log)).toBe('');
  });

  it('stays a difference while other operations come and go', () => {
    expect(plan(['1m start_compute finished ep-a', '1h apply_config error ep-a'])).toMatch(/^update shop\/a/);
  });

  it('is said when there is nothing to send', () => {
    expect(plan(['1h apply_config failed ep-a'], 'branch: br-1')).toBe(
      'warning last_operation_failed (line 2): shop/a: its last apply_config (op-0) ended as failed, but the file manages no attribute that could be sent again',
    );
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

describe('a failure before something was sent to a compute that is idle by now', () => {
  const FAILED = '1h apply_config failed ep-a';
  const seen = (live: string, log: readonly string[] = [FAILED]): string =>
    planText(
      planOf({
        file: 'shop: { computes: { a: { branch: br-1, max: 2 } } }',
        live: `shop: { ep-a: { branch: br-1, max: 2, ${live} } }`,
        log,
      }),
    );

  // An hour ago was eleven; the service answers a change of what is idle without an operation.
  it.each([
    ['it was changed since, without an operation', 'state: idle, updated: 2026-11-20T11:30:00Z', [FAILED]],
    ['it is about to be idle still', 'state: idle, pending_state: idle, updated: 2026-11-20T11:30:00Z', [FAILED]],
    [
      'a start that began since took it up',
      'state: idle, updated: 2026-11-20T11:30:00Z',
      ['30m suspend_compute finished ep-a', '40m start_compute finished ep-a', FAILED],
    ],
  ])('is history where %s', (_, live, log) => {
    expect(seen(live, log)).toBe('');
  });

  it.each([
    ['it is active', 'state: active, updated: 2026-11-20T11:30:00Z', [FAILED]],
    ['it is being made', 'state: init, updated: 2026-11-20T11:30:00Z', [FAILED]],
    ['it was changed before', 'state: idle, updated: 2026-11-20T10:59:00Z', [FAILED]],
    ['it was changed in the same second', 'state: idle, updated: 2026-11-20T11:00:00Z', [FAILED]],
    ['nobody knows when it was changed', 'state: idle', [FAILED]],
    [
      'it was not changed since it was made',
      'state: idle, created: 2026-11-20T11:30:00Z, updated: 2026-11-20T11:30:00Z',
      [FAILED],
    ],
    [
      'a suspension touched it, which applies nothing',
      'state: idle, updated: 2026-11-20T11:30:00Z',
      ['30m suspend_compute finished ep-a', FAILED],
    ],
    [
      'the start since then failed',
      'state: idle, updated: 2026-11-20T10:00:00Z',
      ['30m start_compute failed ep-a', FAILED],
    ],
    ['the start was before', 'state: idle, updated: 2026-11-20T10:00:00Z', [FAILED, '2h start_compute finished ep-a']],
  ])('is a difference where %s', (_, live, log) => {
    expect(seen(live, log)).toMatch(/^update shop\/a ep-a/);
  });

  it('is no evidence where the failed operation has no end', () => {
    const input = inputOf({
      file: 'shop: { computes: { a: { branch: br-1, max: 2 } } }',
      live: 'shop: { ep-a: { branch: br-1, max: 2, state: idle, updated: 2026-11-20T11:30:00Z } }',
      log: [FAILED],
    });
    const histories = [...input.live.histories].map(([project, { operations, complete }]) => {
      const endless = operations.map((operation) => ({ ...operation, updatedAtMs: null }));
      return [project, { complete, operations: endless }] as const;
    });
    const { changes } = makePlan({ ...input, live: { ...input.live, histories: new Map(histories) } });
    expect(changes.map(({ action }) => action)).toEqual(['update']);
  });

  it('is repaired without cutting anybody off', () => {
    const [change] = planOf({
      file: 'shop: { computes: { a: { branch: br-1, max: 2 } } }',
      live: 'shop: { ep-a: { branch: br-1, max: 2, state: idle } }',
      log: [FAILED],
    }).changes;
    expect(change).toMatchObject({ action: 'update', impact: ['none'] });
    expect(change?.notes).toContain('it is not running: sending it again drops nothing');
  });
});
