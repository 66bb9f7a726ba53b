// Protects what others do while a write waits to be sent again: "come later" is followed by a look, never by the same request.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { FaultPlan } from '../../../src/control-plane/faults/plan.ts';
import type { Step } from '../../../src/model/outcome/plan.ts';
import {
  createRig,
  deleteStep,
  MAIN,
  PRIMARY,
  restartStep,
  runningRig,
  runSteps,
  SHOP,
  updateStep,
  type Outcome,
  type Rig,
  type RunOptions,
  KEYS,
  keysNamed,
  keyStep,
  place,
  revokeStep,
} from './harness.ts';
import { always } from '../../support/faults.ts';

const PATH = `/projects/${SHOP}/endpoints`;

/** "Come later", four seconds: said to the first such write alone. */
const later = (method: 'POST' | 'PATCH' | 'DELETE', status: number, commit = false): FaultPlan => ({
  rules: [{ when: { method }, fault: { kind: 'reply', commit, status, body: '{}', headers: { 'retry-after': '4' } } }],
});

/** Runs the step while somebody else does something in the middle of the pause. */
async function beside(rig: Rig, step: Step, change: () => unknown, options: RunOptions): Promise<Outcome> {
  const meanwhile = rig.clock.sleep(1500).then(change);
  const outcome = await runSteps(rig, [step], options);
  await meanwhile;
  return outcome;
}

const write =
  (rig: Rig, ...[method, path, body]: Parameters<Rig['client']['write']>) =>
  async (): Promise<unknown> =>
    rig.client.write(method, path, body);

/** It is not what the plan was made upon any more. */
function expectStale({ result, report }: Outcome): void {
  expect(result.steps).toMatchObject([{ outcome: 'failed' }]);
  expect(report.halted).toBe('stale');
}

const computes = async (rig: Rig): Promise<readonly JsonObject[]> => {
  rig.plane.setFaults({});
  return (await rig.clock.run(rig.list())).map(({ id, spec }) => ({ id, ...spec }));
};

describe.each([429, 503])('%i and a pause', (status) => {
  it('what nobody has touched is sent again, after a look', async () => {
    const rig = createRig();
    const step = updateStep('s', PRIMARY, {}, { suspend_timeout_seconds: 900 });
    const run = await runSteps(rig, [step], { faults: later('PATCH', status) });
    expect(run.ends).toEqual({ s: 'done' });
    const [first, second] = rig.wire.flatMap((line, at) => (line.startsWith('PATCH') ? [at] : []));
    expect(rig.wire.slice(first, second)).toContain(`GET ${PATH}`);
  });

  it("somebody else's new value is not overwritten", async () => {
    const rig = createRig();
    const before = (await rig.clock.run(rig.list())).find(({ id }) => id === PRIMARY)?.spec ?? {};
    const step = updateStep('s', PRIMARY, before, { suspend_timeout_seconds: 900 });
    const theirs = write(rig, 'PATCH', `${PATH}/${PRIMARY}`, { endpoint: { suspend_timeout_seconds: 600 } });
    const run = await beside(rig, step, theirs, { faults: later('PATCH', status) });
    expectStale(run);
    expect(await computes(rig)).toContainEqual(expect.objectContaining({ id: PRIMARY, suspend_timeout_seconds: 600 }));
  });

  it('what was refused and done all the same is not done twice, and its operations are waited for', async () => {
    const rig = await runningRig();
    const before = (await rig.clock.run(rig.list())).find(({ id }) => id === PRIMARY)?.spec ?? {};
    const step = updateStep('s', PRIMARY, before, { suspend_timeout_seconds: 900 });
    const faults = later('PATCH', status, true);
    const run = await runSteps(rig, [step], { faults });
    expect(run.ends).toEqual({ s: 'done' });
    expect(run.writes).toHaveLength(1);
  });

  it.each([true, false])('a restart since then is enough; the service did it all the same: %s', async (isOurs) => {
    const rig = await runningRig();
    const step = restartStep('s', PRIMARY, { branch_id: MAIN });
    const theirs = write(rig, 'POST', `${PATH}/${PRIMARY}/restart`, null);
    const faults = later('POST', status, isOurs);
    const run = await beside(rig, step, isOurs ? () => undefined : theirs, { faults });
    expect(run.ends).toEqual({ s: 'done' });
    expect(run.ledger).toEqual(['POST compute']);
  });

  it('a window that has closed meanwhile holds it', async () => {
    const rig = createRig();
    await rig.clock.advance(59_000);
    const step = deleteStep('s', PRIMARY, { branch_id: MAIN });
    const minute = { text: 'Thu 00:00-00:01 UTC', weekdays: [4], startMinute: 0, endMinute: 1, timeZone: 'UTC' };
    const run = await runSteps(rig, [step], {
      faults: later('DELETE', status),
      changes: [
        { address: step.address, action: 'delete', blockedBy: [], impact: ['permanent', 'drops_connections'] } as never,
      ],
      windows: [{ project: null, windows: [minute] }],
    });
    expect(run.ledger).toEqual([]);
    expect(run.result.steps[0]?.message).toContain('no safety window is open');
  });

  it('a key of the name that has come meanwhile is told of, and none is made beside it', async () => {
    const rig = createRig();
    const theirs = write(rig, 'POST', '/api_keys', { key_name: 'ci' });
    const run = await beside(rig, keyStep('ci'), theirs, { openSinks: () => [place], faults: later('POST', status) });
    expect(run.ends).toEqual({ 'create:api_keys/ci': 'unknown' });
    expect(run.ledger).toEqual(['POST key']);
    const id = rig.plane.truth.keys().find(({ name }) => name === 'ci')?.id ?? '';
    expect(run.result.steps[0]?.message).toContain(id);
  });

  it('a key that is used meanwhile is not revoked', async () => {
    const rig = createRig();
    const value = rig.plane.issueKey('old');
    const [live] = await keysNamed(rig, 'old');
    if (live === undefined) throw new Error('it was made');
    const { lasting, passing } = KEYS.fingerprint(live);
    const step = revokeStep(live.id, 'old', { lasting, passing, restsOn: Object.keys(passing) });
    const use = async (): Promise<unknown> => rig.client.withCredential(value).get('/projects', 'ProjectList');
    const run = await beside(rig, step, use, { faults: later('DELETE', status) });
    expectStale(run);
    expect(run.ledger).toEqual([]);
  });

  it('a look that fails ends it: nothing is sent unseen', async () => {
    const rig = createRig();
    const faults: FaultPlan = {
      rules: [
        ...(later('DELETE', status).rules ?? []),
        always({ method: 'GET', path: PATH, after: 1 }, { kind: 'garble', how: 'html' }),
      ],
    };
    const run = await runSteps(rig, [deleteStep('s', PRIMARY, { branch_id: MAIN })], { faults });
    expect(run.ends).toEqual({ s: 'failed' });
    expect(run.writes).toHaveLength(1);
  });
});
