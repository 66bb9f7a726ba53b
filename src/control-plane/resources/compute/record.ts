// A compute ("endpoint" on the wire) as it is stored and as the API shows it, and when an idle one is suspended.
import type { Endpoint } from '../../../api/index.ts';
import { present, without, type Fields } from '../../core/fields.ts';
import { computeHost, regionDomain } from '../engine/naming.ts';
import type { TableSpec } from '../../core/table.ts';

const WEEK_MS = 7 * 86_400_000;
export const DEFAULT_SUSPEND_SECONDS = 300;
/** A compute with a larger maximum size is never suspended for being idle. */
const LARGEST_SUSPENDABLE_CU = 16;

/** The time at which the compute is suspended if nobody uses it; undefined if it is not active or stays up. */
export function autosuspendDueMs(compute: ComputeRecord): number | undefined {
  if (compute.currentState !== 'active' || compute.pendingState !== undefined) return undefined;
  if (compute.suspendSeconds < 0 || compute.maxCu > LARGEST_SUSPENDABLE_CU) return undefined;
  return compute.activityMs + (compute.suspendSeconds === 0 ? DEFAULT_SUSPEND_SECONDS : compute.suspendSeconds) * 1000;
}

export const computeTable: TableSpec<ComputeRecord, 'of' | 'on'> = {
  indexes: { of: (compute) => compute.projectId, on: (compute) => compute.branchId },
  due: { autosuspend: autosuspendDueMs },
};

export interface ComputeSettings {
  readonly pg_settings?: Readonly<Record<string, string | number | boolean>>;
  readonly pgbouncer_settings?: Readonly<Record<string, string | number | boolean>>;
  readonly preload_libraries?: { readonly use_defaults?: boolean; readonly enabled_libraries?: readonly string[] };
}

export type ComputeState = 'init' | 'active' | 'idle';

export interface ComputeConfig {
  readonly branchId: string;
  readonly minCu: number;
  readonly maxCu: number;
  readonly provisioner: string;
  readonly settings: ComputeSettings;
  /** Autosuspend delay in seconds: 0 is the default of 300, -1 is never. */
  readonly suspendSeconds: number;
  readonly poolerEnabled: boolean;
  readonly poolerMode: string;
  readonly disabled: boolean;
  readonly passwordlessAccess: boolean;
  readonly name?: string;
}

export interface ComputeRecord extends ComputeConfig {
  readonly id: string;
  readonly projectId: string;
  readonly regionId: string;
  readonly type: string;
  readonly currentState: ComputeState;
  readonly pendingState?: ComputeState;
  readonly lastActiveMs?: number;
  readonly startedMs?: number;
  readonly suspendedMs?: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  /** The last use or start of the compute, from which the autosuspend delay counts. */
  readonly activityMs: number;
  /** Increases each time that all open connections are dropped. */
  readonly generation: number;
  /** True from a failed apply_config until one succeeds. Meanwhile, even unchanged attributes start an apply_config. */
  readonly configFailed: boolean;
}

export const configFields: Fields<ComputeConfig> = {
  branch_id: 'branchId',
  autoscaling_limit_min_cu: 'minCu',
  autoscaling_limit_max_cu: 'maxCu',
  provisioner: 'provisioner',
  settings: 'settings',
  suspend_timeout_seconds: 'suspendSeconds',
  pooler_enabled: 'poolerEnabled',
  pooler_mode: 'poolerMode',
  disabled: 'disabled',
  passwordless_access: 'passwordlessAccess',
  name: 'name',
};

const computeFields: Fields<ComputeRecord> = {
  id: 'id',
  project_id: 'projectId',
  region_id: 'regionId',
  type: 'type',
  current_state: 'currentState',
  pending_state: 'pendingState',
  ...configFields,
  last_active: 'lastActiveMs',
  started_at: 'startedMs',
  suspended_at: 'suspendedMs',
  created_at: 'createdMs',
  updated_at: 'updatedMs',
};

/** The fields that seed data may set. Seed data names the branch in a field of its own. */
export const computeSeed: Fields<ComputeRecord> = without(
  computeFields,
  'project_id',
  'branch_id',
  'region_id',
  'pending_state',
);

export function presentCompute(compute: ComputeRecord): Endpoint {
  const { id, regionId, settings, startedMs } = compute;
  const shown = present(computeFields, compute) as Pick<Endpoint, 'id' | 'branch_id'>;
  return Object.assign(shown, {
    host: computeHost(id, regionId),
    proxy_host: regionDomain(regionId),
    creation_source: 'console',
    settings: { ...settings, pg_settings: { ...settings.pg_settings } },
    // The service updates computes weekly; a restart moves a compute to the release of that week.
    ...(startedMs === undefined ? {} : { compute_release_version: String(Math.floor(startedMs / WEEK_MS)) }),
  });
}
