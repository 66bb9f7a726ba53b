// How many requests an apply costs: what the plan read, a list of each project before its writes, one for each write, few looks, and a read-back of what was touched.
import { describe, expect, it } from 'vitest';
import { fileOf, idOf, worldOf } from './fleet.ts';
import { refuses } from '../../support/faults.ts';
import { openSite } from '../../support/site.ts';

const LATENCY_MS = 20;

const lists = (seen: readonly string[]): readonly string[] =>
  seen.filter((request) => /^GET .*\/endpoints$/.test(request));

describe('the floors', () => {
  it('100 computes in 10 projects, operations of 5 s: at most 170 requests in all', async () => {
    const { apply, seen } = openSite({
      file: fileOf(10, { more: 10 }),
      seed: worldOf(10, 10),
      operationMs: { min: 5000, max: 5000 },
      latencyMs: LATENCY_MS,
    });
    const { result, writes } = await apply();
    expect(result.status).toBe('converged');
    expect(writes).toHaveLength(100);
    expect(seen.length).toBeLessThanOrEqual(170);
  });

  it.each([
    { perMinute: 15, perSecond: 1, mostMs: 142_000 },
    { perMinute: 37, perSecond: 2, mostMs: 64_000 },
    { perMinute: 60, perSecond: 4, mostMs: 14_000 },
  ])('6 updates with $perMinute requests a minute take as long as these, and no longer', async (one) => {
    const answeredMs: number[] = [];
    const { apply, clock } = openSite({
      file: fileOf(6, { changed: 6 }),
      seed: worldOf(6),
      operationMs: { min: 300, max: 300 },
      latencyMs: 150,
      reconciler: { requestsPerMinute: one.perMinute },
      meanwhile: (_request, { clock }) => void answeredMs.push(clock.monotonicMs()),
    });
    const { result } = await apply();
    expect(result.status).toBe('converged');
    expect(answeredMs.length).toBeLessThanOrEqual(44);
    expect(clock.monotonicMs()).toBeLessThan(one.mostMs);
    const [spent = 0, ...later] = answeredMs.slice(one.perSecond).map((atMs, at) => atMs - (answeredMs[at] ?? 0));
    expect(Math.min(spent, ...later)).toBeGreaterThanOrEqual(1000);
  });

  it('10 creates in a project that is busy while any operation runs: at most 2 refusals, and little more time than one by one', async () => {
    const statuses: number[] = [];
    const { apply, clock } = openSite({
      file: fileOf(1, { more: 10 }),
      answers: async (_request, asItIs) => {
        const response = await asItIs();
        statuses.push(response.status);
        return response;
      },
      seed: worldOf(1, 10),
      operationMs: { min: 1000, max: 1000 },
      switches: { locking: 'project' },
      latencyMs: LATENCY_MS,
    });
    const { result } = await apply();
    expect(result.status).toBe('converged');
    expect(statuses.filter((status) => status === 423).length).toBeLessThanOrEqual(2);
    expect(clock.monotonicMs()).toBeLessThan(1.2 * 10 * (1000 + 2 * LATENCY_MS));
  });
});

describe('the read-back', () => {
  const one = { file: fileOf(30, { changed: 1 }), seed: worldOf(30), operationMs: { min: 1000, max: 1000 } };

  it('of one change in 30 projects reads that project alone', async () => {
    const { apply } = openSite(one);
    const { result, sent: after } = await apply();
    expect(result.status).toBe('converged');
    expect(after).toEqual([
      `GET /projects/${idOf(0)}/endpoints`,
      `PATCH /projects/${idOf(0)}/endpoints/ep-${idOf(0)}`,
      `GET /projects/${idOf(0)}/endpoints`,
      // The reply named no operation: the log tells whether there was one.
      `GET /projects/${idOf(0)}/operations`,
    ]);
  });

  it('reads the keys when a key was made, and no project then', async () => {
    const keys = 'api_keys: { ci: { secret: { exec: vault } } }\n';
    const { apply } = openSite({ ...one, file: fileOf(30, {}).replace('projects:', `${keys}projects:`) });
    const { result, sent: after } = await apply();
    expect(result.status).toBe('converged');
    expect(lists(after)).toEqual([]);
    expect(after.at(-1)).toBe('GET /api_keys');
  });

  it('reads everything when a part of the account could not be read for the plan', async () => {
    const { apply, controlPlane } = openSite(one);
    const list = { method: 'GET', path: `/projects/${idOf(7)}/endpoints` };
    controlPlane.setFaults({ rules: [{ ...refuses(list, 403), times: 1 }] });
    const { plan, result, sent: after } = await apply();
    expect(plan.unread).toHaveLength(1);
    expect(result.status).toBe('converged');
    expect(lists(after)).toHaveLength(1 + 30);
  });
});
