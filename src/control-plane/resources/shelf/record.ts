// Soft-deleted projects and branches with all their records, each kept for seven days.
import type { TableSpec } from '../../core/table.ts';
import type { BranchRecord } from '../branch/record.ts';
import type { ComputeRecord } from '../compute/record.ts';
import type { ProjectRecord } from '../project/record.ts';

const KEPT_MS = 7 * 86_400_000;

export interface ShelfRecord {
  readonly id: string;
  readonly kind: 'project' | 'branch';
  readonly projectId: string;
  readonly project?: ProjectRecord;
  readonly branches: readonly BranchRecord[];
  readonly computes: readonly ComputeRecord[];
  readonly deletedMs: number;
  readonly method: 'user' | 'ttl';
}

export const shelfTable: TableSpec<ShelfRecord, 'of'> = {
  indexes: { of: (record) => record.projectId },
  due: { purge: recoverableUntilMs },
};

export function recoverableUntilMs({ deletedMs }: Pick<ShelfRecord, 'deletedMs'>): number {
  return deletedMs + KEPT_MS;
}
