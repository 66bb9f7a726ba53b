// Every single fault at the write of every kind of step: nothing is done twice, and the outcome tells the truth.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import {
  createRig,
  createStep,
  deleteStep,
  MAIN,
  PRIMARY,
  restartStep,
  runningRig,
  runSteps,
  SHOP,
  STAGING,
  updateStep,
} from './harness.ts';
import { always } from '../../support/faults.ts';

const PRIMARY_OF_MAIN = { branch_id: MAIN, type: 'read_write' };
const ALONE = { branch_id: STAGING, type: 'read_write' };
const REPLICA = { branch_id: STAGING, type: 'read_only' };

const FAULTS: Readonly<Record<string, ExchangeFault>> = {
  'refused connection': { kind: 'before-connect' },
  'reset before the first byte': { kind: 'before-send' },
  'reset within the request': { kind: 'mid-request' },
  'reset before commit': { kind: 'after-send-before-commit' },
  'reset after commit': { kind: 'after-commit-before-reply' },
  'cut headers': { kind: 'mid-headers' },
  'cut body': { kind: 'mid-body' },
  'reset after the reply': { kind: 'after-reply' },
  'late commit within the settle time': { kind: 'late-commit', delayMs: 1000 },
  'late commit after it': { kind: 'late-commit', delayMs: 20_000 },
  'no answer, committed': { kind: 'black-hole', commit: true },
  'no answer, not committed': { kind: 'black-hole', commit: false },
  '500 committed': { kind: 'reply', commit: true, status: 500 },
  '500 not committed': { kind: 'reply', commit: false, status: 500 },
  '502 committed': { kind: 'reply', commit: true, status: 502, body: '<html>' },
  '504 not committed': { kind: 'reply', commit: false, status: 504 },
  '408 committed': { kind: 'reply', commit: true, status: 408 },
  '503 not committed': { kind: 'reply', commit: false, status: 503 },
  '429': { kind: 'rate-limited' },
  '423': { kind: 'locked' },
  'empty 200': { kind: 'garble', how: 'empty' },
  'captive portal': { kind: 'garble', how: 'html' },
  malformed: { kind: 'garble', how: 'malformed' },
  array: { kind: 'garble', how: 'array' },
  null: { kind: 'garble', how: 'null' },
  'no ids': { kind: 'garble', how: 'no-ids' },
  'no operations': { kind: 'garble', how: 'no-operations' },
  'unknown members': { kind: 'garble', how: 'unknown-members' },
  huge: { kind: 'garble', how: 'huge' },
};

interface Workload {
  readonly step: Step;
  /** Committed mutations at the most. */
  readonly atMost: number;
  /** Steps that no evidence can prove may end unknown. */
  readonly mayBeUnknown: boolean;
}

const WORKLOADS: Readonly<Record<string, Workload>> = {
  'create primary': { step: createStep('s', ALONE), atMost: 1, mayBeUnknown: false },
  'create replica': { step: createStep('s', { ...REPLICA, name: 'reports' }), atMost: 1, mayBeUnknown: true },
  update: {
    step: updateStep('s', PRIMARY, { ...PRIMARY_OF_MAIN }, { suspend_timeout_seconds: 900 }),
    atMost: 2,
    mayBeUnknown: false,
  },
  delete: { step: deleteStep('s', PRIMARY, PRIMARY_OF_MAIN), atMost: 1, mayBeUnknown: false },
  restart: { step: restartStep('s', PRIMARY, PRIMARY_OF_MAIN), atMost: 1, mayBeUnknown: true },
};

/** The update's plan knows the value before, so that "unchanged" can be told from "done". */
async function prepared(rig: ReturnType<typeof createRig>, step: Step): Promise<Step> {
  if (step.action !== 'update') return step;
  const live = await rig.clock.run(rig.list());
  const spec = live.find(({ id }) => id === PRIMARY)?.spec ?? {};
  return updateStep('s', PRIMARY, spec, { suspend_timeout_seconds: 900 });
}

describe.each(Object.entries(WORKLOADS))('%s', (what, { step, atMost, mayBeUnknown }) => {
  // Megabytes cost more than all else together: one workload shows them.
  const faults = Object.entries(FAULTS).filter(([name]) => name !== 'huge' || what === 'create primary');
  it.each(faults)('%s', async (_name, fault) => {
    const rig = await runningRig();
    const ledgerBefore = rig.plane.ledger().length;
    const run = await runSteps(rig, [await prepared(rig, step)], {
      faults: [{ when: { method: step.method, path: '/projects/**' }, times: 1, fault }],
    });
    const outcome = run.ends['s'] ?? '';
    const committedInRun = run.ledger.length;
    expect(outcome).toMatch(mayBeUnknown ? /^(done|unknown)$/ : /^done$/);
    if (outcome === 'done') expect(committedInRun).toBeGreaterThanOrEqual(1);
    if (outcome === 'done') expect(rig.plane.truth.operations({ projectId: SHOP, open: true })).toEqual([]);
    await rig.clock.advance(60_000);
    const committed = rig.plane.ledger().slice(ledgerBefore);
    expect(committed.length).toBeLessThanOrEqual(atMost);
    expect(run.writes.length).toBeLessThanOrEqual(4);
  });
});

describe('unknown outcomes', () => {
  it('end a replica as unknown when nothing proves it, and hold back the next one of its pool', async () => {
    const rig = createRig();
    const run = await runSteps(rig, [createStep('a', REPLICA), createStep('b', REPLICA)], {
      faults: [{ when: { method: 'POST', nth: 1 }, fault: { kind: 'after-send-before-commit' } }],
    });
    expect(run.ends).toEqual({ a: 'unknown', b: 'not_started' });
    expect(run.writes).toHaveLength(1);
    expect(run.ledger).toEqual([]);
  });
});

it.each(['create primary', 'update'])(
  '%s: a lost reply and an unreadable operation log leave the outcome unknown, although the live state fits',
  async (what) => {
    const rig = await runningRig();
    const step = await prepared(rig, WORKLOADS[what]?.step as Step);
    const run = await runSteps(rig, [step], {
      faults: [
        { when: { method: step.method, nth: 1 }, fault: { kind: 'after-commit-before-reply' } },
        always({ path: '/projects/*/operations' }, { kind: 'reply', commit: false, status: 500 }),
      ],
    });
    expect(run.ends).toEqual({ s: 'unknown' });
    expect(run.ledger).toHaveLength(1);
  },
);

describe('absence', () => {
  const replica = createStep('a', { ...REPLICA, name: 'a' });
  const post = { method: 'POST', nth: 1 };

  it.each<readonly [string, FaultRule[]]>([
    ['the commit comes between the two looks', [{ when: post, fault: { kind: 'late-commit', delayMs: 1000 } }]],
    [
      'the first look is stale',
      [
        { when: post, fault: { kind: 'after-commit-before-reply' } },
        { when: { path: '/projects/*/endpoints', method: 'GET', nth: 2 }, fault: { kind: 'list', how: 'stale' } },
      ],
    ],
  ])('is not believed after one look: %s', async (_, rules) => {
    const run = await runSteps(createRig(), [replica], { faults: rules });
    expect(run.ends).toEqual({ a: 'done' });
    expect(run.writes).toHaveLength(1);
  });
});
