// A branch as it is stored, with its roles and databases, and as the API shows it.
import type { AnnotationValue } from '../../../api/index.ts';
import { isoTime } from '../../../base/time/clock.ts';
import { present, without, type Fields } from '../../core/fields.ts';
import type { TableSpec } from '../../core/table.ts';
import type { ContentsWithPast } from '../contents/record.ts';

export interface BranchRecord extends ContentsWithPast {
  readonly id: string;
  readonly projectId: string;
  /** Absent for a root branch. */
  readonly parentId?: string;
  /** The time in the parent's history at which this branch begins, and the log position (LSN) at that time. */
  readonly parentMs?: number;
  readonly parentLsn?: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly isProtected: boolean;
  /** True for the project's first root branch. A restore may move this mark to the branch that preserves the old state. */
  readonly isFirstRoot?: boolean;
  readonly currentState: 'init' | 'ready' | 'resetting' | 'archived';
  readonly stateChangedMs: number;
  readonly initSource?: 'schema-only';
  readonly bornArchived?: boolean;
  readonly expiresMs?: number;
  /** The time from setting the expiry to the expiry, in seconds. */
  readonly ttlSeconds?: number;
  readonly lastResetMs?: number;
  /** The branch that took over the name and computes of this branch; only seed data sets it. */
  readonly restoredAs?: string;
  readonly annotations?: AnnotationValue;
  /** Ids of the data and its source, for a restored or preserving branch. Others have their own id and their parent's data. */
  readonly timeline?: { readonly id: string; readonly from: string };
  readonly createdMs: number;
  readonly updatedMs: number;
}

export function timelineOf({ id, timeline }: Pick<BranchRecord, 'id' | 'timeline'>): string {
  return timeline?.id ?? id;
}

const branchFields: Fields<BranchRecord> = {
  id: 'id',
  project_id: 'projectId',
  parent_id: 'parentId',
  parent_lsn: 'parentLsn',
  parent_timestamp: 'parentMs',
  name: 'name',
  current_state: 'currentState',
  state_changed_at: 'stateChangedMs',
  init_source: 'initSource',
  default: 'isDefault',
  protected: 'isProtected',
  expires_at: 'expiresMs',
  ttl_interval_seconds: 'ttlSeconds',
  last_reset_at: 'lastResetMs',
  restored_as: 'restoredAs',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

export const branchSeed: Fields<BranchRecord> = {
  ...without(branchFields, 'project_id', 'parent_lsn', 'state_changed_at'),
  annotation_value: 'annotations',
};

export function presentBranch(branch: BranchRecord): Record<string, unknown> {
  const { currentState, isDefault } = branch;
  return {
    creation_source: 'console',
    init_source: 'parent-data',
    ...present(branchFields, branch),
    ...(currentState === 'init' || currentState === 'resetting' ? { pending_state: 'ready' } : {}),
    primary: isDefault,
    cpu_used_sec: 0,
    active_time_seconds: 0,
    compute_time_seconds: 0,
    written_data_bytes: 0,
    data_transfer_bytes: 0,
  };
}

export function presentAnnotation(branch: BranchRecord): Record<string, unknown> {
  return {
    object: { type: 'console/branch', id: branch.id },
    value: branch.annotations ?? {},
    created_at: isoTime(branch.createdMs),
    updated_at: isoTime(branch.createdMs),
  };
}

export const branchTable: TableSpec<BranchRecord, 'of' | 'children'> = {
  indexes: { of: (branch) => branch.projectId, children: (branch) => branch.parentId },
  due: { expire: (branch) => branch.expiresMs },
};

export interface MadeRecord {
  readonly kind: 'role' | 'database';
  /** Identifies the object for its whole life: the name of a role, or the key of a database, which a rename keeps. */
  readonly key: string;
  readonly name: string;
  /** The oid in Postgres, which a rename keeps; absent before the object is created. */
  readonly oid?: number;
}

export const timelineTable: TableSpec<{ readonly id: string; readonly made: readonly MadeRecord[] }, never> = {
  indexes: {},
};
