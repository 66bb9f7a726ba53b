// A branch as it is stored, with its roles and databases, and as the API shows it.
import { isoTime } from '../../../base/time/clock.ts';
import type { TableSpec } from '../../engine/table.ts';

export interface RoleRecord {
  readonly name: string;
  readonly isProtected: boolean;
  readonly passwordVersion: number;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface DatabaseRecord {
  readonly id: number;
  readonly name: string;
  readonly ownerName: string;
  readonly createdMs: number;
  readonly updatedMs: number;
}

export interface BranchRecord {
  readonly id: string;
  readonly projectId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly isProtected: boolean;
  readonly currentState: 'init' | 'ready';
  readonly stateChangedMs: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly roles: readonly RoleRecord[];
  readonly databases: readonly DatabaseRecord[];
}

export function presentBranch(branch: BranchRecord): Record<string, unknown> {
  return {
    id: branch.id,
    project_id: branch.projectId,
    ...(branch.parentId === undefined ? {} : { parent_id: branch.parentId }),
    name: branch.name,
    current_state: branch.currentState,
    ...(branch.currentState === 'init' ? { pending_state: 'ready' } : {}),
    state_changed_at: isoTime(branch.stateChangedMs),
    creation_source: 'console',
    default: branch.isDefault,
    primary: branch.isDefault,
    protected: branch.isProtected,
    cpu_used_sec: 0,
    active_time_seconds: 0,
    compute_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
    created_at: isoTime(branch.createdMs),
    updated_at: isoTime(branch.updatedMs),
  };
}

export const branchTable: TableSpec<BranchRecord, 'of'> = { indexes: { of: (branch) => branch.projectId } };
