// Protects a busy project from being asked again too early or too often.
import { describe, expect, it } from 'vitest';
import { OperationService } from './operation-service.ts';
import { MINUTE_MS, refOf, waiterOf, within } from './waiting-support.ts';
import { json } from './world.ts';

describe('a project that answered 423', () => {
  it('is quiet once nothing is under way', async () => {
    const service = new OperationService();
    service.start('foreign', 4000);
    const quiet = waiterOf(service).quiet('p1', within(service, MINUTE_MS));
    expect(await service.world.clock.run(quiet)).toBe(true);
    expect(service.nowMs).toBeGreaterThanOrEqual(4000);
    expect(service.nowMs).toBeLessThanOrEqual(5500);
    expect(service.requests.length).toBeLessThanOrEqual(10);
  });

  it('is looked at only after a pause, for its log may lag behind', async () => {
    const service = new OperationService();
    expect(await service.world.clock.run(waiterOf(service).quiet('p1', within(service, MINUTE_MS)))).toBe(true);
    expect(service.requests).toEqual([{ path: '/projects/p1/operations', atMs: 300 }]);
  });

  it('is given longer pauses when it only looks quiet, and long ones never exceed the poll interval', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const endsMs: number[] = [];
    for (let round = 0; round < 10; round++) {
      await service.world.clock.run(waiter.quiet('p1', within(service, 10 * MINUTE_MS)));
      endsMs.push(service.nowMs);
    }
    const pausesMs = endsMs.map((endMs, at) => endMs - (endsMs[at - 1] ?? 0));
    expect(pausesMs.slice(0, 3)).toEqual([300, 600, 1200]);
    expect(Math.max(...pausesMs)).toBe(5000);
  });

  it('wakes with its own awaited operations, by the same looks', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    await service.world.clock.run(waiter.settled([refOf(service.start('op-0', 2000))], within(service, MINUTE_MS)));
    const before = service.requests.length;
    const startMs = service.nowMs;
    const settled = waiter.settled([refOf(service.start('op-1', 2000))], within(service, MINUTE_MS));
    const quiet = waiter.quiet('p1', within(service, MINUTE_MS));
    await service.world.clock.run(Promise.all([settled, quiet]));
    expect(service.nowMs - startMs).toBeLessThan(2200);
    expect(service.requests.length - before).toBe(1);
  });

  it('never becomes quiet: false at the deadline', async () => {
    const service = new OperationService();
    service.start('foreign', [{ atMs: 0, status: 'cancelling' }]);
    const seen: string[] = [];
    const quiet = waiterOf(service).quiet('p1', {
      ...within(service, MINUTE_MS),
      onLook: ({ id }) => void seen.push(id),
    });
    expect(await service.world.clock.run(quiet)).toBe(false);
    expect(service.nowMs).toBe(MINUTE_MS);
    expect(new Set(seen)).toEqual(new Set(['foreign']));
  });

  it('is asked at long pauses about an operation that has run for very long', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    service.start('hung', [{ atMs: 0, status: 'running' }]);
    await service.world.clock.run(waiter.settled([refOf(service.start('op-0', 40))], within(service, MINUTE_MS)));
    await service.world.clock.run(service.world.clock.sleep(11 * MINUTE_MS));
    const before = service.requests.length;
    await service.world.clock.run(waiter.quiet('p1', within(service, 10 * MINUTE_MS)));
    expect(service.requests.length - before).toBeLessThan(160);
  });

  it('may not be looked at: rejects', async () => {
    const service = new OperationService();
    service.intercept = () => json({}, 401);
    const quiet = waiterOf(service).quiet('p1', within(service, MINUTE_MS));
    await expect(service.world.clock.run(quiet)).rejects.toMatchObject({ status: 401 });
  });
});
