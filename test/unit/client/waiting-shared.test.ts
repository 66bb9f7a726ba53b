// Protects waits from each other: they share looks and operations, and each sees and ends what is its own.
import { describe, expect, it } from 'vitest';
import { OperationService } from './operation-service.ts';
import { MINUTE_MS, refOf, running, waiterOf, within } from './waiting-support.ts';
import { json } from './world.ts';

/** Ends an abort controller after so long, in virtual time. */
function abortAfter(service: OperationService, ms: number): AbortSignal {
  const abort = new AbortController();
  service.world.clock.sleep(ms).then(
    () => abort.abort(new Error('interrupted')),
    () => undefined,
  );
  return abort.signal;
}

describe('a wait', () => {
  it('for nothing is over, and asks nothing', async () => {
    const service = new OperationService();
    expect(await waiterOf(service).settled([], within(service, MINUTE_MS))).toEqual({
      end: 'finished',
      operations: [],
    });
    expect(service.requests).toEqual([]);
  });

  it('goes on when another one for the same operation runs out of time', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const ref = refOf(service.start('op-1', 10_000));
    const short = waiter.settled([ref], within(service, 2000));
    const long = waiter.settled([ref], within(service, MINUTE_MS));
    const ends = await service.world.clock.run(Promise.all([short, long]));
    expect(ends.map(({ end }) => end)).toEqual(['timed_out', 'finished']);
  });

  it('that is over is not looked after: its operation is not asked for any more', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const hidden = service.start('op-1', [running], { listedAfterMs: 1e9 });
    await service.world.clock.run(waiter.settled([refOf(hidden)], within(service, 2000)));
    const before = service.requests.length;
    await service.world.clock.run(waiter.settled([refOf(service.start('op-2', 2000))], within(service, MINUTE_MS)));
    expect(service.requests.slice(before).map(({ path }) => path)).not.toContain('/projects/p1/operations/op-1');
  });

  it('goes on until its last operation has ended, also when another one vanished before', async () => {
    const service = new OperationService();
    const gone = service.start('op-1', [running], { listedAfterMs: 1e9, foundUntilMs: 100 });
    const slow = service.start('op-2', 9000);
    const waiting = waiterOf(service).settled([refOf(gone), refOf(slow)], within(service, MINUTE_MS));
    expect((await service.world.clock.run(waiting)).end).toBe('vanished');
    expect(service.nowMs).toBeGreaterThanOrEqual(9000);
  });

  it('is told of what it still waits for alone', async () => {
    const service = new OperationService();
    const told: string[] = [];
    const done = service.start('op-1', [{ atMs: 0, status: 'finished' }]);
    const waiting = waiterOf(service, { pollIntervalMs: 45_000 }).settled(
      [refOf(done), refOf(service.start('op-2', 30_000))],
      {
        ...within(service, MINUTE_MS),
        onLook: ({ id }) => void told.push(id),
      },
    );
    await service.world.clock.run(waiting);
    expect(told.length).toBeGreaterThan(2);
    expect(new Set(told)).toEqual(new Set(['op-2']));
  });

  it('that is over is told nothing more', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const ref = refOf(service.start('op-1', 8000));
    const told: number[] = [];
    const options = { ...within(service, 2000), onLook: () => void told.push(service.nowMs) };
    await service.world.clock.run(
      Promise.all([waiter.settled([ref], options), waiter.settled([ref], within(service, MINUTE_MS))]),
    );
    expect(Math.max(...told)).toBeLessThanOrEqual(2000);
  });
});

describe('a failure', () => {
  it.each([
    [1000, 1300],
    [20_000, 5300],
  ])('with a poll interval of %i ms is believed at %i', async (pollIntervalMs, expected) => {
    const service = new OperationService();
    const operation = service.start('op-1', [running, { atMs: 200, status: 'failed' }]);
    const waiting = waiterOf(service, { pollIntervalMs }).settled([refOf(operation)], within(service, MINUTE_MS));
    expect((await service.world.clock.run(waiting)).end).toBe('failed');
    expect(service.nowMs).toBe(expected);
  });

  it('tells nothing of how long such operations take: the next one is looked at as early', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const broken = service.start('op-1', [running, { atMs: 200, status: 'error' }]);
    await service.world.clock.run(waiter.settled([refOf(broken)], within(service, MINUTE_MS)));
    const startMs = service.nowMs;
    await service.world.clock.run(waiter.settled([refOf(service.start('op-2', 250))], within(service, MINUTE_MS)));
    expect(service.nowMs - startMs).toBe(300);
  });

  it('to look is followed by a pause', async () => {
    const service = new OperationService();
    service.intercept = () => json({}, 500);
    const waiting = waiterOf(service).settled([refOf(service.start('op-1', [running]))], within(service, MINUTE_MS));
    await service.world.clock.run(waiting);
    // Each look is tried five times.
    const looks = service.requests.filter((_, at) => at % 5 === 0).map(({ atMs }) => atMs);
    const ends = service.requests.filter((_, at) => at % 5 === 4).map(({ atMs }) => atMs);
    const pauses = looks.slice(1).map((atMs, at) => atMs - (ends[at] ?? 0));
    expect(pauses.length).toBeGreaterThan(3);
    for (const pause of pauses.slice(0, -1)) expect(pause).toBe(5000);
  });
});

describe('what is known already', () => {
  it('by one project serves the others', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    // Nothing is known of either: the first to end tells the second when to look.
    const quick = waiter.settled([refOf(service.start('op-1', 550))], within(service, MINUTE_MS));
    await service.world.clock.advance(500);
    const slow = waiter.settled([refOf(service.start('op-2', 550, { projectId: 'p2' }))], within(service, MINUTE_MS));
    await service.world.clock.run(Promise.all([quick, slow]));
    expect(service.nowMs).toBe(1070);
  });
});

describe('when nobody waits, nobody looks', () => {
  it.each<[string, (service: OperationService) => Promise<unknown>]>([
    [
      'after an end',
      async (service) => waiterOf(service).settled([refOf(service.start('op-1', 500))], within(service, MINUTE_MS)),
    ],
    [
      'after a deadline',
      async (service) => waiterOf(service).settled([refOf(service.start('op-1', [running]))], within(service, 3000)),
    ],
    ['after a project became quiet', async (service) => waiterOf(service).quiet('p1', within(service, MINUTE_MS))],
    [
      'after a project stayed busy',
      async (service) => {
        service.start('foreign', [running]);
        return waiterOf(service).quiet('p1', within(service, 3000));
      },
    ],
    [
      'after a signal, while it was another project’s turn',
      async (service) => {
        const waiter = waiterOf(service, { looksPerSecond: 0.1 });
        const first = waiter.settled([refOf(service.start('op-1', 200))], within(service, MINUTE_MS));
        const signal = abortAfter(service, 5000);
        const second = waiter.settled(
          [refOf(service.start('op-2', [running], { projectId: 'p2' }))],
          within(service, MINUTE_MS, { signal }),
        );
        return Promise.allSettled([first, second]);
      },
    ],
  ])('%s', async (_, wait) => {
    const service = new OperationService();
    await service.world.clock.run(wait(service));
    const before = service.requests.length;
    await service.world.clock.advance(10 * MINUTE_MS);
    expect(service.requests).toHaveLength(before);
  });
});

describe('a busy project', () => {
  it('is told of at each look', async () => {
    const service = new OperationService();
    service.start('past', 4000, { createdMs: -100_000 });
    service.start('foreign', 4000);
    const told: (readonly [string, number])[] = [];
    const quiet = waiterOf(service).quiet('p1', {
      ...within(service, MINUTE_MS),
      onLook: ({ id }) => void told.push([id, service.nowMs]),
    });
    expect(await service.world.clock.run(quiet)).toBe(true);
    expect(told).toEqual([['foreign', 300]]);
    expect(service.requests).toHaveLength(2);
  });

  it('that two wait for lets the later one go only after its own pause', async () => {
    const service = new OperationService();
    const waiter = waiterOf(service);
    const ends: number[] = [];
    const first = waiter.quiet('p1', within(service, MINUTE_MS)).then(() => ends.push(service.nowMs));
    await service.world.clock.advance(200);
    const second = waiter.quiet('p1', within(service, MINUTE_MS)).then(() => ends.push(service.nowMs));
    await service.world.clock.run(Promise.all([first, second]));
    expect(ends).toEqual([500, 500]);
  });

  it('is looked at when its operation should end, known from the log', async () => {
    const service = new OperationService();
    service.start('past', 8000, { createdMs: -100_000 });
    service.start('foreign', 8000);
    const quiet = waiterOf(service, { pollIntervalMs: 20_000 }).quiet('p1', within(service, MINUTE_MS));
    expect(await service.world.clock.run(quiet)).toBe(true);
    expect(service.requests.map(({ atMs }) => atMs)).toEqual([300, 8020]);
  });
});
