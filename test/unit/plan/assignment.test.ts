// Least-cost assignment: optimal against brute force, and the lowest among equally good answers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignLeastCost } from '../../../src/plan/match/pools/assignment.ts';
import { runs } from '../../support/property-runs.ts';

/** Every way to give each row a column (or none, when columns are short), lowest columns first. */
function* assignments(rows: number, columns: number, used: readonly number[] = []): Generator<number[]> {
  if (used.length === rows) {
    yield [...used];
    return;
  }
  const free = Array.from({ length: columns }, (_, column) => column).filter((column) => !used.includes(column));
  for (const column of free) yield* assignments(rows, columns, [...used, column]);
  const alone = used.filter((column) => column === -1).length;
  if (alone < rows - columns) yield* assignments(rows, columns, [...used, -1]);
}

function costOf(costs: readonly (readonly number[])[], assigned: readonly number[]): number {
  return assigned.reduce((sum, column, row) => sum + (costs[row]?.[column] ?? 0), 0);
}

/** The first of the cheapest in the order of `assignments`. */
function bruteForce(costs: readonly (readonly number[])[], columns: number): number[] {
  let best: number[] = [];
  let least = Infinity;
  for (const assigned of assignments(costs.length, columns)) {
    const cost = costOf(costs, assigned);
    if (cost < least) [best, least] = [assigned, cost];
  }
  return best;
}

const matrix = (rows: number, columns: number, most: number): fc.Arbitrary<number[][]> =>
  fc.array(fc.array(fc.integer({ min: 0, max: most }), { minLength: columns, maxLength: columns }), {
    minLength: rows,
    maxLength: rows,
  });

describe('assignLeastCost', () => {
  it('is optimal, and the lowest of the optimal ones, up to 6×6 with many ties', () => {
    const shapes = fc
      .tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 }), fc.constantFrom(1, 2, 9))
      .chain(([rows, columns, most]) => fc.tuple(matrix(rows, columns, most), fc.constant(columns)));
    fc.assert(
      fc.property(shapes, ([costs, columns]) => {
        expect(assignLeastCost(costs, columns)).toEqual(bruteForce(costs, columns));
      }),
      runs(300),
    );
  });

  it('is optimal up to 8×8 with the weights that planning uses', () => {
    const weights = fc.constantFrom(0, 1e5 + 1, 1e5 + 3, 1e8 + 2, 1e11 + 4);
    const square = fc.array(fc.array(weights, { minLength: 8, maxLength: 8 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(square, (costs) => {
        expect(costOf(costs, assignLeastCost(costs, 8))).toBe(costOf(costs, bruteForce(costs, 8)));
      }),
      runs(8),
    );
  });
});
