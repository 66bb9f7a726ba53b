// Protects what other people make: after a lost reply only what is proven to come from our own request is taken for it, also in a place that takes one.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import { createRig, createStep, MAIN, runSteps, SHOP, STAGING, type Outcome } from './harness.ts';

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
  /** What the project gives to new computes. */
  readonly defaults?: JsonObject;
}

async function lose({ spec = REPLICA, lost, more = [], theirs, made = [], defaults }: Story): Promise<Outcome> {
  const rig = createRig();
  await rig.clock.advance(60_000);
  if (defaults !== undefined) {
    const project = { default_endpoint_settings: defaults };
    await rig.clock.run(rig.client.write('PATCH', `/projects/${SHOP}`, { project }));
  }
  const when = { method: 'POST', path: PATH };
  const meanwhile =
    theirs === undefined
      ? null
      : rig.clock.sleep(100).then(async () => rig.client.write('POST', PATH, { endpoint: { ...spec, ...theirs } }));
  const run = await runSteps(rig, [createStep('s', spec)], {
    faults: {
      rules: [
        { when: { ...when, nth: 1 }, fault: { kind: 'latency', ms: 500 } },
        { when: { ...when, nth: 1 }, fault: lost ?? { kind: 'after-commit-before-reply' } },
        ...more,
      ],
    },
    onMade: (_, id) => made.push(id),
  });
  await meanwhile;
  return run;
}

const WISHES: readonly (readonly [string, Spec])[] = [
  ['a replica', REPLICA],
  ['the only one of its place', ALONE],
];

it.each(WISHES)('%s: what our request made is found and taken, also where the log shows it late', async (_, spec) => {
  const made: string[] = [];
  expect((await lose({ spec, made })).ends).toEqual({ s: 'done' });
  expect(made).toHaveLength(1);
  const late: FaultRule = { when: OPERATIONS, times: 2, fault: { kind: 'list', how: 'empty' } };
  expect((await lose({ spec, more: [late] })).ends).toEqual({ s: 'done' });
});

describe.each(WISHES)('%s in a project with sizes of its own', (_kind, spec) => {
  const defaults = { autoscaling_limit_min_cu: 0.5, autoscaling_limit_max_cu: 2, suspend_timeout_seconds: 600 };

  it('is known by them', async () => {
    expect((await lose({ spec, defaults })).ends).toEqual({ s: 'done' });
    expect((await lose({ spec: { ...spec, autoscaling_limit_max_cu: 1 }, defaults })).ends).toEqual({ s: 'done' });
  });

  it('is not ours where it has what is usual elsewhere', async () => {
    const more = [list('suspend_timeout_seconds', 0)];
    expect((await lose({ spec, defaults, more })).ends).toEqual({ s: 'unknown' });
  });
});

const list = (at: string, value: unknown): FaultRule => ({
  when: { method: 'GET', path: PATH, after: 1 },
  times: 'always',
  fault: { kind: 'rewrite', at: `endpoints.*.${at}`, value },
});

describe.each(WISHES)('%s that is not proven to be ours is told, neither taken nor made beside', (_kind, spec) => {
  const cases: Readonly<Record<string, Story & { readonly why: string }>> = {
    'it has a name of its own': { why: 'it has the name analytics-prod', more: [list('name', 'analytics-prod')] },
    'it is larger than what nobody asked for': {
      why: 'autoscaling_limit_max_cu is 4',
      more: [list('autoscaling_limit_max_cu', 4)],
    },
    'it was made before the request': {
      why: 'not created at the time',
      more: [list('created_at', '2026-01-01T00:00:30Z')],
    },
    'it tells no time': {
      why: 'the creation time of the resource is not known',
      more: [list('created_at', undefined)],
    },
    'the operation log shows no operation of the resource': {
      why: 'the operation log shows no operation',
      more: [{ when: OPERATIONS, times: 'always', fault: { kind: 'list', how: 'empty' } }],
    },
    'another one came as well': { why: 'several new resources appeared', theirs: {} },
    'only one of somebody else came, of another size': {
      why: 'autoscaling_limit_max_cu is 4',
      lost: { kind: 'after-send-before-commit' },
      theirs: { autoscaling_limit_max_cu: 4 },
    },
  };
  const possible = Object.entries(cases).filter(
    ([, { why }]) => spec === REPLICA || why !== 'several new resources appeared',
  );
  it.each(possible)('%s', async (_, story) => {
    const made: string[] = [];
    const run = await lose({ ...story, spec, made });
    expect(run.ends).toEqual({ s: 'unknown' });
    expect(run.result.steps[0]?.message).toMatch(/another run or person may have created/);
    expect(run.result.steps[0]?.message).toContain(story.why);
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

it('what a lost reply made is proved also where the second request is refused for it', async () => {
  const unseen: FaultRule = {
    when: { method: 'GET', path: PATH, after: 1 },
    times: 2,
    fault: { kind: 'list', how: 'empty' },
  };
  const ours = await lose({ spec: ALONE, more: [unseen] });
  expect(ours.ends).toEqual({ s: 'done' });
  expect(ours.writes).toHaveLength(2);
  const theirs = await lose({ spec: ALONE, more: [unseen, list('name', 'analytics-prod')] });
  expect(theirs.ends).toEqual({ s: 'unknown' });
  expect(theirs.result.steps[0]?.message).toContain('it has the name analytics-prod');
});
