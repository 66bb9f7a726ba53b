// The table of computes: on which branch and in which project they are, and when an idle one is suspended.
import type { TableSpec } from '../../engine/table.ts';
import type { ComputeRecord } from './record.ts';

/** The default delay of the API page ("Autosuspend"), seconds. */
const DEFAULT_SUSPEND_SECONDS = 300;
/** Above this size a compute is always active. */
const LARGEST_SUSPENDABLE_CU = 16;

/** When the compute will be suspended if nobody uses it; undefined when it won't. */
export function autosuspendDueMs(compute: ComputeRecord): number | undefined {
  if (compute.currentState !== 'active' || compute.pendingState !== undefined) return undefined;
  if (compute.suspendSeconds < 0 || compute.maxCu > LARGEST_SUSPENDABLE_CU) return undefined;
  return compute.activityMs + (compute.suspendSeconds === 0 ? DEFAULT_SUSPEND_SECONDS : compute.suspendSeconds) * 1000;
}

export const computeTable: TableSpec<ComputeRecord, 'of' | 'on'> = {
  indexes: { of: (compute) => compute.projectId, on: (compute) => compute.branchId },
  due: { autosuspend: autosuspendDueMs },
};
