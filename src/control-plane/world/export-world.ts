// The state of a running server in the form of seed data: it can be imported again.
import { isoTime } from '../../base/time/clock.ts';
import type {
  World,
  WorldBranch,
  WorldCompute,
  WorldKey,
  WorldOperation,
  WorldPermission,
  WorldProject,
} from '../../api/index.ts';
import type { Engine } from '../resources/engine/engine.ts';
import type { BranchRecord } from '../resources/branch/record.ts';
import type { ComputeRecord } from '../resources/compute/record.ts';
import type { RoleRecord } from '../resources/contents/record.ts';
import type { PermissionRecord } from '../resources/permission/record.ts';
import type { KeyRecord } from '../resources/key/record.ts';
import { presentOperation, type OperationRecord } from '../resources/operation/record.ts';
import type { ProjectRecord } from '../resources/project/record.ts';
import { oldestFirst } from '../resources/find.ts';

/** Past operations exported for each project. */
const KEPT_OPERATIONS = 1000;

/** Everything, settled to now. Keys stand as hashes; operations under way are left out, their computes as they were. */
export function exportWorld(engine: Engine): World {
  engine.settle();
  const { live, state } = engine;
  return {
    version: 1,
    account: { ...state.meta.account },
    api_keys: oldestFirst(live.keys.values()).map(exportKey),
    projects: oldestFirst(live.projects.values()).map((project) => exportProject(engine, project)),
  };
}

function exportKey(key: KeyRecord): WorldKey {
  const id = BigInt(key.id) <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(key.id) : key.id;
  return {
    id,
    name: key.name,
    key_sha256: key.hash,
    created_at: isoTime(key.createdMs),
    ...(key.lastUsedMs === undefined
      ? {}
      : { last_used_at: isoTime(key.lastUsedMs), last_used_from_addr: key.lastUsedFrom ?? '' }),
    ...(key.revokedMs === undefined ? {} : { revoked_at: isoTime(key.revokedMs) }),
  };
}

function exportProject(engine: Engine, project: ProjectRecord): WorldProject {
  const { live, store } = engine;
  const past = store.past({ projectId: project.id, limit: KEPT_OPERATIONS }).filter((item) => !item.open);
  return {
    id: project.id,
    name: project.name,
    platform_id: project.platformId,
    region_id: project.regionId,
    provisioner: project.provisioner,
    pg_version: project.pgVersion,
    cpu_used_sec: project.cpuUsedSec,
    branch_logical_size_limit: project.branchLogicalSizeLimit,
    history_retention_seconds: project.historyRetentionSeconds,
    created_at: isoTime(project.createdMs),
    updated_at: isoTime(project.updatedMs),
    last_request_at: isoTime(project.activityMs),
    ...(project.detached ? { detached: true } : {}),
    ...(project.storePasswords === false ? { store_passwords: false } : {}),
    ...(project.settings === undefined ? {} : { settings: structuredClone(project.settings) }),
    ...(project.defaultEndpointSettings === undefined
      ? {}
      : { default_endpoint_settings: structuredClone(project.defaultEndpointSettings) }),
    permissions: oldestFirst(live.permissions.of.get(project.id)).map(exportPermission),
    branches: oldestFirst(live.branches.of.get(project.id)).map(exportBranch),
    computes: oldestFirst(live.computes.of.get(project.id)).map(exportCompute),
    operations: past.reverse().map(exportOperation),
  };
}

function exportPermission({ id, email, createdMs, revokedMs }: PermissionRecord): WorldPermission {
  const revoked = revokedMs === undefined ? {} : { revoked_at: isoTime(revokedMs) };
  return { id, email, granted_at: isoTime(createdMs), ...revoked };
}

function exportBranch(branch: BranchRecord): WorldBranch {
  return {
    id: branch.id,
    name: branch.name,
    ...(branch.parentId === undefined ? {} : { parent_id: branch.parentId }),
    default: branch.isDefault,
    ...(branch.isProtected ? { protected: true } : {}),
    created_at: isoTime(branch.createdMs),
    updated_at: isoTime(branch.updatedMs),
    ...(branch.parentMs === undefined ? {} : { parent_timestamp: isoTime(branch.parentMs) }),
    ...(branch.initSource === undefined ? {} : { init_source: branch.initSource }),
    ...(branch.currentState === 'archived' ? { current_state: 'archived' } : {}),
    ...(branch.expiresMs === undefined ? {} : { expires_at: isoTime(branch.expiresMs) }),
    ...(branch.ttlSeconds === undefined ? {} : { ttl_interval_seconds: branch.ttlSeconds }),
    ...(branch.lastResetMs === undefined ? {} : { last_reset_at: isoTime(branch.lastResetMs) }),
    ...(branch.restoredAs === undefined ? {} : { restored_as: branch.restoredAs }),
    ...(branch.annotations === undefined ? {} : { annotation_value: { ...branch.annotations } }),
    roles: branch.roles.map(exportRole),
    databases: branch.databases.map(({ id, name, ownerName }) => ({ id, name, owner_name: ownerName })),
  };
}

/** The name says it all for most. */
function exportRole({ name, isProtected, noLogin }: RoleRecord): NonNullable<WorldBranch['roles']>[number] {
  if (!isProtected && noLogin !== true) return name;
  return { name, ...(isProtected ? { protected: true } : {}), ...(noLogin === true ? { no_login: true } : {}) };
}

function exportCompute(compute: ComputeRecord): WorldCompute {
  return {
    id: compute.id,
    branch: compute.branchId,
    type: compute.type,
    current_state: compute.currentState === 'active' ? 'active' : 'idle',
    autoscaling_limit_min_cu: compute.minCu,
    autoscaling_limit_max_cu: compute.maxCu,
    provisioner: compute.provisioner,
    settings: structuredClone(compute.settings) as NonNullable<WorldCompute['settings']>,
    suspend_timeout_seconds: compute.suspendSeconds,
    pooler_enabled: compute.poolerEnabled,
    pooler_mode: compute.poolerMode,
    disabled: compute.disabled,
    passwordless_access: compute.passwordlessAccess,
    ...(compute.name === undefined ? {} : { name: compute.name }),
    created_at: isoTime(compute.createdMs),
    updated_at: isoTime(compute.updatedMs),
    ...(compute.lastActiveMs === undefined ? {} : { last_active: isoTime(compute.lastActiveMs) }),
    ...(compute.startedMs === undefined ? {} : { started_at: isoTime(compute.startedMs) }),
    ...(compute.suspendedMs === undefined ? {} : { suspended_at: isoTime(compute.suspendedMs) }),
  };
}

function exportOperation(operation: OperationRecord): WorldOperation {
  const { project_id: _project, total_duration_ms: _duration, ...exported } = presentOperation(operation);
  return exported as WorldOperation;
}
