// Assignments of the same least cost: the one among them that is preferred, and what all of them could do.
import { lowest, solveSquare, squareOf, tightPairs, type Solution, type Tight } from './assignment.ts';

/** More than all that preferences can come to. */
const FORBIDDEN = 1e12;

/**
 * As `assignLeastCost`, but among the best answers the one for which the sum of `worse` (whole numbers, their sum below a billion)
 * is least, and only among those the lowest.
 */
export function assignPreferred(
  costs: readonly (readonly number[])[],
  columns: number,
  worse: (row: number, column: number) => number,
): number[] {
  const rows = costs.length;
  if (rows === 0 || columns === 0) return costs.map(() => -1);
  const square = squareOf(costs, columns);
  const tight = tightPairs(square, solveSquare(square));
  const preferences = square.map((line, row) =>
    line.map((_, column) =>
      !tight(row, column) ? FORBIDDEN : row < rows && column < columns ? worse(row, column) : 0,
    ),
  );
  return lowest(preferences, solveSquare(preferences), { rows, columns });
}

/** What could be, at the same least cost. */
export interface BestPairs {
  /** True when a best answer gives this row this column. */
  has(row: number, column: number): boolean;
  /** True when a best answer gives this column to no row. */
  leavesAlone(column: number): boolean;
}

/**
 * A tight pair stands in a best answer when the two can be exchanged along a ring of tight pairs: when its row and the row that has
 * its column now reach one another. O(n²).
 */
export function bestPairs(costs: readonly (readonly number[])[], columns: number): BestPairs {
  const rows = costs.length;
  const square = squareOf(costs, columns);
  const solution = solveSquare(square);
  const tight = tightPairs(square, solution);
  const { rowOf, ringOf } = ringsOf(solution, square.length, tight);
  const has = (row: number, column: number): boolean =>
    tight(row, column) && ringOf[row] === ringOf[rowOf[column] as number];
  // Rows that only fill up the square are all alike: the first stands for each.
  return { has, leavesAlone: (column) => rows < square.length && has(rows, column) };
}

/** Rows that reach one another through tight pairs have the same number (Tarjan's strongly connected components, without recursion). */
function ringsOf(
  { columnOf }: Pick<Solution, 'columnOf'>,
  size: number,
  tight: Tight,
): { readonly rowOf: Int32Array; readonly ringOf: Int32Array } {
  const rowOf = new Int32Array(size);
  columnOf.forEach((column, row) => (rowOf[column] = row));
  const ringOf = new Int32Array(size).fill(-1);
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const next = new Int32Array(size);
  const open: number[] = [];
  let count = 0;
  for (let start = 0; start < size; start++) {
    if (order[start] !== -1) continue;
    const path = [start];
    order[start] = low[start] = count++;
    open.push(start);
    for (let row = path.at(-1); row !== undefined; row = path.at(-1)) {
      const column = next[row] as number;
      if (column < size) {
        next[row] = column + 1;
        if (!tight(row, column)) continue;
        const other = rowOf[column] as number;
        if (order[other] === -1) {
          order[other] = low[other] = count++;
          open.push(other);
          path.push(other);
        } else if (ringOf[other] === -1) low[row] = Math.min(low[row] as number, order[other] as number);
        continue;
      }
      path.pop();
      const before = path.at(-1);
      if (before !== undefined) low[before] = Math.min(low[before] as number, low[row] as number);
      if (low[row] !== order[row]) continue;
      for (let member = open.pop(); member !== undefined; member = member === row ? undefined : open.pop())
        ringOf[member] = row;
    }
  }
  return { rowOf, ringOf };
}
