// Protects waiting: each oddity of operations ends as it must, in virtual time, and never without a bound.
import { describe, expect, it } from 'vitest';
import type { WaitOutcome } from '../../../src/client/waiter.ts';
import { OperationService, type Phase, type ScriptedOperation } from './operation-service.ts';
import { MINUTE_MS, refOf, running, settled, waiterOf, within } from './waiting-support.ts';
import { json } from './world.ts';

type Begin = (service: OperationService) => readonly ScriptedOperation[];
/** How the awaited operations begin: as a function, or the phases of a single one, `AT_MS STATUS FAILURES RETRY_AT_MS`. */
type Row = [
  name: string,
  begin: string | Begin,
  end: WaitOutcome['end'],
  notBeforeMs: number,
  byMs: number,
  requests?: number,
];

function phasesOf(text: string): Phase[] {
  return text.split(', ').map((phase) => {
    const [atMs, status = '', failures = 0, retryAtMs] = phase.split(' ');
    const retry = retryAtMs === undefined ? {} : { retryAtMs: Number(retryAtMs) };
    return { atMs: Number(atMs), status, failures: Number(failures), ...retry };
  });
}

/** One that takes 900 ms. */
function alone(more: Partial<ScriptedOperation>): Begin {
  return (service) => [service.start('op-1', 900, more)];
}

const CASES: readonly Row[] = [
  ['finishes', '0 running, 900 finished', 'finished', 0, 1600],
  ['is skipped', '0 running, 900 skipped', 'finished', 0, 1600],
  ['is finished in the reply: nothing is asked', '0 finished', 'finished', 0, 0, 0],
  ['waits its turn first', '0 scheduling, 5000 running, 9000 finished', 'finished', 0, 14_000],
  ['O1: fails, seen twice a poll interval apart', '0 running, 200 failed 1', 'failed', 5300, 5400],
  ['O1: fails in the reply already, seen again later', '0 failed', 'failed', 5000, 5100, 1],
  ['fails with a retry in the past', '0 running, 200 failed 0 100', 'failed', 5000, 5400],
  ['O2: error ends at once', '0 running, 200 error', 'failed', 0, 400],
  ['O8: cancelled ends at once', '0 running, 100 cancelling, 200 cancelled', 'failed', 0, 400],
  ['O3: stays scheduling', '0 scheduling', 'timed_out', MINUTE_MS, MINUTE_MS],
  ['O4: stays running', '0 running', 'timed_out', MINUTE_MS, MINUTE_MS],
  ['O8: a word nobody knows is no success', '0 running, 100 levitating', 'timed_out', MINUTE_MS, MINUTE_MS],
  [
    'a word nobody knows, and a newer operation of the resource finishes',
    (service) => {
      const first = service.start('op-1', [running, { atMs: 100, status: 'levitating' }]);
      service.world.clock.after(1000, () => void service.start('op-2', 500));
      return [first];
    },
    'finished',
    0,
    8000,
  ],
  ['O8: a word nobody knows, then finishes', '0 running, 100 levitating, 3000 finished', 'finished', 0, 8000],
  ['O7: finishes after failures', '0 running, 500 finished 3', 'finished', 0, 800],
  [
    'O5: vanishes: absent in both places for as long as a log may lag',
    (service) => [service.start('op-1', 5000, { listedAfterMs: 1e9, foundUntilMs: 100 })],
    'vanished',
    10_300,
    12_400,
  ],
  ['is not listed: found by its id', alone({ listedAfterMs: 1e9 }), 'finished', 0, 1600],
  ['is listed and found only after a while', alone({ listedAfterMs: 1500, foundAfterMs: 1500 }), 'finished', 0, 2500],
  ['O12: belongs to another project, says the service', alone({ claimedProjectId: 'p2' }), 'timed_out', 0, MINUTE_MS],
  [
    'O10: one of two finishes, the other fails',
    (service) => [service.start('op-1', 300), service.start('op-2', [running, { atMs: 300, status: 'error' }])],
    'failed',
    0,
    800,
  ],
  [
    'one of two fails, the other never ends',
    (service) => [service.start('op-1', [running]), service.start('op-2', [running, { atMs: 300, status: 'error' }])],
    'failed',
    MINUTE_MS,
    MINUTE_MS,
  ],
  [
    'O11: operations of others, running or failed, do not matter',
    (service) => {
      service.start('foreign-1', [running]);
      service.start('foreign-2', [{ atMs: 0, status: 'failed' }]);
      return [service.start('op-1', 300)];
    },
    'finished',
    0,
    800,
  ],
  [
    'O16: an older operation of the same resource and action does not matter',
    (service) => {
      service.start('older', [{ atMs: 0, status: 'failed' }], { createdMs: -5000 });
      return [service.start('op-1', 300)];
    },
    'finished',
    0,
    800,
  ],
  [
    'O15: sixty at once, one poll loop',
    (service) => Array.from({ length: 60 }, (_, at) => service.start(`op-${at}`, 5000)),
    'finished',
    0,
    5500,
    10,
  ],
];

describe('an operation that', () => {
  it.each<Row>(CASES)('%s', async (_name, begin, end, notBeforeMs, byMs, requests) => {
    const service = new OperationService();
    const operations = typeof begin === 'string' ? [service.start('op-1', phasesOf(begin))] : begin(service);
    const outcome = await settled(service, operations);
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
    expect((await settled(service, [first, second])).end).toBe('finished');
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
    expect((await settled(service, [operation], 2 * MINUTE_MS)).end).toBe('finished');
    expect(service.nowMs).toBeLessThan(50_000);
  });

  it('O13: cannot be polled at all until the deadline: still running, as far as anybody knows', async () => {
    const service = new OperationService();
    const operation = service.start('op-1', 2000);
    service.intercept = () => json({}, 500);
    expect((await settled(service, [operation])).end).toBe('timed_out');
    expect(service.nowMs).toBe(MINUTE_MS);
  });

  it('is polled anew where it begins as the poll of an earlier wait is given up', async () => {
    const service = new OperationService();
    const [first, second] = [service.start('op-1', 2000), service.start('op-2', 3000)];
    let polls = 0;
    service.intercept = () => (polls++ === 0 ? new Promise<Response>(() => {}) : null);
    const waiter = waiterOf(service);
    const both = waiter
      .settled([refOf(first)], within(service, 1000))
      .then(async ({ end }) => [end, (await waiter.settled([refOf(second)], within(service, MINUTE_MS))).end]);
    expect(await service.world.clock.run(both)).toEqual(['timed_out', 'finished']);
  });

  it.each([401, 403, 404])('may not be polled (%i on the log) rejects', async (status) => {
    const service = new OperationService();
    const operation = service.start('op-1', 2000);
    service.intercept = () => json({ message: 'no' }, status);
    await expect(settled(service, [operation])).rejects.toMatchObject({ failureClass: 'refused', status });
  });
});
