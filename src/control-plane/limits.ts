// What a compute's size gives ("Limits" of the API page): vCPU, RAM, local file cache, connections, disk.
import { sizeOf } from '../api/size-table.ts';
import type { ComputeRecord } from './records.ts';

export interface ComputeLimits {
  /** Of the maximum size. */
  readonly vcpu: number;
  readonly ramGb: number;
  readonly cacheGb: number;
  /** Follows the minimum size and does not scale up. */
  readonly maxConnections: number;
  readonly maxPooledConnections: number;
  readonly sharedBuffersMb: number;
  readonly temporaryDiskGib: number;
}

const CONNECTIONS_PER_CU = 450.5;
const MOST_CONNECTIONS = 4000;

export function limitsOf(compute: Pick<ComputeRecord, 'minCu' | 'maxCu'>): ComputeLimits {
  const { minCu, maxCu } = compute;
  return {
    vcpu: maxCu,
    ramGb: maxCu * 4,
    cacheGb: Math.round(maxCu * 32) / 10,
    // Sizes off the table follow its rule.
    maxConnections: sizeOf(minCu)?.maxConnections ?? Math.min(MOST_CONNECTIONS, Math.floor(minCu * CONNECTIONS_PER_CU)),
    maxPooledConnections: 10_000,
    sharedBuffersMb: 128,
    temporaryDiskGib: 20,
  };
}
