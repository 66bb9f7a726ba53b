// Least-cost assignment (Hungarian method with potentials), made deterministic among equally good answers.

/**
 * Assigns rows to columns so that the sum of `costs[row][column]` is least; min(rows, columns) pairs are made.
 * Among all best answers it is the one in which the first row has the lowest column, then the second, and so on.
 * Costs are finite, not negative, and small enough for their sum to be exact. Returns the column of each row, or -1.
 */
export function assignLeastCost(costs: readonly (readonly number[])[], columns: number): number[] {
  const rows = costs.length;
  if (rows === 0 || columns === 0) return costs.map(() => -1);
  const square = squareOf(costs, columns);
  return lowest(square, solveSquare(square), { rows, columns });
}

/** The columns of the best answer that comes first, -1 where a row stays alone. */
export function lowest(
  square: readonly Float64Array[],
  solution: Solution,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): number[] {
  const columnOf = lowestAmongBest(square, solution, rows);
  return Array.from(columnOf.subarray(0, rows), (column) => (column < columns ? column : -1));
}

/** Missing rows and columns cost nothing: whoever meets them stays alone. */
export function squareOf(costs: readonly (readonly number[])[], columns: number): Float64Array[] {
  const size = Math.max(costs.length, columns);
  return Array.from({ length: size }, (_, row) =>
    Float64Array.from({ length: size }, (__, column) => costs[row]?.[column] ?? 0),
  );
}

/** True for a pair that costs no more than a best answer must pay: every best answer is made of such pairs alone. */
export type Tight = (row: number, column: number) => boolean;

export function tightPairs(square: readonly Float64Array[], { rowPotential, columnPotential }: Solution): Tight {
  return (row, column) =>
    ((square[row] as Float64Array)[column] as number) ===
    (rowPotential[row] as number) + (columnPotential[column] as number);
}

export interface Solution {
  readonly columnOf: Int32Array;
  readonly rowPotential: Float64Array;
  readonly columnPotential: Float64Array;
}

/** Shortest augmenting paths over reduced costs: one row after the other, O(n³) in all. */
export function solveSquare(costs: readonly Float64Array[]): Solution {
  const size = costs.length;
  const rowPotential = new Float64Array(size);
  const columnPotential = new Float64Array(size);
  const rowOf = new Int32Array(size).fill(-1);
  const columnOf = new Int32Array(size).fill(-1);
  const cameFrom = new Int32Array(size);
  const distance = new Float64Array(size);
  const visited = new Uint8Array(size);
  for (let start = 0; start < size; start++) {
    distance.fill(Infinity);
    visited.fill(0);
    const path: number[] = [];
    let row = start;
    let offset = 0;
    let end = -1;
    let via = -1;
    while (end < 0) {
      const line = costs[row] as Float64Array;
      const base = offset - (rowPotential[row] as number);
      let best = Infinity;
      let bestColumn = -1;
      for (let column = 0; column < size; column++) {
        if (visited[column] === 1) continue;
        const reached = base + (line[column] as number) - (columnPotential[column] as number);
        if (reached < (distance[column] as number)) {
          distance[column] = reached;
          cameFrom[column] = via;
        }
        const here = distance[column] as number;
        if (here < best || (here === best && rowOf[column] === -1 && rowOf[bestColumn] !== -1)) {
          best = here;
          bestColumn = column;
        }
      }
      visited[bestColumn] = 1;
      path.push(bestColumn);
      offset = best;
      via = bestColumn;
      if (rowOf[bestColumn] === -1) end = bestColumn;
      else row = rowOf[bestColumn] as number;
    }
    rowPotential[start] = (rowPotential[start] as number) + offset;
    for (const column of path) {
      if (column === end) continue;
      const slack = offset - (distance[column] as number);
      const owner = rowOf[column] as number;
      rowPotential[owner] = (rowPotential[owner] as number) + slack;
      columnPotential[column] = (columnPotential[column] as number) - slack;
    }
    augment({ rowOf, columnOf, cameFrom }, start, end);
  }
  return { columnOf, rowPotential, columnPotential };
}

function augment(
  state: { readonly rowOf: Int32Array; readonly columnOf: Int32Array; readonly cameFrom: Int32Array },
  start: number,
  end: number,
): void {
  for (let column = end; ;) {
    const previous = state.cameFrom[column] as number;
    const row = previous === -1 ? start : (state.rowOf[previous] as number);
    state.rowOf[column] = row;
    state.columnOf[row] = column;
    if (previous === -1) return;
    column = previous;
  }
}

/**
 * Every best answer uses only pairs whose reduced cost is zero. Row after row takes the lowest column from which
 * its own can be reached by a chain of such exchanges among the rows that are not fixed yet.
 */
function lowestAmongBest(costs: readonly Float64Array[], solution: Solution, rows: number): Int32Array {
  const { columnOf } = solution;
  const size = costs.length;
  const tight = tightPairs(costs, solution);
  const rowOf = new Int32Array(size);
  columnOf.forEach((column, row) => {
    rowOf[column] = row;
  });
  const fixed = new Uint8Array(size);
  const givesTo = new Int32Array(size);
  for (let row = 0; row < rows; row++) {
    const own = columnOf[row] as number;
    const better = wantedBefore(own, (column) => fixed[column] === 0 && tight(row, column));
    fixed[own] = 1;
    if (better.length > 0) {
      fixed[own] = 0;
      reachableFrom(own, row, { columnOf, fixed, givesTo, size, tight });
      const target = better.find((column) => givesTo[column] !== -1);
      if (target !== undefined) exchange(row, own, target, { columnOf, rowOf, givesTo });
      fixed[columnOf[row] as number] = 1;
    }
  }
  return columnOf;
}

/** The columns below its own that a row could have. */
function wantedBefore(own: number, fits: (column: number) => boolean): readonly number[] {
  const wanted: number[] = [];
  for (let column = 0; column < own; column++) if (fits(column)) wanted.push(column);
  return wanted;
}

/** Marks in `givesTo` each column whose row could, through a chain of exchanges, make do when `own` becomes free. */
function reachableFrom(
  own: number,
  row: number,
  state: {
    readonly columnOf: Int32Array;
    readonly fixed: Uint8Array;
    readonly givesTo: Int32Array;
    readonly size: number;
    readonly tight: (row: number, column: number) => boolean;
  },
): void {
  const { columnOf, fixed, givesTo, size, tight } = state;
  givesTo.fill(-1);
  const queue = [own];
  givesTo[own] = own;
  let waiting = Array.from({ length: size }, (_, other) => other).filter(
    (other) => other !== row && fixed[columnOf[other] as number] === 0,
  );
  for (let at = 0; at < queue.length && waiting.length > 0; at++) {
    const free = queue[at] as number;
    waiting = waiting.filter((other) => {
      if (!tight(other, free)) return true;
      const given = columnOf[other] as number;
      givesTo[given] = free;
      queue.push(given);
      return false;
    });
  }
}

function exchange(
  row: number,
  own: number,
  target: number,
  state: { readonly columnOf: Int32Array; readonly rowOf: Int32Array; readonly givesTo: Int32Array },
): void {
  const { columnOf, rowOf, givesTo } = state;
  let column = target;
  let owner = row;
  while (column !== own) {
    const displaced = rowOf[column] as number;
    columnOf[owner] = column;
    rowOf[column] = owner;
    owner = displaced;
    column = givesTo[column] as number;
  }
  columnOf[owner] = own;
  rowOf[own] = owner;
}
