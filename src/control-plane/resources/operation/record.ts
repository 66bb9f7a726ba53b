// Operations as records, as rows of the store and in replies; also their fate: how long they take and how they end.
import type { Operation } from '../../../api/index.ts';
import { present, without, type Fields } from '../../core/fields.ts';
import type { TableSpec } from '../../core/table.ts';
import type { ComputeConfig } from '../compute/record.ts';

export const DEFAULT_OUTCOME: Outcome = { status: 'finished', applied: true };

export interface OperationRecord {
  readonly seq: number;
  readonly id: string;
  readonly projectId: string;
  readonly branchId?: string;
  readonly endpointId?: string;
  readonly action: string;
  readonly status: string;
  readonly failuresCount: number;
  readonly error?: string;
  /** When the next attempt starts; absent unless the last attempt failed or seemed to end (see `Flap`). */
  readonly retryMs?: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly durationMs: number;
  /** Sequence number of the operation that must end before this one starts. */
  readonly after?: number;
  /** When the current attempt ends; absent before the first attempt, and for an attempt that never ends. */
  readonly endsMs?: number;
  readonly open: boolean;
  readonly chain: number;
  readonly effect: string;
  readonly outcome: Outcome;
  /** The configuration to restore if the operation ends without its effect. */
  readonly revert?: ComputeConfig;
  /** How often the operation has seemed to end (an injected fault, see `Flap`). */
  readonly flapped?: number;
  /** True for an operation that neither waits for others of its compute nor makes them wait. */
  readonly alongside?: boolean;
  /** The operation stays in this status for ever (an injected fault). */
  readonly stuck?: 'scheduling' | 'running';
  /** True for an operation that the API never shows (an injected fault). */
  readonly hidden?: boolean;
}

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

export const operationSeed: Fields<OperationRecord> = without(fields, 'project_id', 'retry_at');

export const past: Pick<OperationRecord, 'durationMs' | 'open' | 'effect' | 'outcome'> = {
  durationMs: 0,
  open: false,
  effect: 'none',
  outcome: DEFAULT_OUTCOME,
};

export function presentOperation(operation: OperationRecord): Operation {
  const ended = !operation.open || operation.status === DEFAULT_OUTCOME.status;
  const shown = present(fields, operation) as Pick<Operation, 'id' | 'action' | 'status'> & { retry_at?: string };
  if (operation.outcome.flap !== undefined) delete shown.retry_at;
  return Object.assign(shown, {
    total_duration_ms: ended ? Math.max(0, Math.round(operation.updatedMs - operation.createdMs)) : 0,
  });
}

/** Only open operations are live records. Ended ones are in the store alone. */
export const operationTable: TableSpec<OperationRecord, 'of' | 'on' | 'onBranch'> = {
  indexes: {
    of: (operation) => operation.projectId,
    on: (operation) => operation.endpointId,
    onBranch: (operation) => operation.branchId,
  },
  isLive: (operation) => operation.open,
  due: { advance: advanceDueMs },
};

/** When the operation's next attempt starts, or its present attempt ends. */
export function advanceDueMs({ retryMs, endsMs }: OperationRecord): number | undefined {
  return retryMs ?? endsMs;
}

/** Few columns keep millions of rows small. The column `plan` holds the other fields of an open operation. */
const COLUMNS: Fields<OperationRecord> = {
  seq: 'seq',
  ...without(fields, 'retry_at', 'created_at', 'updated_at'),
  created_ms: 'createdMs',
  updated_ms: 'updatedMs',
};

const OWN: readonly (keyof OperationRecord)[] = Object.values(COLUMNS);

export const OPERATION_COLUMNS: string = [...Object.keys(COLUMNS), 'hidden', 'plan'].join(', ');

export function rowOfOperation(operation: OperationRecord): unknown[] {
  const { hidden = false, open, ...rest } = operation;
  const plan = Object.fromEntries(Object.entries(rest).filter(([name]) => !(OWN as readonly string[]).includes(name)));
  return [...OWN.map((name) => operation[name] ?? null), Number(hidden), open ? JSON.stringify(plan) : null];
}

export function operationOfRow(row: readonly unknown[]): OperationRecord {
  const own: Record<string, unknown> = {};
  for (const [at, name] of OWN.entries()) if (row[at] !== null) own[name] = row[at];
  const [hidden, plan] = row.slice(OWN.length);
  if (hidden === 1) own['hidden'] = true;
  const rest = plan === null ? { chain: own['seq'], ...past } : { open: true, ...(JSON.parse(String(plan)) as object) };
  return Object.assign(own, rest) as unknown as OperationRecord;
}

/** Instead of ending, the operation shows `status` for `everyMs` and runs again. This happens `times` times. */
export interface Flap {
  readonly times: number;
  readonly everyMs: number;
  readonly status: string;
}

export interface Outcome {
  readonly status: string;
  readonly applied: boolean;
  readonly error?: string;
  /** The number of attempts that fail first, and the pause before each new attempt. */
  readonly failures?: number;
  readonly retryAfterMs?: number;
  readonly flap?: Flap;
}

export interface Fate {
  readonly outcome: Outcome;
  readonly durationMs?: number;
  readonly neverStarts?: boolean;
  readonly neverEnds?: boolean;
  readonly hidden?: boolean;
  /** The action of a second operation, which the control plane starts at the same time. */
  readonly beside?: string;
}

export interface Faults {
  isLocked(projectId: string): boolean;
  fateOf(occasion: Pick<OperationRecord, 'action' | 'projectId' | 'endpointId'> & { readonly atMs: number }): Fate;
}

export const DEFAULT_FATE: Fate = { outcome: DEFAULT_OUTCOME };
