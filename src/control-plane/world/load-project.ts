// Makes the records of one project of seed data: its branches with what lies on them, computes, permissions and past operations.
import type { WorldBranch, WorldCompute, WorldOperation, WorldPermission, WorldProject } from '../../api/index.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { DEFAULT_OUTCOME } from '../resources/operation/fate.ts';
import { newId, newUuid } from '../resources/engine/naming.ts';
import type { BranchRecord } from '../resources/branch/record.ts';
import { defaultBranch } from '../resources/find.ts';
import { nextCheckMs, type ProjectRecord } from '../resources/project/record.ts';
import { lsnAt } from '../resources/branch/history.ts';
import type { RoleRecord } from '../resources/contents/record.ts';
import { keptOf, newPassword } from '../resources/contents/role.ts';
import {
  mergedDefaults,
  mergedSettings,
  requireDefaults,
  requireValidSettings,
} from '../resources/project/settings.ts';
import { configOfNew, requireNoPrimary, requireValidConfig } from '../resources/compute/rules.ts';
import { Refusal } from '../core/refusal.ts';
import { shareInherited } from './inherited-passwords.ts';
import { WorldError, timeToCome, worldTimeMs } from './world-rules.ts';

/** Adds one project of seed data. Throws WorldError. */
export function loadProject(engine: Engine, world: WorldProject, nowMs: number): void {
  const id = world.id ?? newId(engine.random, '', engine.live.projects);
  // A fixed route would hide it.
  if (id === 'shared') throw new WorldError(`a project cannot have the id ${id}`);
  if (engine.live.projects.has(id)) throw new WorldError(`two projects have the id ${id}`);
  const project = projectRecord(engine, { ...world, id }, nowMs);
  engine.state.put('projects', project);
  engine.watch('projects', id);
  const branches = world.branches ?? [{ name: 'main' }];
  const defaults = branches.filter((branch) => branch.default === true);
  if (defaults.length > 1) throw new WorldError(`the project ${id} has two default branches`);
  const chosen = defaults[0] ?? branches[0];
  for (const branch of branches) loadBranch(engine, project, branch, { nowMs, isDefault: branch === chosen });
  shareInherited(engine, id);
  for (const compute of world.computes ?? []) loadCompute(engine, project, compute, nowMs);
  for (const permission of world.permissions ?? []) loadPermission(engine, id, permission, nowMs);
  for (const operation of world.operations ?? []) loadOperation(engine, id, operation, nowMs);
  markFailedConfigs(engine, world.operations ?? [], nowMs);
}

/** A compute whose newest apply_config failed does not have its configuration yet: the next change applies it. */
function markFailedConfigs(engine: Engine, operations: readonly WorldOperation[], nowMs: number): void {
  const newest = new Map<string, WorldOperation>();
  const timeOf = (operation: WorldOperation): number => worldTimeMs(operation.created_at, nowMs) ?? nowMs;
  for (const operation of operations) {
    const { endpoint_id: id, action } = operation;
    if (id === undefined || action !== 'apply_config') continue;
    const known = newest.get(id);
    if (known === undefined || timeOf(operation) >= timeOf(known)) newest.set(id, operation);
  }
  for (const [id, { status }] of newest) {
    const compute = engine.live.computes.get(id);
    if (status === 'failed' && compute !== undefined) engine.state.put('computes', { ...compute, configFailed: true });
  }
}

function projectRecord(engine: Engine, world: WorldProject & { readonly id: string }, nowMs: number): ProjectRecord {
  const createdMs = worldTimeMs(world.created_at, nowMs) ?? nowMs;
  const checkMs = nextCheckMs(engine.switches, nowMs);
  return {
    id: world.id,
    name: world.name,
    platformId: world.platform_id ?? 'aws',
    regionId: world.region_id ?? 'aws-us-east-2',
    provisioner: world.provisioner ?? 'k8s-neonvm',
    pgVersion: world.pg_version ?? 17,
    cpuUsedSec: world.cpu_used_sec ?? 0,
    branchLogicalSizeLimit: world.branch_logical_size_limit ?? 204_800,
    historyRetentionSeconds: world.history_retention_seconds ?? 86_400,
    createdMs,
    updatedMs: worldTimeMs(world.updated_at, nowMs) ?? createdMs,
    activityMs: worldTimeMs(world.last_request_at, nowMs) ?? nowMs,
    detached: world.detached ?? false,
    ...(world.store_passwords === false ? { storePasswords: false } : {}),
    ...loadSettings(engine, world),
    ...(checkMs === undefined ? {} : { nextCheckMs: checkMs }),
  };
}

function loadBranch(
  engine: Engine,
  project: ProjectRecord,
  world: WorldBranch,
  at: { readonly nowMs: number; readonly isDefault: boolean },
): void {
  const id = world.id ?? newId(engine.random, 'br-', engine.live.branches);
  if (engine.live.branches.has(id)) throw new WorldError(`two branches have the id ${id}`);
  for (const other of engine.live.branches.of.get(project.id))
    if (other.name === world.name) throw new WorldError(`two branches of ${project.id} are called ${world.name}`);
  const createdMs = worldTimeMs(world.created_at, at.nowMs) ?? project.createdMs;
  const times = { createdMs, updatedMs: worldTimeMs(world.updated_at, at.nowMs) ?? createdMs };
  const isRoot = at.isDefault || world.init_source === 'schema-only';
  const parentId = world.parent_id ?? (isRoot ? undefined : defaultBranch(engine, project.id)?.id);
  const momentMs = worldTimeMs(world.parent_timestamp, at.nowMs);
  engine.state.put('branches', {
    id,
    projectId: project.id,
    ...(parentId === undefined ? {} : { parentId }),
    ...(momentMs === undefined ? {} : { parentMs: momentMs, parentLsn: lsnAt(project, momentMs) }),
    name: world.name,
    isDefault: at.isDefault,
    isProtected: world.protected ?? false,
    ...(world.init_source === undefined ? {} : { initSource: world.init_source }),
    currentState: world.current_state ?? 'ready',
    stateChangedMs: createdMs,
    ...loadLife(world, at.nowMs),
    ...(world.restored_as === undefined ? {} : { restoredAs: world.restored_as }),
    ...(world.annotation_value === undefined ? {} : { annotations: world.annotation_value }),
    ...times,
    roles: (world.roles ?? []).map((role) => loadRole(engine, project, role, times)),
    databases: (world.databases ?? []).map((item, index) => ({
      id: item.id ?? index + 1,
      name: item.name,
      ownerName: item.owner_name,
      ...times,
    })),
  });
  engine.watch('branches', id);
}

/** When it expires, and when it was last reset. */
function loadLife(world: WorldBranch, nowMs: number): Pick<BranchRecord, 'expiresMs' | 'ttlSeconds' | 'lastResetMs'> {
  const { expires_at: expires, ttl_interval_seconds: ttl, last_reset_at: reset } = world;
  const resetMs = worldTimeMs(reset, nowMs);
  const expiresMs = expires === undefined ? undefined : timeToCome(expires, nowMs);
  return {
    ...(expiresMs === undefined
      ? {}
      : { expiresMs, ttlSeconds: ttl ?? Math.max(1, Math.round((expiresMs - nowMs) / 1000)) }),
    ...(resetMs === undefined ? {} : { lastResetMs: resetMs }),
  };
}

function loadRole(
  engine: Engine,
  { storePasswords }: ProjectRecord,
  world: NonNullable<WorldBranch['roles']>[number],
  times: { readonly createdMs: number; readonly updatedMs: number },
): RoleRecord {
  const {
    name,
    protected: isProtected = false,
    no_login: noLogin = false,
  } = typeof world === 'string' ? { name: world } : world;
  const secret = noLogin ? { noLogin } : keptOf(engine, newPassword(engine), storePasswords !== false);
  return { name, isProtected, ...secret, ...times };
}

function loadSettings(
  engine: Engine,
  { id, settings, default_endpoint_settings: defaults }: WorldProject,
): Pick<ProjectRecord, 'settings' | 'defaultEndpointSettings'> {
  return refusedAs(`the project ${id ?? ''}`, () => {
    if (settings !== undefined) requireValidSettings(engine, {}, settings);
    if (defaults !== undefined) requireDefaults(engine, defaults);
    return {
      ...(settings === undefined ? {} : { settings: mergedSettings({}, settings) }),
      ...(defaults === undefined ? {} : { defaultEndpointSettings: mergedDefaults({}, defaults) }),
    };
  });
}

function loadPermission(engine: Engine, projectId: string, world: WorldPermission, nowMs: number): void {
  const revokedMs = worldTimeMs(world.revoked_at, nowMs);
  engine.state.put('permissions', {
    id: world.id ?? newUuid(engine.random),
    projectId,
    email: world.email,
    createdMs: worldTimeMs(world.granted_at, nowMs) ?? nowMs,
    ...(revokedMs === undefined ? {} : { revokedMs }),
  });
}

function loadCompute(engine: Engine, project: ProjectRecord, world: WorldCompute, nowMs: number): void {
  const id = world.id ?? newId(engine.random, 'ep-', engine.live.computes);
  if (engine.live.computes.has(id)) throw new WorldError(`two computes have the id ${id}`);
  const branch = branchCalled(engine, project.id, world.branch);
  if (branch === undefined)
    throw new WorldError(`the compute ${id} stands on a branch that ${project.id} does not have`);
  const { branch: _branch, ...attributes } = world;
  const type = world.type ?? 'read_write';
  const createdMs = worldTimeMs(world.created_at, nowMs) ?? branch.createdMs;
  const startedMs = worldTimeMs(world.started_at, nowMs);
  const isActive = world.current_state === 'active';
  const lastActiveMs = worldTimeMs(world.last_active, nowMs) ?? (isActive ? nowMs : undefined);
  const suspendedMs = worldTimeMs(world.suspended_at, nowMs);
  const config = refusedAs(`the compute ${id}`, () => {
    const made = configOfNew(attributes, branch.id, engine.switches);
    requireValidConfig(made, attributes, engine.switches);
    if (type === 'read_write') requireNoPrimary(engine, branch.id);
    return made;
  });
  engine.state.put('computes', {
    ...config,
    id,
    projectId: project.id,
    regionId: project.regionId,
    type,
    currentState: isActive ? 'active' : 'idle',
    creationSource: 'console',
    ...(lastActiveMs === undefined ? {} : { lastActiveMs }),
    ...(startedMs === undefined ? {} : { startedMs }),
    ...(suspendedMs === undefined ? {} : { suspendedMs }),
    createdMs,
    updatedMs: worldTimeMs(world.updated_at, nowMs) ?? lastActiveMs ?? createdMs,
    activityMs: isActive ? nowMs : (lastActiveMs ?? createdMs),
    generation: 0,
    configFailed: false,
  });
  engine.watch('computes', id);
}

function branchCalled(engine: Engine, projectId: string, idOrName: string): BranchRecord | undefined {
  for (const branch of engine.live.branches.of.get(projectId))
    if (branch.id === idOrName || branch.name === idOrName) return branch;
  return undefined;
}

function refusedAs<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) throw new WorldError(`${what}: ${error.message}`);
    throw error;
  }
}

/** Adds a past operation: the oldest comes first. */
export function loadOperation(engine: Engine, projectId: string, world: WorldOperation, nowMs: number): void {
  const seq = engine.state.meta.nextOperationSeq;
  engine.state.setMeta({ nextOperationSeq: seq + 1 });
  const createdMs = worldTimeMs(world.created_at, nowMs) ?? nowMs;
  const status = world.status ?? 'finished';
  engine.state.put('operations', {
    seq,
    id: world.id ?? newUuid(engine.random),
    projectId,
    ...(world.branch_id === undefined ? {} : { branchId: world.branch_id }),
    ...(world.endpoint_id === undefined ? {} : { endpointId: world.endpoint_id }),
    action: world.action,
    status,
    ...(world.error === undefined ? {} : { error: world.error }),
    failuresCount: world.failures_count ?? (status === 'failed' ? 1 : 0),
    createdMs,
    updatedMs: worldTimeMs(world.updated_at, nowMs) ?? createdMs,
    durationMs: 0,
    open: false,
    chain: seq,
    effect: 'none',
    outcome: DEFAULT_OUTCOME,
  });
}
