// The lists that steps are judged by: which reading serves which question.
import { describe, expect, it } from 'vitest';
import { World } from '../../../src/apply/judge/world.ts';
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
});
