// The decision on a reviewed plan: its steps are held against the plan that the same files make of a newer reading.
import { describe, expect, it } from 'vitest';
import { decidePlan, type PlannedAgain } from '../../../src/apply/judge/decide-plan.ts';
import { targetsOf, type Run } from '../../../src/apply/run/run.ts';
import type { JsonObject } from '../../../src/base/json.ts';
import type { LiveResource, LiveState, Unread } from '../../../src/model/live.ts';
import type { Change, Step } from '../../../src/model/outcome/plan.ts';
import { COMPUTE, createStep, deleteStep, planOf, restartStep, SHOP, UNMARKED, updateStep } from './harness.ts';

const A = { branch_id: 'br-a', type: 'read_write' };
const REPLICA = { branch_id: 'br-a', type: 'read_only' };

const live = (id: string, spec: JsonObject): LiveResource => {
  return { kind: 'compute', id, projectId: SHOP, spec, observed: {}, createdAtMs: 0 };
};

/** A matched declaration, as the newer plan shows it. */
const found = (name: string, resourceId: string, of: Partial<Change> = {}): Change =>
  ({ address: `shop/${name}`, kind: 'compute', action: 'none', resourceId, blockedBy: [], notes: [], ...of }) as Change;

interface Newer {
  readonly live?: readonly LiveResource[];
  readonly steps?: readonly Step[];
  readonly changes?: readonly Change[];
  readonly unread?: readonly Unread[];
}

function decided(steps: readonly Step[], newer: Newer): Record<string, string> {
  const run = {
    kinds: new Map([['compute', COMPUTE]]),
    plan: planOf(steps),
    runId: 'run-1',
    claims: targetsOf(steps),
    made: new Map(),
  } as unknown as Run;
  const state: LiveState = {
    projects: [],
    resources: newer.live ?? [],
    histories: new Map(),
    unread: newer.unread ?? [],
    facts: new Map(),
  };
  const plan = { ...planOf(newer.steps ?? []), changes: newer.changes ?? [], unread: state.unread };
  const again: PlannedAgain = { plan, live: state, diagnostics: [] };
  const { decisions } = decidePlan(run, planOf(steps), again);
  return Object.fromEntries(
    [...decisions].map(([id, decision]) => [
      id,
      'reason' in decision ? `${decision.state}: ${decision.reason}` : decision.state,
    ]),
  );
}

describe('a step that is planned again with the same request', () => {
  const resize = updateStep('a', 'ep-a', { ...A, disabled: false }, { disabled: true });

  it('is sent', () => {
    const now = { live: [live('ep-a', { ...A, disabled: false })], steps: [resize] };
    expect(decided([resize], now)).toEqual({ a: 'send' });
  });

  it('is not sent where the value that it overwrites is another one', () => {
    const step = updateStep('a', 'ep-a', { ...A, name: 'x' }, { name: 'z' });
    const now = { live: [live('ep-a', { ...A, name: 'y' })], steps: [step] };
    expect(decided([step], now)).toEqual({ a: 'changed: ep-a has changed: name is "y", but the plan expects "x"' });
  });

  it('is not sent where it takes a slot that a stranger holds', () => {
    const step = createStep('a', { ...A, name: 'z' });
    const now = { live: [live('ep-x', { ...A, name: 'y' })], steps: [step] };
    expect(decided([step], now)).toEqual({
      a: 'changed: the resource ep-x, which the plan does not know, has taken the slot',
    });
  });
});

describe('a step that is not planned any more', () => {
  it('is done where its declaration has no difference', () => {
    const create = createStep('a', REPLICA);
    const resize = updateStep('b', 'ep-b', { disabled: false }, { disabled: true });
    const now = {
      live: [live('ep-n', REPLICA), live('ep-b', { ...A, disabled: true })],
      changes: [found('a', 'ep-n'), found('b', 'ep-b')],
    };
    expect(decided([create, resize], now)).toEqual({ a: 'done', b: 'done' });
  });

  it('is not done by another resource than its target', () => {
    const resize = updateStep('a', 'ep-a', { disabled: false }, { disabled: true });
    const now = { live: [live('ep-b', { ...A, disabled: true })], changes: [found('a', 'ep-b')] };
    expect(decided([resize], now)).toEqual({ a: 'changed: ep-a no longer exists' });
  });

  it('is done where its target was to go and is gone, but not where another one takes its place', () => {
    const removal = deleteStep('a', 'ep-a', A);
    expect(decided([removal], {})).toEqual({ a: 'done' });
    const other = deleteStep('a', 'ep-b', A);
    expect(decided([removal], { live: [live('ep-b', A)], steps: [other] })['a']).toMatch(/^changed: /);
  });

  it('is blocked where the newer plan blocks it', () => {
    const restart = restartStep('a', 'ep-a', A);
    const change = found('a', 'ep-a', { action: 'restart', blockedBy: ['protect'], notes: ['protected'] });
    const now = { live: [live('ep-a', A)], changes: [change] };
    expect(decided([restart], now)).toEqual({ a: 'changed: the change is blocked now: protected' });
  });

  it('is unread where its list was not read', () => {
    const unread = [{ what: 'shop', projectId: SHOP, reason: 'no answer' }];
    expect(decided([createStep('a', A)], { unread })).toEqual({ a: 'unread: no answer' });
  });

  it('names the first difference of the request', () => {
    const step = updateStep('a', 'ep-a', A, { disabled: true });
    const now = { live: [live('ep-a', A)], steps: [updateStep('a', 'ep-a', A, { disabled: true, name: 'b' })] };
    expect(decided([step], now)).toEqual({
      a: 'changed: a new plan has another request: endpoint.name is "b", but the plan expects null',
    });
  });
});

describe('steps on one resource', () => {
  const move = (id: string, target: string, from: string, to: string, needs: string[] = []): Step => {
    const step = updateStep(id, target, { branch_id: from }, { branch_id: to }, needs);
    return {
      ...step,
      address: `shop/${target}`,
      action: 'move',
      expects: { state: 'present', id: target, attributes: { branch_id: from }, fingerprint: UNMARKED, joins: null },
    };
  };
  const detour = [
    move('1', 'ep-x', 'br-a', 'br-via'),
    move('2', 'ep-y', 'br-b', 'br-a', ['1']),
    move('3', 'ep-x', 'br-a', 'br-b', ['2']),
  ];
  const [, second, third] = detour;
  const both = [found('ep-x', 'ep-x'), found('ep-y', 'ep-y')];

  it.each<readonly [string, string, string, readonly Step[], Record<string, string>]>([
    ['before it began', 'br-a', 'br-b', detour, { 1: 'send', 2: 'send', 3: 'send' }],
    ['after the first', 'br-via', 'br-b', detour.slice(1), { 1: 'done', 2: 'send', 3: 'send' }],
    ['after the second', 'br-via', 'br-a', detour.slice(2), { 1: 'done', 2: 'done', 3: 'send' }],
    ['after all', 'br-b', 'br-a', [], { 1: 'done', 2: 'done', 3: 'done' }],
  ])('are a chain of moves: %s', (_, x, y, steps, expected) => {
    const resources = [live('ep-x', { ...A, branch_id: x }), live('ep-y', { ...A, branch_id: y })];
    expect(decided(detour, { live: resources, steps, changes: both })).toEqual(expected);
    expect([second?.id, third?.id]).toEqual(['2', '3']);
  });

  it('are a replacement, of which each half is decided by itself', () => {
    const at = (step: Step): Step => ({ ...step, address: 'shop/p' });
    const steps = [at(deleteStep('a', 'ep-x', A)), at(createStep('b', { ...A, name: 'new' }, ['ep-x'], ['a']))];
    const [, create] = steps;
    expect(decided(steps, { live: [live('ep-x', A)], steps })).toEqual({ a: 'send', b: 'send' });
    expect(decided(steps, { steps: create === undefined ? [] : [create] })).toEqual({ a: 'done', b: 'send' });
    const after = { live: [live('ep-n', { ...A, name: 'new' })], changes: [found('p', 'ep-n')] };
    expect(decided(steps, after)).toEqual({ a: 'done', b: 'done' });
  });
});
