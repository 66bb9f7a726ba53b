// How many requests an apply of hundreds of computes costs, and how long it takes at the usual pace.
import { describe, expect, it } from 'vitest';
import { fileOf, idOf, withAccount, worldOf } from './fleet.ts';
import { somebody } from '../../support/site.ts';
import { inTurn } from '../../support/full-size.ts';

const lists = (seen: readonly string[]): readonly string[] =>
  seen.filter((request) => /^GET .*\/endpoints$/.test(request));

describe('the floors', () => {
  const PACES = [
    { name: 'short round trips and operations', latencyMs: 20, operationMs: 300, most: 1720, mostMs: 136_000 },
    { name: 'usual ones', latencyMs: 150, operationMs: 3000, most: 1800, mostMs: 145_000 },
  ];
  it.each(inTurn(PACES, 1))(
    '1,000 computes within the usual pace, $name: little more than what the pace allows in that time',
    async (one) => {
      const { latencyMs, operationMs, most, mostMs } = one;
      await withAccount(
        {
          file: fileOf(100, { more: 10 }),
          seed: worldOf(100, 10),
          operationMs: { min: operationMs, max: operationMs },
          latencyMs,
        },
        async ({ apply, seen, clock }) => {
          const { result } = await apply();
          expect(result.status).toBe('converged');
          // The plan's lists, those of the judgement of the plan, those right before the writes, and those of the read-back.
          expect(lists(seen).length).toBeLessThanOrEqual(430);
          expect(seen.length).toBeLessThanOrEqual(most);
          expect(clock.monotonicMs()).toBeLessThan(mostMs);
        },
      );
    },
  );

  it('what somebody else has done meanwhile takes no turn from the others', async () => {
    const projects = 150;
    const done = 100;
    let listed = 0;
    await withAccount(
      {
        file: fileOf(projects, { changed: projects }),
        seed: worldOf(projects),
        operationMs: { min: 300, max: 300 },
        latencyMs: 50,
        // After the last list that the plan is made of.
        meanwhile: async (request, _, { controlPlane }) => {
          if (lists([request]).length === 0 || ++listed !== projects) return;
          for (let at = projects - done; at < projects; at++)
            await somebody(controlPlane, 'PATCH', `/projects/${idOf(at)}/endpoints/ep-${idOf(at)}`, {
              endpoint: { autoscaling_limit_max_cu: 2 },
            });
        },
      },
      async ({ apply, clock }) => {
        const { result } = await apply();
        expect(result.status).toBe('converged');
        expect(result.steps.filter(({ outcome }) => outcome === 'satisfied')).toHaveLength(done);
        expect(clock.monotonicMs()).toBeLessThan(72_000);
      },
    );
  });
});
