// The lists that steps are judged by: which reading serves which question.
import { describe, expect, it } from 'vitest';
import { World, type Age } from '../../../src/apply/judge/world.ts';
import type { Reader } from '../../../src/client/types.ts';
import { COMPUTE, createRig, SHOP } from './harness.ts';

const SCOPE = { kind: 'compute', projectId: SHOP };
const ANY: Age = { afterMs: -Infinity, beforeWrites: false };
const SIGNAL = new AbortController().signal;

describe('a reading', () => {
  const read = async (age: Partial<Age>, before: (world: World) => void = () => undefined): Promise<number> => {
    const rig = createRig();
    const world = new World({ kinds: new Map([['compute', COMPUTE]]), reader: rig.client, clock: rig.clock });
    await rig.clock.advance(1000);
    await rig.clock.run(world.reread(SCOPE, SIGNAL));
    before(world);
    await rig.clock.advance(1000);
    await rig.clock.run(world.list(SCOPE, { ...ANY, ...age }, SIGNAL));
    return rig.wire.length;
  };

  it.each<[string, Partial<Age>, number]>([
    ['of any age serves', {}, 1],
    ['that began after the last change serves', { afterMs: 999 }, 1],
    ['that began at the moment of the last change is too old', { afterMs: 1000 }, 2],
    ['after which nothing was written serves', { beforeWrites: true }, 1],
  ])('%s', async (_name, age, requests) => {
    expect(await read(age)).toBe(requests);
  });

  it('after which we wrote in the scope is too old for what must be looked at', async () => {
    expect(await read({ beforeWrites: true }, (world) => world.writes(SCOPE))).toBe(2);
    expect(await read({}, (world) => world.writes(SCOPE))).toBe(1);
    expect(await read({ beforeWrites: true }, (world) => world.writes({ ...SCOPE, projectId: 'other' }))).toBe(1);
  });
});

it('of two readings that overlap, the one that began later counts, also for who waited for the other', async () => {
  const { clock, client } = createRig();
  const answers: (() => void)[] = [];
  const reader: Reader = {
    ...client,
    get: async (path, shape, options) => {
      const reply = await client.get(path, shape, options);
      await new Promise<void>((resolve) => {
        answers.push(resolve);
      });
      return reply;
    },
  };
  const world = new World({ kinds: new Map([['compute', COMPUTE]]), reader, clock });
  const first = world.reread(SCOPE, SIGNAL);
  await clock.advance(100);
  const second = world.reread(SCOPE, SIGNAL);
  await clock.advance(100);
  answers.at(1)?.();
  const later = await second;
  answers.at(0)?.();
  expect(await first).toBe(later);
});
