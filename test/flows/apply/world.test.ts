// The lists that steps are judged by: which reading serves which question.
import { describe, expect, it } from 'vitest';
import type { KindRemote } from '../../../src/apply/kind-remote.ts';
import { World } from '../../../src/apply/judge/world.ts';
import { ApiFailure } from '../../../src/client/failure.ts';
import { COMPUTE, createRig, SHOP } from './harness.ts';

const SCOPE = { kind: 'compute', projectId: SHOP };
const SIGNAL = new AbortController().signal;

describe('a reading', () => {
  it.each([
    ['of any age serves', -Infinity, 1],
    ['that began after the last change serves', 999, 1],
    ['that began at the moment of the last change is too old', 1000, 2],
  ])('%s', async (_name, afterMs, requests) => {
    const rig = createRig();
    const world = new World({ kinds: new Map([['compute', COMPUTE]]), reader: rig.client, clock: rig.clock });
    await rig.clock.advance(1000);
    await rig.clock.run(world.reread(SCOPE, SIGNAL));
    await rig.clock.advance(1000);
    await rig.clock.run(world.list(SCOPE, afterMs, SIGNAL));
    expect(rig.wire).toHaveLength(requests);
  });

  it.each([
    ['again, below a project that this run made', [SHOP], 'answered'],
    ['once, below another project', [], 'ApiFailure: shows no branch'],
  ])('of a list that the service does not show yet is made %s', async (_name, made, expected) => {
    const rig = createRig();
    let looks = 0;
    const list = (): Promise<never[]> =>
      looks++ === 0
        ? Promise.reject(new ApiFailure('shows no branch', { failureClass: 'unusable', method: 'GET', path: '' }))
        : Promise.resolve([]);
    const kinds = new Map([['branch', { list } as unknown as KindRemote]]);
    const world = new World({ kinds, reader: rig.client, clock: rig.clock, made: () => made });
    const reading = world.list({ kind: 'branch', projectId: SHOP }, -Infinity, SIGNAL).then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    expect(await rig.clock.run(reading)).toBe(expected);
  });
});
