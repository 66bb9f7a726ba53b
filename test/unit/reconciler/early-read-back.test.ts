// The read-back that begins early: what is over is read while others are waited for, and what was read too early is read again.
import { SETTLE_PAUSES_MS } from '../../../src/reconciler/settle.ts';
import { expect, it } from 'vitest';
import type { ApplyEvent } from '../../../src/model/event.ts';
import { fileOf, idOf, withAccount, worldOf } from './fleet.ts';

const listOf = (at: number): string => `GET /projects/${idOf(at)}/endpoints`;
const logOf = (at: number): string => `GET /projects/${idOf(at)}/operations`;

/** Two projects, each with a compute to make, one after the other. */
const two = {
  file: fileOf(2, { more: 1 }),
  seed: worldOf(2, 1),
  latencyMs: 500,
  operationMs: { min: 5000, max: 5000 },
  reconciler: { requestsPerMinute: Infinity, parallelism: 1 },
};
/** Those after the one of each project before the first write, sorted. */
const lists = (requests: readonly string[]): readonly string[] =>
  requests
    .filter((one) => /^GET .*\/endpoints$/.test(one))
    .slice(2)
    .toSorted();

it('reads a project that is over while another is waited for, and no list twice', async () => {
  await withAccount(two, async ({ apply, seen }) => {
    let sentBefore = 0;
    const onEvent = (event: ApplyEvent): void => {
      if (event.type === 'apply_complete') sentBefore = seen.length;
    };
    const { result, after } = await apply(undefined, { onEvent });
    expect(result.status).toBe('converged');
    expect(lists(after)).toEqual([listOf(0), listOf(1)]);
    const last = [listOf(0), listOf(1)].map((list) => seen.lastIndexOf(list));
    expect(Math.min(...last)).toBeLessThan(sentBefore);
  });
});

it('believes what it read: a difference in such a project is looked at again, and told', async () => {
  await withAccount(two, async ({ apply, controlPlane }) => {
    const listed = { when: { method: 'GET', path: `/projects/${idOf(0)}/endpoints`, after: 1 } } as const;
    const { result, after } = await apply(() =>
      controlPlane.setFaults({
        rules: [
          {
            ...listed,
            times: 'always',
            fault: { kind: 'reply', status: 200, commit: false, body: '{"endpoints":[]}' },
          },
        ],
      }),
    );
    expect(result.status).toBe('incomplete');
    expect(lists(after)).toEqual([listOf(0), ...SETTLE_PAUSES_MS.map(() => listOf(0)), listOf(1)]);
  });
});

it('leaves what could not be read early to the read-back at the end', async () => {
  await withAccount(two, async ({ apply, controlPlane }) => {
    const listed = { when: { method: 'GET', path: `/projects/${idOf(0)}/endpoints`, nth: 2 } } as const;
    const { result, after } = await apply(() =>
      controlPlane.setFaults({
        rules: [{ ...listed, fault: { kind: 'reply', status: 404, commit: false, body: '{}' } }],
      }),
    );
    expect(result.status).toBe('converged');
    expect(lists(after)).toEqual([listOf(0), listOf(0), listOf(1)]);
  });
});

it('reads again what was read more than ten seconds before the end', async () => {
  let looks = 0;
  const stalls = (request: string): boolean => request === logOf(1) && ++looks === 2;
  await withAccount({ ...two, stalls }, async ({ apply, clock }) => {
    const { result, after } = await apply();
    expect(result.status).toBe('converged');
    expect(lists(after)).toEqual([listOf(0), listOf(0), listOf(1)]);
    expect(clock.monotonicMs()).toBeGreaterThan(15_000);
  });
});
