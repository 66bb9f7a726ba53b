// Records as the API shows them: field names, timestamps and the looks that switches decide.
import { isoTime } from '../base/clock.ts';
import type { Endpoint, Operation, ProjectListItem } from '../api/index.ts';
import { DEFAULT_OUTCOME } from './faults/fate.ts';
import { computeHost, regionDomain } from './engine/naming.ts';
import type {
  BranchRecord,
  ComputeRecord,
  ComputeSettings,
  DatabaseRecord,
  KeyRecord,
  OperationRecord,
  ProjectRecord,
  RoleRecord,
} from './records.ts';
import type { Switches } from './engine/switches.ts';

type Wire = Record<string, unknown>;

/** A compute ("endpoint" on the wire). */
export function presentCompute(compute: ComputeRecord, switches: Switches): Endpoint {
  return {
    id: compute.id,
    project_id: compute.projectId,
    branch_id: compute.branchId,
    host: computeHost(compute.id, compute.regionId),
    proxy_host: regionDomain(compute.regionId),
    region_id: compute.regionId,
    type: compute.type,
    current_state: compute.currentState,
    ...(compute.pendingState === undefined ? {} : { pending_state: compute.pendingState }),
    autoscaling_limit_min_cu: compute.minCu,
    autoscaling_limit_max_cu: compute.maxCu,
    provisioner: compute.provisioner,
    settings: presentSettings(compute.settings, switches),
    suspend_timeout_seconds: compute.suspendSeconds,
    pooler_enabled: compute.poolerEnabled,
    pooler_mode: compute.poolerMode,
    disabled: compute.disabled,
    passwordless_access: compute.passwordlessAccess,
    ...(compute.name === undefined ? {} : { name: compute.name }),
    creation_source: compute.creationSource,
    ...(compute.lastActiveMs === undefined ? {} : { last_active: isoTime(compute.lastActiveMs) }),
    ...(compute.startedMs === undefined ? {} : { started_at: isoTime(compute.startedMs) }),
    ...(compute.startedMs === undefined ? {} : { compute_release_version: releaseAt(compute.startedMs) }),
    ...(compute.suspendedMs === undefined ? {} : { suspended_at: isoTime(compute.suspendedMs) }),
    created_at: isoTime(compute.createdMs),
    updated_at: isoTime(compute.updatedMs),
  };
}

/** Computes are updated weekly: one runs the release of the week in which it was last started. */
function releaseAt(startedMs: number): string {
  return String(Math.floor(startedMs / (7 * 86_400_000)));
}

function presentSettings(settings: ComputeSettings, switches: Switches): NonNullable<Endpoint['settings']> {
  const { pg_settings: pgSettings, ...rest } = settings;
  const none = pgSettings === undefined || Object.keys(pgSettings).length === 0;
  const shown = none && switches.emptySettings === 'empty' ? {} : { pg_settings: { ...pgSettings } };
  return { ...shown, ...(rest as object) };
}

export function presentOperation(operation: OperationRecord): Operation {
  const ended = !operation.open || operation.status === DEFAULT_OUTCOME.status;
  return {
    id: operation.id,
    project_id: operation.projectId,
    ...(operation.branchId === undefined ? {} : { branch_id: operation.branchId }),
    ...(operation.endpointId === undefined ? {} : { endpoint_id: operation.endpointId }),
    action: operation.action,
    status: operation.status,
    ...(operation.error === undefined ? {} : { error: operation.error }),
    failures_count: operation.failuresCount,
    ...(operation.retryMs === undefined || operation.outcome.flap !== undefined
      ? {}
      : { retry_at: isoTime(operation.retryMs) }),
    created_at: isoTime(operation.createdMs),
    updated_at: isoTime(operation.updatedMs),
    total_duration_ms: ended ? Math.max(0, Math.round(operation.updatedMs - operation.createdMs)) : 0,
  };
}

export function presentProject(project: ProjectRecord, locked: boolean, ownerId: string): ProjectListItem {
  return {
    id: project.id,
    name: project.name,
    platform_id: project.platformId,
    region_id: project.regionId,
    provisioner: project.provisioner,
    pg_version: project.pgVersion,
    locked,
    cpu_used_sec: project.cpuUsedSec,
    active_time: project.cpuUsedSec,
    branch_logical_size_limit: project.branchLogicalSizeLimit,
    branch_logical_size_limit_bytes: project.branchLogicalSizeLimit * 1_048_576,
    store_passwords: true,
    proxy_host: regionDomain(project.regionId),
    creation_source: 'console',
    owner_id: ownerId,
    created_at: isoTime(project.createdMs),
    updated_at: isoTime(project.updatedMs),
  };
}

export function presentBranch(branch: BranchRecord): Wire {
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

export function presentRole(role: RoleRecord, branchId: string): Wire {
  return {
    branch_id: branchId,
    name: role.name,
    protected: role.isProtected,
    created_at: isoTime(role.createdMs),
    updated_at: isoTime(role.updatedMs),
  };
}

export function presentDatabase(database: DatabaseRecord, branchId: string): Wire {
  return {
    id: database.id,
    branch_id: branchId,
    name: database.name,
    owner_name: database.ownerName,
    created_at: isoTime(database.createdMs),
    updated_at: isoTime(database.updatedMs),
  };
}

/** The id as an exact JSON integer. */
export function presentKeyId(id: string): number | bigint {
  const exact = BigInt(id);
  return exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : exact;
}

export function presentKey(key: KeyRecord, switches: Switches): Wire {
  return { id: presentKeyId(key.id), name: key.name, created_at: isoTime(key.createdMs), ...presentUse(key, switches) };
}

function presentUse(key: KeyRecord, switches: Switches): Wire {
  if (key.lastUsedMs !== undefined)
    return { last_used_at: isoTime(key.lastUsedMs), last_used_from_addr: key.lastUsedFrom ?? '' };
  if (switches.neverUsedKey === 'absent') return {};
  if (switches.neverUsedKey === 'null') return { last_used_at: null, last_used_from_addr: null };
  return { last_used_at: switches.neverUsedKey === 'epoch' ? isoTime(0) : '', last_used_from_addr: '' };
}
