// The registry of tables: each resource declares its own beside its record.
import { branchTable } from '../branch/record.ts';
import { timelineTable } from '../branch/timeline.ts';
import { computeTable } from '../compute/record.ts';
import { keyTable } from '../key/record.ts';
import { operationTable } from '../operation/record.ts';
import { permissionTable } from '../permission/record.ts';
import { projectTable } from '../project/record.ts';
import { shelfTable } from '../shelf/table.ts';

export interface Tables {
  readonly projects: typeof projectTable;
  readonly branches: typeof branchTable;
  readonly computes: typeof computeTable;
  readonly keys: typeof keyTable;
  readonly operations: typeof operationTable;
  readonly shelf: typeof shelfTable;
  readonly permissions: typeof permissionTable;
  readonly timelines: typeof timelineTable;
}

export const tables: Tables = {
  projects: projectTable,
  branches: branchTable,
  computes: computeTable,
  keys: keyTable,
  operations: operationTable,
  shelf: shelfTable,
  permissions: permissionTable,
  timelines: timelineTable,
};
