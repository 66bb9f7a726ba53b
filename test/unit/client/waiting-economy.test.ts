// Protects the budget of requests: looks are few, shared and well timed.
import { describe, expect, it } from 'vitest';
import type { OperationWaiter, WaitOutcome } from '../../../src/client/operations/waiter.ts';
import { OperationService } from './operation-service.ts';
import { MINUTE_MS, refOf, running, waiterOf, within } from './waiting-support.ts';

describe('economy of looks', () => {
  /** Ten operations in each of ten projects, started within half a second; requests and time until all have ended. */
  async function hundred(
    service: OperationService,
    waiter: OperationWaiter,
    durationMs: number,
  ): Promise<WaitOutcome[]> {
    const waits: Promise<WaitOutcome>[] = [];
    for (let at = 0; at < 100; at++) {
      const operation = service.start(`op-${service.nowMs}-${at}`, durationMs, { projectId: `p${at % 10}` });
      waits.push(waiter.settled([refOf(operation)], within(service, 10 * MINUTE_MS)));
      await service.world.clock.advance(5);
    }
    return service.world.clock.run(Promise.all(waits));
  }

  it('a hundred operations of five seconds in ten projects, nothing known before: under forty looks', async () => {
    const service = new OperationService();
    service.latencyMs = 20;
    const outcomes = await hundred(service, waiterOf(service), 5000);
    expect(outcomes.every(({ end }) => end === 'finished')).toBe(true);
    expect(service.requests.length).toBeLessThanOrEqual(40);
    expect(service.nowMs).toBeLessThan(6000);
  });

  it('the same once more, now that the duration is known: one look a project or two', async () => {
    const service = new OperationService();
    service.latencyMs = 20;
    const waiter = waiterOf(service);
    await hundred(service, waiter, 5000);
    const before = service.requests.length;
    const startMs = service.nowMs;
    await hundred(service, waiter, 5000);
    expect(service.requests.length - before).toBeLessThanOrEqual(15);
    expect(service.nowMs - startMs).toBeLessThan(6000);
  });

  it('short operations are noticed soon', async () => {
    const service = new OperationService();
    service.latencyMs = 20;
    await hundred(service, waiterOf(service), 300);
    expect(service.nowMs).toBeLessThan(1500);
    expect(service.requests.length).toBeLessThanOrEqual(40);
  });

  it('the log tells how long such operations take, before any of ours has ended', async () => {
    const service = new OperationService();
    const past = Array.from({ length: 5 }, (_, at) => service.start(`past-${at}`, 5000, { createdMs: -100_000 + at }));
    const waiter = waiterOf(service);
    await service.world.clock.run(waiter.settled(past.map(refOf), within(service, MINUTE_MS)));
    const beginMs = service.nowMs;
    const waiting = waiter.settled([refOf(service.start('op-1', 5000))], within(service, MINUTE_MS));
    expect((await service.world.clock.run(waiting)).end).toBe('finished');
    expect(service.requests).toHaveLength(2);
    expect(service.nowMs - beginMs).toBeLessThan(5200);
  });

  it('one look serves all operations that are due within half a second', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const past = service.start('past', 4000, { createdMs: -100_000 });
    await service.world.clock.run(waiter.settled([refOf(past)], within(service, MINUTE_MS)));
    const before = service.requests.length;
    const waits = [0, 90, 490].map((laterMs) =>
      waiter.settled([refOf(service.start(`op-${laterMs}`, 4000 + laterMs))], within(service, MINUTE_MS)),
    );
    await service.world.clock.run(Promise.all(waits));
    expect(service.requests.length - before).toBeLessThanOrEqual(3);
  });

  it('looks of many projects keep to the pace given', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service, { looksPerSecond: 6 });
    const waits = Array.from({ length: 60 }, (_, at) =>
      waiter.settled(
        [refOf(service.start(`op-${at}`, 20_000, { projectId: `p${at}` }))],
        within(service, 5 * MINUTE_MS),
      ),
    );
    await service.world.clock.run(Promise.all(waits));
    const atMs = service.requests.map((request) => request.atMs);
    for (const windowEndMs of atMs)
      expect(atMs.filter((lookMs) => lookMs <= windowEndMs && lookMs > windowEndMs - 1000).length).toBeLessThanOrEqual(
        7,
      );
  });

  it('the pause between two looks is never longer than asked', async () => {
    const service = new OperationService();
    const waiting = waiterOf(service, { pollIntervalMs: 2000 }).settled(
      [refOf(service.start('op-1', [running]))],
      within(service, MINUTE_MS),
    );
    await service.world.clock.run(waiting);
    const pausesMs = service.requests.map(({ atMs }, at) => atMs - (service.requests[at - 1]?.atMs ?? 0));
    expect(Math.max(...pausesMs)).toBeLessThanOrEqual(2000);
    expect(service.requests.length).toBeLessThan(45);
  });
});
