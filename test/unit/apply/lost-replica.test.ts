// Protects other people's replicas: after a lost reply only what is proven to come from our own request is taken for it.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import { createRig, createStep, MAIN, runSteps, SHOP } from './harness.ts';
import type { Outcome } from './harness.ts';

const PATH = `/projects/${SHOP}/endpoints`;
const SPEC = { branch_id: MAIN, type: 'read_only' };
const OPERATIONS = { method: 'GET', path: `/projects/${SHOP}/operations` };

interface Story {
  readonly lost?: ExchangeFault;
  readonly more?: readonly FaultRule[];
  /** What somebody else makes while our request is on its way. */
  readonly theirs?: JsonObject;
  readonly made?: string[];
}

async function lose({ lost, more = [], theirs, made = [] }: Story): Promise<Outcome> {
  const rig = createRig();
  await rig.clock.advance(60_000);
  const when = { method: 'POST', path: PATH };
  const meanwhile =
    theirs === undefined
      ? null
      : rig.clock.sleep(100).then(async () => rig.client.write('POST', PATH, { endpoint: { ...SPEC, ...theirs } }));
  const run = await runSteps(rig, [createStep('s', SPEC)], {
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

it('what our request made is found and taken, also where the log shows it late', async () => {
  const made: string[] = [];
  expect((await lose({ made })).ends).toEqual({ s: 'done' });
  expect(made).toHaveLength(1);
  const late: FaultRule = { when: OPERATIONS, times: 2, fault: { kind: 'list', how: 'empty' } };
  expect((await lose({ more: [late] })).ends).toEqual({ s: 'done' });
});

const list = (at: string, value: unknown): FaultRule => ({
  when: { method: 'GET', path: PATH, after: 1 },
  times: 'always',
  fault: { kind: 'rewrite', at: `endpoints.*.${at}`, value },
});

describe('what is not proven to be ours is told, neither taken nor made beside', () => {
  const cases: Readonly<Record<string, Story & { readonly why: string }>> = {
    'it has a name of its own': { why: 'it has the name analytics-prod', more: [list('name', 'analytics-prod')] },
    'it is larger than what nobody asked for': {
      why: 'autoscaling_limit_max_cu is 4',
      more: [list('autoscaling_limit_max_cu', 4)],
    },
    'it was made before the request': {
      why: 'not made at the time',
      more: [list('created_at', '2026-01-01T00:00:30Z')],
    },
    'it tells no time': { why: 'when it was made is not known', more: [list('created_at', undefined)] },
    'the log shows no operation of it': {
      why: 'the log shows no operation',
      more: [{ when: OPERATIONS, times: 'always', fault: { kind: 'list', how: 'empty' } }],
    },
    'another one came as well': { why: 'several came', theirs: {} },
    'only one of somebody else came, of another size': {
      why: 'autoscaling_limit_max_cu is 4',
      lost: { kind: 'after-send-before-commit' },
      theirs: { autoscaling_limit_max_cu: 4 },
    },
  };
  it.each(Object.entries(cases))('%s', async (_, story) => {
    const made: string[] = [];
    const run = await lose({ ...story, made });
    expect(run.ends).toEqual({ s: 'unknown' });
    expect(run.result.steps[0]?.message).toMatch(/ep-\S+ came into being meanwhile, and nothing proves/);
    expect(run.result.steps[0]?.message).toContain(story.why);
    expect(made).toEqual([]);
    expect(run.writes).toHaveLength(story.theirs === undefined ? 1 : 2);
  });
});
