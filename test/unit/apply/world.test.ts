// Readings that steps share: whose failure is whose, which reading counts, and which list may still lag.
import { describe, expect, it } from 'vitest';
import { World } from '../../../src/apply/judge/world.ts';
import type { KindRemote } from '../../../src/apply/kind-remote.ts';
import type { FailureFacts } from '../../../src/client/failure.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { failure, resource } from './scripted-run.ts';

const SCOPE = { kind: 'compute', projectId: 'shop-1' };
const NEVER = new AbortController().signal;
const BOTH = [resource('ep-1')];

/** A world whose n-th reading, from 1, does this. */
function worldOf(
  read: (nth: number, signal: AbortSignal) => Promise<readonly LiveResource[]>,
  made?: () => Iterable<string>,
) {
  const clock = new VirtualClock();
  const at: number[] = [];
  const list: KindRemote['list'] = async (_, _below, signal) => {
    at.push(clock.monotonicMs());
    return read(at.length, signal);
  };
  const kinds = new Map([['compute', { list } as KindRemote]]);
  const world = new World({ kinds, reader: undefined as never, clock, ...(made === undefined ? {} : { made }) });
  return { world, clock, at };
}

describe('a reading that steps share', () => {
  it.each([
    ['of any age serves', -Infinity, 1],
    ['that began after the last change serves', 999, 1],
    ['that began at the moment of the last change is too old', 1000, 2],
  ])('%s', async (_, afterMs, readings) => {
    const { world, clock, at } = worldOf(async () => Promise.resolve(BOTH));
    await clock.advance(1000);
    await world.reread(SCOPE, NEVER);
    await clock.advance(1000);
    await world.list(SCOPE, afterMs, NEVER);
    expect(at).toHaveLength(readings);
  });

  it('is made anew by the others where the step that began it was stopped', async () => {
    const { world, clock, at } = worldOf(async (nth, signal) => {
      if (nth === 1) await clock.sleep(1000, signal);
      return BOTH;
    });
    const stop = new AbortController();
    const first = world.list(SCOPE, -Infinity, stop.signal);
    const second = world.list(SCOPE, -Infinity, NEVER);
    stop.abort();
    await expect(first).rejects.toThrow('aborted');
    expect(await second).toEqual(BOTH);
    expect(at).toHaveLength(2);
  });

  it('that the service refuses is refused to all; a stop ends it for whoever is stopped', async () => {
    const refused = worldOf(async () => Promise.reject(failure('no')));
    const both = [1, 2].map(async () => refused.world.list(SCOPE, -Infinity, NEVER));
    for (const one of await Promise.allSettled(both))
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'no' } });
    expect(refused.at).toHaveLength(1);
    const { world, clock, at } = worldOf(async (_, signal) => clock.sleep(1000, signal).then(() => BOTH));
    const stop = new AbortController();
    const stopped = [1, 2].map(async () => world.list(SCOPE, -Infinity, stop.signal));
    stop.abort();
    for (const one of await Promise.allSettled(stopped)) expect(one.status).toBe('rejected');
    expect(at).toHaveLength(1);
  });

  it('has the time when it began; one that failed has none, unless a newer one has begun', async () => {
    const { world, clock } = worldOf(async (nth) => {
      await clock.sleep(nth === 1 ? 2000 : 1000);
      return nth === 3 ? Promise.reject(failure('no')) : nth === 1 ? Promise.reject(failure('late')) : BOTH;
    });
    expect(world.readAtMs(SCOPE)).toBe(-Infinity);
    const first = world.reread(SCOPE, NEVER).catch(String);
    await clock.advance(500);
    expect(world.readAtMs(SCOPE)).toBe(0);
    await clock.run(world.reread(SCOPE, NEVER));
    await clock.run(first);
    expect(world.readAtMs(SCOPE)).toBe(500);
    await expect(clock.run(world.reread(SCOPE, NEVER))).rejects.toThrow('no');
    expect(world.readAtMs(SCOPE)).toBe(-Infinity);
  });
});

describe('a list that does not show yet what this run made', () => {
  async function read(
    facts: Partial<FailureFacts> | Error,
    made?: () => Iterable<string>,
    scope: Parameters<World['reread']>[0] = SCOPE,
  ) {
    const { world, clock, at } = worldOf(
      async (nth) => (nth <= 4 ? Promise.reject(facts instanceof Error ? facts : failure('no', facts)) : BOTH),
      made,
    );
    const end = await clock.run(world.reread(scope, NEVER).then(() => 'read', String));
    return [end, at];
  }
  const RETRIED = ['read', [0, 500, 1500, 3500, 7500]];
  const REFUSED = ['ApiFailure: no', [0]];

  it.each<[string, Partial<FailureFacts>, readonly string[], unknown]>([
    ['is read again where it is not found', { status: 404 }, ['shop-1'], RETRIED],
    ['is read again where it is without its parent', { failureClass: 'unusable' }, ['x', 'shop-1'], RETRIED],
    ['is not read again after another refusal', { status: 403 }, ['shop-1'], REFUSED],
    ['is not read again where this run made nothing', { status: 404 }, [], REFUSED],
    ['is not read again below another project', { status: 404 }, ['else'], REFUSED],
  ])('%s', async (_, facts, made, wanted) => {
    expect(await read(facts, () => made)).toEqual(wanted);
  });

  it('is that below its parent, and a bug is a bug', async () => {
    const scope = { ...SCOPE, parentId: 'br-1' };
    expect(await read({ status: 404 }, () => ['br-1'], scope)).toEqual(RETRIED);
    expect(await read({ status: 404 }, () => ['shop-1'], scope)).toEqual(REFUSED);
    expect(await read({ status: 404 })).toEqual(REFUSED);
    expect(await read(new Error('bug'), () => ['shop-1'])).toEqual(['Error: bug', [0]]);
  });
});
