// Protects waiting: each oddity of operations ends as it must, in virtual time, and never without a bound.
import { describe, expect, it } from 'vitest';
import type { WaitOutcome } from '../../../src/client/waiter.ts';
import { OperationService, type Phase, type ScriptedOperation } from './operation-service.ts';
import { MINUTE_MS, refOf, running, waiterOf, within } from './waiting-support.ts';
import { json } from './world.ts';

interface Case {
  readonly name: string;
  /** Starts the awaited operations. */
  readonly begin: (service: OperationService) => readonly ScriptedOperation[];
  readonly end: WaitOutcome['end'];
  readonly byMs: number;
  readonly notBeforeMs?: number;
  readonly requests?: number;
}

const one =
  (...phases: readonly Phase[]) =>
  (service: OperationService): readonly ScriptedOperation[] => [service.start('op-1', phases)];

const CASES: readonly Case[] = [
  { name: 'finishes', begin: one(running, { atMs: 900, status: 'finished' }), end: 'finished', byMs: 1600 },
  { name: 'is skipped', begin: one(running, { atMs: 900, status: 'skipped' }), end: 'finished', byMs: 1600 },
  {
    name: 'is finished in the reply: nothing is asked',
    begin: one({ atMs: 0, status: 'finished' }),
    end: 'finished',
    byMs: 0,
    requests: 0,
  },
  {
    name: 'waits its turn first',
    begin: one({ atMs: 0, status: 'scheduling' }, { ...running, atMs: 5000 }, { atMs: 9000, status: 'finished' }),
    end: 'finished',
    byMs: 14_000,
  },
  {
    name: 'O1: fails, seen twice a poll interval apart',
    begin: one(running, { atMs: 200, status: 'failed', failures: 1 }),
    end: 'failed',
    notBeforeMs: 5300,
    byMs: 5400,
  },
  {
    name: 'O1: fails in the reply already, seen again later',
    begin: one({ atMs: 0, status: 'failed' }),
    end: 'failed',
    notBeforeMs: 5000,
    byMs: 5100,
    requests: 1,
  },
  {
    name: 'fails, is tried again by the service and finishes',
    begin: one(
      running,
      { atMs: 200, status: 'failed', failures: 1, retryAtMs: 20_000 },
      { ...running, atMs: 20_000, failures: 1 },
      { atMs: 21_000, status: 'finished', failures: 1 },
    ),
    end: 'finished',
    notBeforeMs: 21_000,
    byMs: 27_000,
  },
  {
    name: 'fails for a moment without a date, then runs again',
    begin: one(
      running,
      { atMs: 250, status: 'failed', failures: 1 },
      { ...running, atMs: 2000, failures: 1 },
      { atMs: 12_000, status: 'finished' },
    ),
    end: 'finished',
    notBeforeMs: 12_000,
    byMs: 18_000,
  },
  {
    name: 'fails with a retry in the past',
    begin: one(running, { atMs: 200, status: 'failed', retryAtMs: 100 }),
    end: 'failed',
    notBeforeMs: 5000,
    byMs: 5400,
  },
  { name: 'O2: error ends at once', begin: one(running, { atMs: 200, status: 'error' }), end: 'failed', byMs: 400 },
  {
    name: 'O8: cancelled ends at once',
    begin: one(running, { atMs: 100, status: 'cancelling' }, { atMs: 200, status: 'cancelled' }),
    end: 'failed',
    byMs: 400,
  },
  {
    name: 'O3: stays scheduling',
    begin: one({ atMs: 0, status: 'scheduling' }),
    end: 'timed_out',
    notBeforeMs: MINUTE_MS,
    byMs: MINUTE_MS,
  },
  { name: 'O4: stays running', begin: one(running), end: 'timed_out', notBeforeMs: MINUTE_MS, byMs: MINUTE_MS },
  {
    name: 'O8: a word nobody knows is no success',
    begin: one(running, { atMs: 100, status: 'levitating' }),
    end: 'timed_out',
    notBeforeMs: MINUTE_MS,
    byMs: MINUTE_MS,
  },
  {
    name: 'a word nobody knows, and a newer operation of the resource finishes',
    begin: (service) => {
      const first = service.start('op-1', [running, { atMs: 100, status: 'levitating' }]);
      service.world.clock.after(1000, () => void service.start('op-2', 500));
      return [first];
    },
    end: 'finished',
    byMs: 8000,
  },
  {
    name: 'O8: a word nobody knows, then finishes',
    begin: one(running, { atMs: 100, status: 'levitating' }, { atMs: 3000, status: 'finished' }),
    end: 'finished',
    byMs: 8000,
  },
  {
    name: 'O7: finishes after failures',
    begin: one(running, { atMs: 500, status: 'finished', failures: 3 }),
    end: 'finished',
    byMs: 800,
  },
  {
    name: 'O5: vanishes: absent in both places for as long as a log may lag',
    begin: (service) => [service.start('op-1', 5000, { listedAfterMs: 1e9, foundUntilMs: 100 })],
    end: 'vanished',
    notBeforeMs: 10_300,
    byMs: 12_400,
  },
  {
    name: 'is not listed: found by its id',
    begin: (service) => [service.start('op-1', 900, { listedAfterMs: 1e9 })],
    end: 'finished',
    byMs: 1600,
  },
  {
    name: 'is listed and found only after a while',
    begin: (service) => [service.start('op-1', 900, { listedAfterMs: 1500, foundAfterMs: 1500 })],
    end: 'finished',
    byMs: 2500,
  },
  {
    name: 'O12: belongs to another project, says the service',
    begin: (service) => [service.start('op-1', 900, { claimedProjectId: 'p2' })],
    end: 'timed_out',
    byMs: MINUTE_MS,
  },
  {
    name: 'O10: one of two finishes, the other fails',
    begin: (service) => [service.start('op-1', 300), service.start('op-2', [running, { atMs: 300, status: 'error' }])],
    end: 'failed',
    byMs: 800,
  },
  {
    name: 'one of two fails, the other never ends',
    begin: (service) => [
      service.start('op-1', [running]),
      service.start('op-2', [running, { atMs: 300, status: 'error' }]),
    ],
    end: 'failed',
    notBeforeMs: MINUTE_MS,
    byMs: MINUTE_MS,
  },
  {
    name: 'O11: operations of others, running or failed, do not matter',
    begin: (service) => {
      service.start('foreign-1', [running]);
      service.start('foreign-2', [{ atMs: 0, status: 'failed' }]);
      return [service.start('op-1', 300)];
    },
    end: 'finished',
    byMs: 800,
  },
  {
    name: 'O16: an older operation of the same resource and action does not matter',
    begin: (service) => {
      service.start('older', [{ atMs: 0, status: 'failed' }], { createdMs: -5000 });
      return [service.start('op-1', 300)];
    },
    end: 'finished',
    byMs: 800,
  },
  {
    name: 'O15: sixty at once, one poll loop',
    begin: (service) => Array.from({ length: 60 }, (_, at) => service.start(`op-${at}`, 5000)),
    end: 'finished',
    byMs: 5500,
    requests: 10,
  },
];

describe('an operation that', () => {
  it.each(CASES)('$name', async ({ begin, end, byMs, notBeforeMs = 0, requests }) => {
    const service = new OperationService();
    const operations = begin(service);
    const waiting = waiterOf(service).settled(operations.map(refOf), within(service, MINUTE_MS));
    const outcome = await service.world.clock.run(waiting);
    expect(outcome.end).toBe(end);
    expect(outcome.operations.map(({ id }) => id)).toEqual(operations.map(({ id }) => id));
    expect(service.nowMs).toBeGreaterThanOrEqual(notBeforeMs);
    expect(service.nowMs).toBeLessThanOrEqual(byMs);
    if (requests !== undefined) expect(service.requests.length).toBeLessThanOrEqual(requests);
  });

  it('O9: goes back from finished to running is believed the first time', async () => {
    const service = new OperationService();
    const first = service.start('op-1', [running, { atMs: 200, status: 'finished' }, { ...running, atMs: 600 }]);
    const second = service.start('op-2', 3000);
    const waiting = waiterOf(service).settled([refOf(first), refOf(second)], within(service, MINUTE_MS));
    expect((await service.world.clock.run(waiting)).end).toBe('finished');
  });

  it.each([
    ['423', () => json({ message: 'locked' }, 423)],
    ['429', () => json({ message: 'slow down' }, 429)],
    ['500', () => json({ message: 'oops' }, 500)],
    ['nonsense', () => new Response('<html>')],
  ])('O13: is polled through %s for half a minute', async (_name, answer) => {
    const service = new OperationService();
    const operation = service.start('op-1', 2000);
    service.intercept = () => (service.nowMs < 30_000 ? answer() : null);
    const waiting = waiterOf(service).settled([refOf(operation)], within(service, 2 * MINUTE_MS));
    expect((await service.world.clock.run(waiting)).end).toBe('finished');
    expect(service.nowMs).toBeLessThan(50_000);
  });

  it('O13: cannot be polled at all until the deadline: still running, as far as anybody knows', async () => {
    const service = new OperationService();
    const operation = service.start('op-1', 2000);
    service.intercept = () => json({}, 500);
    const waiting = waiterOf(service).settled([refOf(operation)], within(service, MINUTE_MS));
    expect((await service.world.clock.run(waiting)).end).toBe('timed_out');
    expect(service.nowMs).toBe(MINUTE_MS);
  });

  it.each([401, 403, 404])('may not be polled (%i on the log) rejects', async (status) => {
    const service = new OperationService();
    const operation = service.start('op-1', 2000);
    service.intercept = () => json({ message: 'no' }, status);
    const waiting = waiterOf(service).settled([refOf(operation)], within(service, MINUTE_MS));
    await expect(service.world.clock.run(waiting)).rejects.toMatchObject({ failureClass: 'refused', status });
  });
});
