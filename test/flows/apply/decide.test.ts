// The decision on one step by a reading: send, done or changed.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { decide } from '../../../src/apply/judge/decide.ts';
import type { Decision, Run } from '../../../src/apply/run/run.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import { COMPUTE, createStep, deleteStep, planOf, restartStep, SHOP, UNMARKED, updateStep } from './harness.ts';

const A = { branch_id: 'br-a', type: 'read_write' };
const REPLICA = { branch_id: 'br-a', type: 'read_only' };

function live(id: string, spec: JsonObject, observed: JsonObject = {}): LiveResource {
  return { kind: 'compute', id, projectId: SHOP, spec, observed, createdAtMs: 0 };
}

function moveStep(
  id: string,
  target: string,
  from: string,
  to: string,
  needs: string[] = [],
  known: string[] = [],
): Step {
  const step = updateStep(id, target, { branch_id: from }, { branch_id: to }, needs);
  const joins = { where: { branch_id: to, type: 'read_write' }, known };
  return {
    ...step,
    action: 'move',
    expects: { state: 'present', id: target, attributes: { branch_id: from }, fingerprint: UNMARKED, joins },
  };
}

interface Context {
  /** Ids that belong to steps of the run. */
  readonly claimed?: ReadonlySet<string>;
  readonly earlier?: readonly JsonObject[];
}

function decided(
  step: Step,
  resources: readonly LiveResource[],
  { claimed = new Set(), earlier }: Context = {},
): Decision {
  const run = {
    kinds: new Map([['compute', COMPUTE]]),
    plan: planOf([step]),
    claims: claimed,
    made: new Map(),
  } as unknown as Run;
  return decide(run, step, { live: resources, ...(earlier === undefined ? {} : { earlier }) });
}

const CASES: readonly (readonly [string, Step, readonly LiveResource[], string, Context?])[] = [
  ['create: nothing there', createStep('s', A), [], 'send'],
  ['create: only what the plan knew', createStep('s', A, ['ep-old']), [live('ep-old', A)], 'send'],
  ['create: an equal stranger', createStep('s', A), [live('ep-x', A)], 'done'],
  [
    'create: another stranger',
    createStep('s', { ...A, disabled: true }),
    [live('ep-x', { ...A, disabled: false })],
    'changed',
  ],
  [
    'create: a claimed one is no stranger',
    createStep('s', A),
    [live('ep-x', A)],
    'send',
    { claimed: new Set(['ep-x']) },
  ],
  ['create: another pool does not count', createStep('s', A), [live('ep-x', REPLICA)], 'send'],
  [
    'update: as expected',
    updateStep('s', 'ep-x', { disabled: false }, { disabled: true }),
    [live('ep-x', { ...A, disabled: false })],
    'send',
  ],
  [
    'update: done already',
    updateStep('s', 'ep-x', { disabled: false }, { disabled: true }),
    [live('ep-x', { ...A, disabled: true })],
    'done',
  ],
  [
    'update: changed otherwise',
    updateStep('s', 'ep-x', { name: 'a' }, { name: 'b' }),
    [live('ep-x', { ...A, name: 'c' })],
    'changed',
  ],
  ['update: gone', updateStep('s', 'ep-x', {}, { name: 'b' }), [], 'changed'],
  [
    'update: 0 and 300 seconds are one',
    updateStep('s', 'ep-x', { suspend_timeout_seconds: 300 }, { name: 'b' }),
    [live('ep-x', { suspend_timeout_seconds: 0 })],
    'send',
  ],
  [
    'update: a nested value',
    updateStep('s', 'ep-x', { settings: { pg_settings: { work_mem: '4MB' } } }, { name: 'b' }),
    [live('ep-x', { settings: { pg_settings: { work_mem: '8MB', other: '1' } } })],
    'changed',
  ],
  [
    'update: a dotted setting is one key',
    updateStep('s', 'ep-x', { settings: { pg_settings: { 'a.b': '1' } } }, { name: 'b' }),
    [live('ep-x', { settings: { pg_settings: { 'a.b': '1' } } })],
    'send',
  ],
  [
    'update: values sent once more are never satisfied',
    updateStep('s', 'ep-x', { name: 'b' }, { name: 'b' }),
    [live('ep-x', { name: 'b' })],
    'send',
  ],
  [
    'update: an earlier step of the run made it so',
    updateStep('s', 'ep-x', { name: 'a' }, { disabled: true }),
    [live('ep-x', { name: 'b' })],
    'send',
    { earlier: [{ name: 'b' }] },
  ],
  [
    'update: the earlier step made something else',
    updateStep('s', 'ep-x', { name: 'a' }, { disabled: true }),
    [live('ep-x', { name: 'c' })],
    'changed',
    { earlier: [{ name: 'b' }] },
  ],
  [
    'update: runtime noise',
    updateStep('s', 'ep-x', A, { name: 'b' }),
    [live('ep-x', A, { current_state: 'active' })],
    'send',
  ],
  ['delete: there', deleteStep('s', 'ep-x', A), [live('ep-x', A)], 'send'],
  ['delete: gone already', deleteStep('s', 'ep-x', A), [], 'done'],
  ['delete: changed since', deleteStep('s', 'ep-x', A), [live('ep-x', { ...A, branch_id: 'br-b' })], 'changed'],
  ['restart: as expected', restartStep('s', 'ep-x', A), [live('ep-x', A)], 'send'],
  [
    'restart: never satisfied by attributes',
    restartStep('s', 'ep-x', { ...A, name: 'a' }),
    [live('ep-x', A)],
    'changed',
  ],
  ['move: free', moveStep('s', 'ep-x', 'br-a', 'br-b'), [live('ep-x', A)], 'send'],
  ['move: done', moveStep('s', 'ep-x', 'br-a', 'br-b'), [live('ep-x', { ...A, branch_id: 'br-b' })], 'done'],
  [
    'move: a stranger took the place',
    moveStep('s', 'ep-x', 'br-a', 'br-b'),
    [live('ep-x', A), live('ep-y', { ...A, branch_id: 'br-b' })],
    'changed',
  ],
  [
    'update: a member came into a value that is replaced as a whole',
    updateStep('s', 'ep-x', { settings: { pg_settings: { work_mem: '4MB' } } }, { name: 'b' }),
    [live('ep-x', { settings: { pg_settings: { work_mem: '4MB', other: '1' } } })],
    'changed',
  ],
  ['the same one', marked(deleteStep('s', 'ep-x', A)), [live('ep-x', A)], 'send'],
  [
    'another one of the same id, made at another time',
    marked(deleteStep('s', 'ep-x', A)),
    [{ ...live('ep-x', A), createdAtMs: 1 }],
    'changed',
  ],
  [
    'another one of the same id that shows what was asked for',
    marked(updateStep('s', 'ep-x', { name: 'a' }, { name: 'b' })),
    [{ ...live('ep-x', { name: 'b' }), createdAtMs: 1 }],
    'changed',
  ],
  [
    'one whose making is no longer told',
    marked(deleteStep('s', 'ep-x', A)),
    [{ ...live('ep-x', A), createdAtMs: null }],
    'changed',
  ],
  [
    'one of another project',
    marked(deleteStep('s', 'ep-x', A)),
    [{ ...live('ep-x', A), projectId: 'other' }],
    'changed',
  ],
  [
    'a passing fact that nothing rests on',
    marked(deleteStep('s', 'ep-x', A)),
    [live('ep-x', A, { current_state: 'active' })],
    'send',
  ],
  [
    'a passing fact that the step rests on',
    marked(deleteStep('s', 'ep-x', A), ['current_state']),
    [live('ep-x', A, { current_state: 'active' })],
    'changed',
  ],
];

/** Planned upon a compute of the shop that was made at the epoch and was idle. */
function marked(step: Step, restsOn: readonly string[] = []): Step {
  const { expects } = step;
  if (expects.state === 'absent') return step;
  const lasting = { project_id: SHOP, created_at: '1970-01-01T00:00:00.000Z' };
  return { ...step, expects: { ...expects, fingerprint: { lasting, passing: { current_state: 'idle' }, restsOn } } };
}

describe('one step', () => {
  const cases = CASES.map(([name, step, resources, expected, context]) => ({
    name,
    step,
    resources,
    expected,
    context,
  }));
  it.each(cases)('$name', ({ step, resources, expected, context }) => {
    expect(decided(step, resources, context).state).toBe(expected);
  });

  it('names the attribute that is stale', () => {
    const step = updateStep('s', 'ep-x', { name: 'a' }, { name: 'b' });
    expect(decided(step, [live('ep-x', { name: 'c' })])).toEqual({
      state: 'changed',
      reason: 'ep-x has changed: name is "c", but the plan expects "a"',
    });
  });
});
