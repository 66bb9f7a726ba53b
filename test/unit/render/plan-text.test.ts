// What the human plan promises: its last line, its order, its groups, and no lie when something is out of sight.
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Change, Plan } from '../../../src/model/plan.ts';
import { renderPlan } from '../../../src/render/human-plan.ts';
import { OPTIONS } from './every.ts';
import { change, EMPTY_PLAN, FULL_PLAN, plan } from './worlds.ts';

const NO_CHANGES = 'No changes. Your infrastructure matches the configuration.';

function lastLine(value: Plan): string | undefined {
  return renderPlan(value, OPTIONS).trimEnd().split('\n').at(-1);
}

const of = (action: Change['action'], fields: Partial<Change> = {}): Change =>
  change({ address: `shop/${action}`, action, ...fields });

describe('last line', () => {
  const cases: readonly [string, Plan, string][] = [
    ['nothing to do', EMPTY_PLAN, NO_CHANGES],
    ['a create', plan([of('create')]), 'Plan: 1 to add, 0 to change, 0 to destroy.'],
    ['a rotation adds', plan([of('rotate')]), 'Plan: 1 to add, 0 to change, 0 to destroy.'],
    ['a replacement adds and destroys', plan([of('replace')]), 'Plan: 1 to add, 0 to change, 1 to destroy.'],
    ['a revocation destroys', plan([of('revoke')]), 'Plan: 0 to add, 0 to change, 1 to destroy.'],
    ['a restart changes', plan([of('restart')]), 'Plan: 0 to add, 1 to change, 0 to destroy.'],
    ['a move changes', plan([of('move')]), 'Plan: 0 to add, 1 to change, 0 to destroy.'],
    [
      'blocked ones do not count',
      plan([of('delete', { blockedBy: ['consent'] })]),
      'Plan: 0 to add, 0 to change, 0 to destroy.',
    ],
    [
      'unread: not called a match',
      plan([], { unread: [{ what: 'shop', projectId: null, reason: '503' }] }),
      'Plan: 0 to add, 0 to change, 0 to destroy.',
    ],
    [
      'held: not called a match',
      plan([of('none', { held: [{ path: 'a', wanted: 1, live: 2, untilMs: 0, reason: '' }] })]),
      'Plan: 0 to add, 0 to change, 0 to destroy.',
    ],
    [
      'due alone is no difference',
      plan([of('restart', { due: true })], { summary: { ...EMPTY_PLAN.summary, due: 1 } }),
      NO_CHANGES,
    ],
    ['due and asked for counts', plan([of('restart', { due: true })]), 'Plan: 0 to add, 1 to change, 0 to destroy.'],
  ];
  it.each(cases)('%s', (_, value, expected) => {
    expect(lastLine(value)).toBe(expected);
    expect(
      renderPlan(value, { ...OPTIONS, verbose: true })
        .trimEnd()
        .endsWith(expected),
    ).toBe(true);
  });
});

describe('brief plan', () => {
  const text = renderPlan(FULL_PLAN, OPTIONS);

  it('tells what is held back in lines of its own', () => {
    for (const line of ['Blocked: 1.', 'Held: 1.', 'Due: 1.']) expect(text.split('\n')).toContain(line);
  });

  it('puts what destroys first and what restarts before what does not', () => {
    const order = ['shop/legacy', 'shop/primary', 'fleet/reader-00', 'shop/reports'].map((name) => text.indexOf(name));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('shows what many changes have in common once', () => {
    expect(text.match(/suspend_timeout_seconds {2}0 → 600/g)).toHaveLength(1);
    expect(text).toContain('… and 4 more alike');
  });

  it('lists all that is dangerous, however much it is', () => {
    const many = plan(
      Array.from({ length: 40 }, (_, at) =>
        change({ address: `shop/old-${at}`, action: 'delete', impact: ['permanent'] }),
      ),
    );
    expect(renderPlan(many, OPTIONS).match(/shop\/old-\d+/g)).toHaveLength(40);
  });

  it('says how to lift each guard', () => {
    expect(text).toMatch(/--allow\s+replace:wiki\/protected/);
  });

  it('means the same without colour', () => {
    const painted = renderPlan(FULL_PLAN, { ...OPTIONS, color: true });
    expect(painted).not.toBe(text);
    expect(stripVTControlCharacters(painted)).toBe(text);
  });
});
