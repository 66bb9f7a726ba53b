// The compute size table: the resources of each size in compute units (api-rules 13.2, 13.3).

/** A row of the size table: 4 GB of RAM per unit, of which 80 % are the local file cache. */
export interface ComputeSize {
  readonly ramGb: number;
  readonly cacheGb: number;
  readonly maxConnections: number;
}

const MAX_CONNECTIONS: ReadonlyMap<number, number> = new Map([
  [0.25, 112],
  [0.5, 225],
  [1, 450],
  [2, 901],
  [3, 1351],
  [4, 1802],
  [5, 2253],
  [6, 2703],
  [7, 3154],
  [8, 3604],
  [9, 4000],
  [10, 4000],
]);

/** The sizes of the table, smallest first. */
export const tableSizes: readonly number[] = [...MAX_CONNECTIONS.keys()];

export function sizeOf(units: number): ComputeSize | undefined {
  const maxConnections = MAX_CONNECTIONS.get(units);
  if (maxConnections === undefined) return undefined;
  return { ramGb: units * 4, cacheGb: Math.round(units * 32) / 10, maxConnections };
}
