// An operation as it is stored, and as the API shows it.
import type { Operation } from '../../../api/index.ts';
import { present, type Fields } from '../../core/fields.ts';
import type { TableSpec } from '../../core/table.ts';
import { DEFAULT_OUTCOME, type Outcome } from './fate.ts';
import type { ComputeConfig } from '../compute/record.ts';

export interface OperationRecord {
  /** Order of creation in the whole store. */
  readonly seq: number;
  readonly id: string;
  readonly projectId: string;
  readonly branchId?: string;
  readonly endpointId?: string;
  readonly action: string;
  readonly status: string;
  readonly failuresCount: number;
  readonly error?: string;
  /** When the next attempt starts, after a failed one. */
  readonly retryMs?: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** Work of an attempt, milliseconds. */
  readonly durationMs: number;
  /** Sequence number of the operation that must end before this one starts. */
  readonly after?: number;
  /** When the attempt under way ends; absent when it never does. */
  readonly endsMs?: number;
  readonly open: boolean;
  /** The first operation of the chain that this one belongs to. */
  readonly chain: number;
  /** Name of its effect when it ends well. */
  readonly effect: string;
  readonly outcome: Outcome;
  /** Configuration to go back to when the outcome is not applied. */
  readonly revert?: ComputeConfig;
  /** How often it has seemed to end (an injected fault). */
  readonly flapped?: number;
  /** Neither waits for operations of its compute nor makes others wait. */
  readonly alongside?: boolean;
  /** Never gets beyond this status (an injected fault). */
  readonly stuck?: 'scheduling' | 'running';
  /** Kept from every answer of the API (an injected fault). */
  readonly hidden?: boolean;
}

/** True for the status of an operation that ended well. */
export function isSuccess(status: string): boolean {
  return status === DEFAULT_OUTCOME.status || status === 'skipped';
}

const fields: Fields<OperationRecord> = {
  id: 'id',
  project_id: 'projectId',
  branch_id: 'branchId',
  endpoint_id: 'endpointId',
  action: 'action',
  status: 'status',
  error: 'error',
  failures_count: 'failuresCount',
  retry_at: 'retryMs',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

export function presentOperation(operation: OperationRecord): Operation {
  const ended = !operation.open || operation.status === DEFAULT_OUTCOME.status;
  const { retry_at: retry, ...shown } = present(fields, operation);
  return {
    ...(shown as Pick<OperationRecord, 'id' | 'action' | 'status'>),
    ...(retry === undefined || operation.outcome.flap !== undefined ? {} : { retry_at: String(retry) }),
    total_duration_ms: ended ? Math.max(0, Math.round(operation.updatedMs - operation.createdMs)) : 0,
  };
}

/** Open operations are live; the others are in the store. */
export const operationTable: TableSpec<OperationRecord, 'of' | 'on' | 'onBranch'> = {
  indexes: {
    of: (operation) => operation.projectId,
    on: (operation) => operation.endpointId,
    onBranch: (operation) => operation.branchId,
  },
  isLive: (operation) => operation.open,
  due: { advance: (operation) => (operation.status === 'running' ? operation.endsMs : operation.retryMs) },
};
