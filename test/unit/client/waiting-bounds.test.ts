// Protects whoever waits: deadlines, signals and signs of life.
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/base/time/clock.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import { OperationService } from './operation-service.ts';
import { MINUTE_MS, refOf, running, waiterOf, within } from './waiting-support.ts';

describe('deadlines, signals and progress', () => {
  it('an aborted signal ends the wait with its reason, and the looks with it', async () => {
    const service = new OperationService();
    const abort = new AbortController();
    const reason = new Error('interrupted');
    const waiting = waiterOf(service).settled(
      [refOf(service.start('op-1', [running]))],
      within(service, MINUTE_MS, { signal: abort.signal }),
    );
    service.world.clock.sleep(10_000).then(
      () => abort.abort(reason),
      () => undefined,
    );
    await expect(service.world.clock.run(waiting)).rejects.toBe(reason);
    expect(service.nowMs).toBe(10_000);
    const before = service.requests.length;
    await service.world.clock.advance(MINUTE_MS);
    expect(service.requests.length).toBe(before);
  });

  it('a signal that is aborted already asks nothing', async () => {
    const service = new OperationService();
    const waiting = waiterOf(service).settled(
      [refOf(service.start('op-1', [running]))],
      within(service, MINUTE_MS, { signal: AbortSignal.abort(new Error('interrupted')) }),
    );
    await expect(waiting).rejects.toThrow('interrupted');
    expect(service.requests).toHaveLength(0);
  });

  it('a deadline in the past is over at once', async () => {
    const service = new OperationService();
    const waiting = waiterOf(service).settled([refOf(service.start('op-1', [running]))], within(service, -1));
    expect((await waiting).end).toBe('timed_out');
  });

  it('each wait of a project has its own deadline', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const slow = waiter.settled([refOf(service.start('op-1', [running]))], within(service, 2000));
    const quick = waiter.settled([refOf(service.start('op-2', 2500))], within(service, MINUTE_MS));
    expect((await service.world.clock.run(slow)).end).toBe('timed_out');
    expect(service.nowMs).toBe(2000);
    expect((await service.world.clock.run(quick)).end).toBe('finished');
  });

  it('every look is told', async () => {
    const service = new OperationService();
    const told: OperationRecord[] = [];
    const waiting = waiterOf(service).settled([refOf(service.start('op-1', 60_000))], {
      ...within(service, 5 * MINUTE_MS),
      onLook: (record) => told.push(record),
    });
    await service.world.clock.run(waiting);
    expect(told).toHaveLength(service.requests.length);
    expect(told[0]).toMatchObject({ id: 'op-1', action: 'start', status: 'running' });
    expect(told.at(-1)).toMatchObject({ id: 'op-1', status: 'finished' });
  });

  it('a signal shared by many waits warns of no leak', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const service = new OperationService();
    const waiter = waiterOf(service);
    const { signal } = new AbortController();
    const waits = Array.from({ length: 40 }, (_, at) =>
      waiter.settled([refOf(service.start(`op-${at}`, 300))], within(service, MINUTE_MS, { signal })),
    );
    await service.world.clock.run(Promise.all(waits));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });
});

it('a hundred waits on one project cost one timer, and each keeps its own deadline', async () => {
  const service = new OperationService();
  const { clock } = service.world;
  let most = 0;
  const counting: Clock = {
    nowMs: () => clock.nowMs(),
    monotonicMs: () => clock.monotonicMs(),
    after(ms, act) {
      const stop = clock.after(ms, act);
      most = Math.max(most, clock.openTimers);
      return stop;
    },
    sleep: async (ms, signal) => clock.sleep(ms, signal),
  };
  const waiter = waiterOf(service, { clock: counting });
  const ended: number[] = [];
  const waits = Array.from({ length: 100 }, async (_, at) => {
    await waiter.settled([refOf(service.start(`op-${at}`, [running]))], within(service, 60_000 - at * 100));
    ended.push(service.nowMs);
  });
  await clock.run(Promise.all(waits));
  expect(most).toBe(1);
  expect(ended).toEqual(Array.from({ length: 100 }, (_, at) => 50_100 + at * 100));
});
