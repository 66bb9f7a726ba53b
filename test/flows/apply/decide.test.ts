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

interface Context {
  /** Ids that belong to steps of the run. */
  readonly claimed?: ReadonlySet<string>;
  readonly earlier?: readonly JsonObject[];
}

function decided(step: Step, all: readonly LiveResource[], { claimed = new Set(), earlier }: Context = {}): Decision {
  const kinds = new Map([['compute', COMPUTE]]);
  const run = { kinds, plan: planOf([step]), claims: claimed, made: new Map() } as unknown as Run;
  return decide(run, step, { live: all, ...(earlier === undefined ? {} : { earlier }) });
}

const x = (spec: JsonObject, observed?: JsonObject): LiveResource => live('ep-x', spec, observed);
const OFF = { ...A, disabled: true };
const ON = { ...A, disabled: false };
const SWITCH = updateStep('s', 'ep-x', { disabled: false }, { disabled: true });
/** Gives the name `b` to one that was planned to be so. */
const rename = (before: JsonObject): Step => updateStep('s', 'ep-x', before, { name: 'b' });
const settings = (values: JsonObject): JsonObject => ({ settings: { pg_settings: values } });
const SWITCH_NAMED = updateStep('s', 'ep-x', { name: 'a' }, { disabled: true });
const REMOVE = deleteStep('s', 'ep-x', A);
const AT = { branch_id: 'br-a' };
const PLACE = { where: { branch_id: 'br-b', type: 'read_write' }, known: [] };
const MOVE: Step = {
  ...updateStep('s', 'ep-x', AT, { branch_id: 'br-b' }),
  action: 'move',
  expects: { state: 'present', id: 'ep-x', attributes: AT, fingerprint: UNMARKED, joins: PLACE },
};
const ON_B = { ...A, branch_id: 'br-b' };
const ACTIVE = { current_state: 'active' };

const CASES: readonly (readonly [string, Step, readonly LiveResource[], string, Context?])[] = [
  ['create: nothing there', createStep('s', A), [], 'send'],
  ['create: only what the plan knew', createStep('s', A, ['ep-old']), [live('ep-old', A)], 'send'],
  ['create: an equal stranger', createStep('s', A), [x(A)], 'done'],
  ['create: another stranger', createStep('s', OFF), [x(ON)], 'changed'],
  ['create: a claimed one is no stranger', createStep('s', A), [x(A)], 'send', { claimed: new Set(['ep-x']) }],
  ['create: another pool does not count', createStep('s', A), [x(REPLICA)], 'send'],
  ['update: as expected', SWITCH, [x(ON)], 'send'],
  ['update: done already', SWITCH, [x(OFF)], 'done'],
  ['update: changed otherwise', rename({ name: 'a' }), [x({ ...A, name: 'c' })], 'changed'],
  ['update: gone', rename({}), [], 'changed'],
  ['update: 0 s is 300 s', rename({ suspend_timeout_seconds: 300 }), [x({ suspend_timeout_seconds: 0 })], 'send'],
  ['update: a nested value', rename(settings({ work_mem: '4MB' })), [x(settings({ work_mem: '8MB' }))], 'changed'],
  ['update: a dotted setting is one key', rename(settings({ 'a.b': '1' })), [x(settings({ 'a.b': '1' }))], 'send'],
  ['update: values sent once more are never satisfied', rename({ name: 'b' }), [x({ name: 'b' })], 'send'],
  ['update: an earlier step made it so', SWITCH_NAMED, [x({ name: 'b' })], 'send', { earlier: [{ name: 'b' }] }],
  ['update: it made something else', SWITCH_NAMED, [x({ name: 'c' })], 'changed', { earlier: [{ name: 'b' }] }],
  ['update: runtime noise', rename(A), [x(A, ACTIVE)], 'send'],
  ['delete: there', REMOVE, [x(A)], 'send'],
  ['delete: gone already', REMOVE, [], 'done'],
  ['delete: changed since', REMOVE, [x(ON_B)], 'changed'],
  ['restart: as expected', restartStep('s', 'ep-x', A), [x(A)], 'send'],
  ['restart: never satisfied by attributes', restartStep('s', 'ep-x', { ...A, name: 'a' }), [x(A)], 'changed'],
  ['move: free', MOVE, [x(A)], 'send'],
  ['move: done', MOVE, [x(ON_B)], 'done'],
  ['move: a stranger took the place', MOVE, [x(A), live('ep-y', ON_B)], 'changed'],
  [
    'update: a member came into a value that is replaced as a whole',
    rename(settings({ a: '4' })),
    [x(settings({ a: '4', other: '1' }))],
    'changed',
  ],
  ['the same one', marked(REMOVE), [x(A)], 'send'],
  ['another one of the same id, made at another time', marked(REMOVE), [{ ...x(A), createdAtMs: 1 }], 'changed'],
  ['another that shows the wish', marked(rename({ name: 'a' })), [{ ...x({ name: 'b' }), createdAtMs: 1 }], 'changed'],
  ['one whose making is no longer told', marked(REMOVE), [{ ...x(A), createdAtMs: null }], 'changed'],
  ['one of another project', marked(REMOVE), [{ ...x(A), projectId: 'other' }], 'changed'],
  ['a passing fact that nothing rests on', marked(REMOVE), [x(A, ACTIVE)], 'send'],
  ['a passing fact that the step rests on', marked(REMOVE, ['current_state']), [x(A, ACTIVE)], 'changed'],
];

/** Planned upon a compute of the shop that was made at the epoch and was idle. */
function marked(step: Step, restsOn: readonly string[] = []): Step {
  const { expects } = step;
  if (expects.state === 'absent') return step;
  const lasting = { project_id: SHOP, created_at: '1970-01-01T00:00:00.000Z' };
  return { ...step, expects: { ...expects, fingerprint: { lasting, passing: { current_state: 'idle' }, restsOn } } };
}

describe('one step', () => {
  it.each(CASES.map(([name, ...rest]) => ({ name, rest })))('$name', ({ rest }) => {
    const [step, resources, expected, context] = rest;
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
