// Protects what other people make: after a lost reply only a name of ours, or a slot that takes one, tells which resource the request made.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import { createRig, createStep, MAIN, runSteps, SHOP, STAGING, type Outcome } from './harness.ts';
import { always } from '../../support/faults.ts';

const PATH = `/projects/${SHOP}/endpoints`;
type Spec = JsonObject & { readonly branch_id: string; readonly type: string };

const REPLICA: Spec = { branch_id: MAIN, type: 'read_only' };
const ALONE: Spec = { branch_id: STAGING, type: 'read_write' };
const OPERATIONS = { method: 'GET', path: `/projects/${SHOP}/operations` };

interface Story {
  readonly spec?: Spec;
  readonly lost?: ExchangeFault;
  readonly more?: readonly FaultRule[];
  /** What somebody else makes while our request is on its way. */
  readonly theirs?: JsonObject;
  readonly made?: string[];
}

async function lose({ spec = REPLICA, lost, more = [], theirs, made = [] }: Story): Promise<Outcome> {
  const rig = createRig();
  await rig.clock.advance(60_000);
  const when = { method: 'POST', path: PATH };
  const meanwhile =
    theirs === undefined
      ? null
      : rig.clock.sleep(100).then(async () => rig.client.write('POST', PATH, { endpoint: { ...spec, ...theirs } }));
  const run = await runSteps(rig, [createStep('s', spec)], {
    faults: [
      { when: { ...when, nth: 1 }, fault: { kind: 'latency', ms: 500 } },
      { when: { ...when, nth: 1 }, fault: lost ?? { kind: 'after-commit-before-reply' } },
      ...more,
    ],
    onMade: (_, id) => made.push(id),
  });
  await meanwhile;
  return run;
}

const WISHES: readonly (readonly [string, Spec])[] = [
  ['a replica with a name of ours', { ...REPLICA, name: 'reports' }],
  ['the only one of its slot', ALONE],
];

it.each(WISHES)('%s: the one that is there is taken, also where the log shows it late', async (_, spec) => {
  const made: string[] = [];
  expect((await lose({ spec, made })).ends).toEqual({ s: 'done' });
  expect(made).toHaveLength(1);
  const late: FaultRule = { when: OPERATIONS, times: 2, fault: { kind: 'list', how: 'empty' } };
  expect((await lose({ spec, more: [late] })).ends).toEqual({ s: 'done' });
});

it.each(WISHES)('%s: without an operation in the log nobody knows whether it started', async (_, spec) => {
  const run = await lose({ spec, more: [always(OPERATIONS, { kind: 'list', how: 'empty' })] });
  expect(run.ends).toEqual({ s: 'unknown' });
  expect(run.result.steps[0]?.message).toMatch(/the operation log shows no operation of ep-/);
  expect(run.writes).toHaveLength(1);
});

const list = (at: string, value: unknown): FaultRule =>
  always({ method: 'GET', path: PATH, after: 1 }, { kind: 'rewrite', at: `endpoints.*.${at}`, value });

describe('a replica that nothing tells from others is reported, neither taken nor made beside', () => {
  const cases: Readonly<Record<string, Story>> = {
    'without a name': {},
    'without a name, beside one of somebody else': { theirs: {} },
    'not made, while somebody else made one': { lost: { kind: 'after-send-before-commit' }, theirs: {} },
    'under another name than ours': { spec: { ...REPLICA, name: 'reports' }, more: [list('name', 'analytics-prod')] },
  };
  it.each(Object.entries(cases))('%s', async (_, story) => {
    const made: string[] = [];
    const run = await lose({ ...story, made });
    expect(run.ends).toEqual({ s: 'unknown' });
    expect(run.result.steps[0]?.message).toMatch(/ep-\S+/);
    expect(made).toEqual([]);
    expect(run.writes).toHaveLength(story.theirs === undefined ? 1 : 2);
  });
});

describe('a request that is refused while somebody else makes an equal one', () => {
  async function refused(spec: Spec, status: number): Promise<Outcome & { readonly made: readonly string[] }> {
    const made: string[] = [];
    const refusal: ExchangeFault = { kind: 'reply', status, commit: false, body: '{"message":"not now"}' };
    const run = await lose({ spec, lost: refusal, theirs: {}, made });
    return { ...run, made };
  }

  it.each([400, 403, 404, 409, 412, 422])(
    '%i: a replica has failed, and theirs is told and not ours',
    async (status) => {
      const { ends, made, writes, result } = await refused(REPLICA, status);
      expect(ends).toEqual({ s: 'failed' });
      expect(result.steps[0]?.message).toMatch(/another run or person may have created/);
      expect(result.steps[0]?.resourceId ?? null).toBeNull();
      expect([made, writes.length, result.counts.satisfied]).toEqual([[], 2, 0]);
    },
  );

  it('423: whether the service has done it nobody knows, and none is made beside it', async () => {
    const { ends, made, writes, result } = await refused(REPLICA, 423);
    expect(ends).toEqual({ s: 'unknown' });
    expect(result.steps[0]?.message).toMatch(/ep-\S+ appeared since/);
    expect([made, writes.length]).toEqual([[], 2]);
  });

  it.each([409, 423])('%i: the place that takes one is filled, and the wish is met', async (status) => {
    const { ends, made, result } = await refused(ALONE, status);
    expect(ends).toEqual({ s: 'satisfied' });
    expect([made, result.counts.done]).toEqual([[], 0]);
  });
});

it('the one that a lost reply made is taken also where the second request is refused for it', async () => {
  const unseen: FaultRule = {
    when: { method: 'GET', path: PATH, after: 1 },
    times: 2,
    fault: { kind: 'list', how: 'empty' },
  };
  const run = await lose({ spec: ALONE, more: [unseen] });
  expect(run.ends).toEqual({ s: 'done' });
  expect(run.writes).toHaveLength(2);
});
