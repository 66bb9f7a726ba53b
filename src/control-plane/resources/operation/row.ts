// Operations as rows: few columns, so that millions of them stay small; what drives an open one stands in `plan`.
import { DEFAULT_OUTCOME } from './fate.ts';
import type { OperationRecord } from './record.ts';

type Row = readonly unknown[];

export const OPERATION_COLUMNS =
  'seq, id, project_id, branch_id, endpoint_id, action, status, failures_count, error, created_ms, updated_ms, hidden, plan';

export function rowOfOperation(operation: OperationRecord): unknown[] {
  return [
    operation.seq,
    operation.id,
    operation.projectId,
    operation.branchId ?? null,
    operation.endpointId ?? null,
    operation.action,
    operation.status,
    operation.failuresCount,
    operation.error ?? null,
    operation.createdMs,
    operation.updatedMs,
    operation.hidden === true ? 1 : 0,
    operation.open ? planOf(operation) : null,
  ];
}

function planOf(operation: OperationRecord): string {
  const { retryMs, durationMs, after, endsMs, chain, effect, outcome, revert, flapped, alongside, stuck } = operation;
  const driving = { retryMs, durationMs, after, endsMs, chain, effect, outcome, revert, flapped, alongside, stuck };
  return JSON.stringify(driving);
}

export function operationOfRow(row: Row): OperationRecord {
  const [seq, id, project, branch, endpoint, action, status, failures, error, created, updated, hidden, plan] = row;
  const text = (value: unknown): string => String(value);
  const driving =
    plan === null
      ? { durationMs: 0, open: false, chain: Number(seq), effect: 'none' as const, outcome: DEFAULT_OUTCOME }
      : {
          open: true,
          ...(JSON.parse(text(plan)) as Pick<OperationRecord, 'durationMs' | 'chain' | 'effect' | 'outcome'>),
        };
  return {
    seq: Number(seq),
    id: text(id),
    projectId: text(project),
    ...(branch === null ? {} : { branchId: text(branch) }),
    ...(endpoint === null ? {} : { endpointId: text(endpoint) }),
    action: text(action),
    status: text(status),
    failuresCount: Number(failures),
    ...(error === null ? {} : { error: text(error) }),
    createdMs: Number(created),
    updatedMs: Number(updated),
    ...(hidden === 1 ? { hidden: true } : {}),
    ...driving,
  };
}
