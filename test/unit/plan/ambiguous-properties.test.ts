// What is ambiguous, against all assignments of a small pool, one by one; and the order of lists has no say in what is done to whom.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { assignPreferred, bestPairs } from '../../../src/plan/match/pools/assignment-ties.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { runs } from '../../support/property-runs.ts';
import { inputOf } from './support/world.ts';

/** Every way to match: for each row a column or -1; as many pairs as there can be. */
function* everyWay(rows: number, columns: number, used: readonly number[] = []): Generator<readonly number[]> {
  if (used.length === rows) {
    if (used.filter((column) => column >= 0).length === Math.min(rows, columns)) yield used;
    return;
  }
  for (let column = -1; column < columns; column++)
    if (column === -1 || !used.includes(column)) yield* everyWay(rows, columns, [...used, column]);
}

function bestWays(costs: readonly (readonly number[])[], columns: number): readonly (readonly number[])[] {
  const ways = [...everyWay(costs.length, columns)];
  const costOf = (way: readonly number[]): number =>
    way.reduce((sum, column, row) => sum + (costs[row]?.[column] ?? 0), 0);
  const least = Math.min(...ways.map(costOf));
  return ways.filter((way) => costOf(way) === least);
}

const matrix = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })).chain(([rows, columns]) =>
  fc.array(fc.array(fc.constantFrom(0, 1, 2), { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  }),
);

describe('ties of an assignment', () => {
  it('are exactly the pairs of all best ways', () => {
    fc.assert(
      fc.property(matrix, (costs) => {
        const columns = costs[0]?.length ?? 0;
        const ways = bestWays(costs, columns);
        const best = bestPairs(costs, columns);
        for (let column = 0; column < columns; column++) {
          costs.forEach((_, row) => {
            expect(best.has(row, column)).toBe(ways.some((way) => way[row] === column));
          });
          expect(best.leavesAlone(column)).toBe(ways.some((way) => !way.includes(column)));
        }
      }),
      runs(400),
    );
  });

  it('are broken by preference alone, at no cost', () => {
    fc.assert(
      fc.property(
        matrix,
        fc.array(fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), { minLength: 4, maxLength: 4 }),
        (costs, worse) => {
          const columns = costs[0]?.length ?? 0;
          const dislike = (way: readonly number[]): number =>
            way.reduce((sum, column, row) => sum + (column < 0 ? 0 : (worse[row]?.[column] ?? 0)), 0);
          const ways = bestWays(costs, columns);
          const chosen = assignPreferred(costs, columns, (row, column) => worse[row]?.[column] ?? 0);
          expect(ways).toContainEqual(chosen);
          expect(dislike(chosen)).toBe(Math.min(...ways.map(dislike)));
        },
      ),
      runs(400),
    );
  });
});

const SIZES = [1, 2, 4] as const;
const size = fc.constantFrom(...SIZES);
const pool = fc.record({
  live: fc.array(size, { minLength: 1, maxLength: 4 }),
  wishes: fc.array(size, { minLength: 1, maxLength: 4 }),
});

function inputFor(live: readonly number[], wishes: readonly number[], more: Partial<PlanInput> = {}): PlanInput {
  const computes = wishes.map((max, at) => `l${at}: { branch: br-1, type: read_only, max: ${max} }`).join(', ');
  const there = live.map((max, at) => `ep-${at}: { branch: br-1, type: read_only, max: ${max} }`).join(', ');
  return inputOf({ file: `shop: { computes: { ${computes} } }`, live: `shop: { ${there} }`, input: more });
}

describe('a resize', () => {
  it('is ambiguous exactly where another way of the same least cost would leave it out or make it another', () => {
    fc.assert(
      fc.property(pool, ({ live, wishes }) => {
        const costs = wishes.map((wish) => live.map((max) => (wish === max ? 0 : 1)));
        const ways = bestWays(costs, live.length);
        const sizeIn = (way: readonly number[], column: number): number | undefined => wishes[way.indexOf(column)];
        const updates = makePlan(inputFor(live, wishes)).changes.filter(({ action }) => action === 'update');
        for (const { resourceId, after, blockedBy } of updates) {
          const column = Number(resourceId?.slice(3));
          const wanted = (after as JsonObject)['autoscaling_limit_max_cu'];
          const isSure = ways.every((way) => sizeIn(way, column) === wanted);
          expect(blockedBy).toEqual(isSure ? [] : ['ambiguous']);
        }
      }),
      runs(150),
    );
  });

  it('hits whom it hits whatever order the account lists things in', () => {
    fc.assert(
      fc.property(pool, fc.infiniteStream(fc.nat()), ({ live, wishes }, order) => {
        const input = inputFor(live, wishes);
        const keys = new Map(input.live.resources.map(({ id }) => [id, order.next().value as number]));
        const resources = [...input.live.resources].sort((a, b) => (keys.get(a.id) ?? 0) - (keys.get(b.id) ?? 0));
        const shuffled = makePlan({ ...input, live: { ...input.live, resources } });
        expect(shuffled.steps).toEqual(makePlan(input).steps);
      }),
      runs(100),
    );
  });

  it('that runs hits the same ones under other labels', () => {
    fc.assert(
      fc.property(pool, ({ live, wishes }) => {
        const done = (order: readonly number[]): readonly string[] =>
          makePlan(inputFor(live, order))
            .steps.filter(({ action }) => action === 'update')
            .map(({ path, body }) => `${path} ${JSON.stringify(body)}`)
            .sort();
        expect(done(wishes.toReversed())).toEqual(done(wishes));
      }),
      runs(100),
    );
  });
});

describe('a removal by prune', () => {
  it('runs only where no label stays by a guess', () => {
    fc.assert(
      fc.property(pool, fc.nat(4), ({ live, wishes }, pins) => {
        const input = inputFor(live, wishes);
        const pinned = input.desired.resources.map((resource, at) =>
          at < pins && at < live.length ? { ...resource, pin: `ep-${at}` } : resource,
        );
        const projects = input.desired.projects.map((project) => ({ ...project, prune: true }));
        const plan = makePlan({ ...input, desired: { ...input.desired, projects, resources: pinned } });
        const isGuess = plan.changes.some(
          ({ pinned: tied, action, resourceId }) => tied === false && action !== 'create' && resourceId !== null,
        );
        for (const { action, blockedBy } of plan.changes)
          if (action === 'delete') expect(blockedBy).toEqual(isGuess ? ['ambiguous'] : []);
      }),
      runs(100),
    );
  });
});
