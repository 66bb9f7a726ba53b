// A removal is done when a list read after it is without its target: no answer to it proves that.
import { describe, expect, it } from 'vitest';
import type { ExchangeFault, FaultRule } from '../../../src/control-plane/faults/plan.ts';
import {
  MAIN,
  PRIMARY,
  SHOP,
  createRig,
  deleteStep,
  runSteps,
  type Rig,
  keysNamed,
  revokeStep,
  answered,
} from './harness.ts';
import { always } from '../../support/faults.ts';

async function oldKey(rig: Rig): Promise<string> {
  rig.plane.issueKey('old');
  return (await keysNamed(rig, 'old'))[0]?.id ?? '';
}

const isLive = (rig: Rig, id: string): boolean =>
  rig.plane.truth.keys().some((key) => key.id === id && key.revokedMs === undefined);

const removal = (fault: ExchangeFault): FaultRule => always({ method: 'DELETE' }, fault);

describe('of a key', () => {
  it.each<readonly [string, ExchangeFault]>([
    ['says that it is done', { kind: 'pretend' }],
    ['says that it is not', answered(200, '{"id":1,"revoked":false}')],
    ['is empty', answered(200, '{}')],
    ['has no content', answered(204)],
    ['is a promise', answered(202, '{}')],
    ['is that there is none', answered(404, '{"message":"not found"}')],
  ])('whose answer %s while the key stays is not done', async (_, fault) => {
    const rig = createRig();
    const id = await oldKey(rig);
    const run = await runSteps(rig, [revokeStep(id, 'old')], { faults: [removal(fault)] });
    expect(['failed', 'unknown']).toContain(run.result.steps[0]?.outcome);
    expect(isLive(rig, id)).toBe(true);
  });

  it.each<readonly [string, ExchangeFault]>([
    ['has no content', { kind: 'garble', how: 'no-content' }],
    ['is empty', { kind: 'garble', how: 'empty' }],
    ['is lost', { kind: 'after-commit-before-reply' }],
  ])('whose answer %s is done where the list is without it', async (_, fault) => {
    const rig = createRig();
    const id = await oldKey(rig);
    const run = await runSteps(rig, [revokeStep(id, 'old')], { faults: [removal(fault)] });
    expect(run.result.steps[0]?.outcome).toBe('done');
    expect(isLive(rig, id)).toBe(false);
  });

  it('that the list shows late is done, and sent once', async () => {
    const rig = createRig();
    const id = await oldKey(rig);
    const stale = { when: { method: 'GET', path: '/api_keys', after: 1, forMs: 3000 }, times: 'always' } as const;
    const run = await runSteps(rig, [revokeStep(id, 'old')], {
      faults: [{ ...stale, fault: { kind: 'list', how: 'stale', back: 1 } }],
    });
    expect(run.result.steps[0]?.outcome).toBe('done');
    expect(run.writes).toHaveLength(1);
  });
});

describe('of a compute', () => {
  const gone = deleteStep('gone', PRIMARY, { branch_id: MAIN, type: 'read_write' });

  it('is done when it is listed no more', async () => {
    const rig = createRig();
    expect((await runSteps(rig, [gone])).ends).toEqual({ gone: 'done' });
    expect(rig.wire.at(-1)).toBe(`GET /projects/${SHOP}/endpoints`);
  });

  it('that was only pretended is not, and nothing that needs it is begun', async () => {
    const rig = createRig();
    const after = deleteStep('after', 'ep-none-000001', {}, ['gone']);
    const run = await runSteps(rig, [gone, after], { faults: [removal({ kind: 'pretend' })] });
    expect(run.ends['gone']).toBe('unknown');
    expect(run.ends['after']).not.toBe('done');
    expect(run.ledger).toEqual([]);
    expect(run.events.find(({ type }) => type === 'step_unknown')).toMatchObject({
      reason: `the service accepted the delete, but ${PRIMARY} is still listed`,
    });
  });
});
