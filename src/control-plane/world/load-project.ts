// Fills a new store with seed data: keys, and projects with their branches and computes.
import { defined } from '../../base/picked.ts';
import type {
  WorldBranch,
  WorldCompute,
  WorldOperation,
  WorldPermission,
  WorldProject,
  World,
  WorldKey,
} from '../../api/index.ts';
import { parseDurationMs } from '../../base/time/duration.ts';
import { parseWrittenTimeMs } from '../../base/time/instant.ts';
import { recorded, type Fields } from '../core/fields.ts';
import { Refusal } from '../core/refusal.ts';
import { DEFAULT_REGION, requireOrganization } from '../resources/account.ts';
import { branchSeed, type BranchRecord } from '../resources/branch/record.ts';
import { lsnAt } from '../resources/branch/rules.ts';
import { computeSeed, type ComputeRecord } from '../resources/compute/record.ts';
import { configOfNew, requireNoPrimary, requireValidConfig } from '../resources/compute/rules.ts';
import { databaseSeed, roleSeed, type DatabaseRecord, type RoleRecord } from '../resources/contents/record.ts';
import { requireDatabaseName, requireOwner } from '../resources/contents/database.ts';
import { keptOf, newPassword, requireRoleName } from '../resources/contents/role.ts';
import type { Engine } from '../resources/engine/engine.ts';
import { newId, newUuid, hashOfKey, newKeyValue } from '../resources/engine/naming.ts';
import { DEFAULT_HISTORY_SECONDS } from '../resources/engine/switches.ts';
import { defaultBranch } from '../resources/find.ts';
import { operationSeed, past as pastOperation, type OperationRecord } from '../resources/operation/record.ts';
import { permissionSeed, type PermissionRecord } from '../resources/permission/record.ts';
import { projectDefaults, nextCheckMs, projectSeed, type ProjectRecord } from '../resources/project/record.ts';
import { mergedSettings, requireDefaults, requireValidSettings } from '../resources/project/settings.ts';
import { keySeed, type KeyRecord } from '../resources/key/record.ts';

/** Thrown for invalid seed data, such as a duplicate id, a missing branch, or two primaries on one branch. */
export class WorldError extends Error {
  override readonly name = 'WorldError' as const;
}

/** The record fields of seed data. Times are ISO, or relative to the start: `-2h` is past, `2h` is future. */
function seeded<T extends object>(fields: Fields<T>, seed: object, nowMs: number): Partial<T> {
  const msOf = (text: string): number => {
    const isPast = text.startsWith('-');
    const distanceMs = parseDurationMs(isPast ? text.slice(1) : text);
    const ms = distanceMs === undefined ? parseWrittenTimeMs(text) : nowMs + (isPast ? -distanceMs : distanceMs);
    if (ms === undefined) throw new WorldError(`${text} is not a time`);
    return ms;
  };
  return recorded(fields, seed as Readonly<Record<string, unknown>>, msOf);
}

const PREFIXES = { projects: '', branches: 'br-', computes: 'ep-' } as const;

function idIn(
  engine: Engine,
  table: keyof typeof PREFIXES,
  id: string = newId(engine.random, PREFIXES[table], engine.live[table]),
): string {
  if (engine.live[table].has(id)) throw new WorldError(`two ${table} have the id ${id}`);
  return id;
}

function loadProject(engine: Engine, world: WorldProject, nowMs: number): void {
  const id = idIn(engine, 'projects', world.id);
  // The path of this project would be the fixed route /projects/shared.
  if (id === 'shared') throw new WorldError(`a project cannot have the id ${id}`);
  const project = projectRecord(engine, { ...world, id }, nowMs);
  engine.put('projects', project);
  const branches = world.branches ?? [{ name: 'main' }];
  const defaults = branches.filter((branch) => branch.default === true);
  if (defaults.length > 1) throw new WorldError(`the project ${id} has two default branches`);
  const chosen = defaults[0] ?? branches[0];
  for (const branch of branches) loadBranch(engine, project, branch, { nowMs, isDefault: branch === chosen });
  shareInherited(engine, id);
  for (const compute of world.computes ?? []) loadCompute(engine, project, compute, nowMs);
  for (const permission of world.permissions ?? []) loadPermission(engine, id, permission, nowMs);
  for (const operation of world.operations ?? []) loadOperation(engine, id, operation, nowMs);
}

function projectRecord(engine: Engine, world: WorldProject & { readonly id: string }, nowMs: number): ProjectRecord {
  const { createdMs = nowMs, ...own } = seeded<ProjectRecord>(projectSeed, world, nowMs);
  return {
    ...projectDefaults,
    regionId: DEFAULT_REGION,
    historyRetentionSeconds: DEFAULT_HISTORY_SECONDS,
    updatedMs: createdMs,
    activityMs: nowMs,
    ...own,
    id: world.id,
    name: world.name,
    createdMs,
    ...loadSettings(engine, world),
    ...defined({ nextCheckMs: nextCheckMs(engine.switches, nowMs) }),
  };
}

function loadBranch(
  engine: Engine,
  project: ProjectRecord,
  world: WorldBranch,
  { nowMs, isDefault }: { readonly nowMs: number; readonly isDefault: boolean },
): void {
  const id = idIn(engine, 'branches', world.id);
  for (const other of engine.live.branches.of.get(project.id))
    if (other.name === world.name) throw new WorldError(`two branches of ${project.id} are called ${world.name}`);
  const { createdMs = project.createdMs, ...own } = seeded<BranchRecord>(branchSeed, world, nowMs);
  const { updatedMs = createdMs, expiresMs, ttlSeconds, parentMs } = own;
  const times = { createdMs, updatedMs };
  const isRoot = isDefault || own.initSource === 'schema-only';
  const parentId = own.parentId ?? (isRoot ? undefined : defaultBranch(engine, project.id)?.id);
  const branch: BranchRecord = {
    isProtected: false,
    currentState: 'ready',
    stateChangedMs: createdMs,
    ...own,
    ...times,
    id,
    projectId: project.id,
    name: world.name,
    isDefault,
    ...defined({ parentId }),
    ...(parentMs === undefined ? {} : { parentLsn: lsnAt(project, parentMs) }),
    ...(expiresMs === undefined
      ? {}
      : { ttlSeconds: ttlSeconds ?? Math.max(1, Math.round((expiresMs - nowMs) / 1000)) }),
    roles: (world.roles ?? []).map((role): RoleRecord => {
      const named = {
        isProtected: false,
        ...seeded<RoleRecord>(roleSeed, typeof role === 'string' ? { name: role } : role, nowMs),
      };
      const kept = named.noLogin === true ? {} : keptOf(engine, newPassword(engine), project.storePasswords !== false);
      return { ...(named as Pick<RoleRecord, 'name' | 'isProtected'>), ...kept, ...times };
    }),
    databases: (world.databases ?? []).map((database, index) => {
      const named = { id: index + 1, ...seeded<DatabaseRecord>(databaseSeed, database, nowMs) };
      return { ...(named as Pick<DatabaseRecord, 'id' | 'name' | 'ownerName'>), ...times };
    }),
  };
  refusedAs(`the branch ${id}`, () => {
    for (const { name } of branch.roles) requireRoleName(name);
    for (const { name } of branch.databases) requireDatabaseName(name);
    for (const { ownerName } of branch.databases) requireOwner(engine, branch, ownerName);
  });
  engine.put('branches', branch);
}

/** Gives each child branch the passwords of roles that it shares with its parent, unless the parent is protected. */
function shareInherited(engine: Engine, projectId: string): void {
  const { branches } = engine.live;
  // Starts at the roots, because a parent needs its passwords first; branches in a cycle are never reached.
  const reached = branches.of.get(projectId).filter(({ parentId }) => !branches.has(parentId ?? ''));
  for (const parent of reached)
    for (const child of branches.children.get(parent.id)) {
      const sharing = parent.isProtected ? child : { ...child, roles: sharedRoles(child, parent) };
      engine.put('branches', sharing);
      reached.push(sharing);
    }
}

function sharedRoles(child: BranchRecord, parent: BranchRecord): readonly RoleRecord[] {
  return child.roles.map((role) => {
    const inherited = parent.roles.find(({ name }) => name === role.name);
    if (inherited === undefined || inherited.noLogin === true || role.noLogin === true) return role;
    const { password, verifier } = inherited;
    return { ...role, ...(password && { password }), ...(verifier && { verifier }) };
  });
}

function loadSettings(
  engine: Engine,
  { id, settings, default_endpoint_settings: defaults }: WorldProject,
): Pick<ProjectRecord, 'settings' | 'defaultEndpointSettings'> {
  return refusedAs(`the project ${id ?? ''}`, () => {
    if (settings !== undefined) requireValidSettings(engine, {}, settings);
    if (defaults !== undefined) requireDefaults(engine, defaults);
    return {
      ...(settings && { settings: mergedSettings({}, settings) }),
      ...(defaults && { defaultEndpointSettings: defaults }),
    };
  });
}

function loadPermission(engine: Engine, projectId: string, world: WorldPermission, nowMs: number): void {
  const {
    id = newUuid(engine.random),
    createdMs = nowMs,
    ...own
  } = seeded<PermissionRecord>(permissionSeed, world, nowMs);
  engine.put('permissions', { ...own, id, projectId, email: world.email, createdMs });
}

function loadCompute(engine: Engine, project: ProjectRecord, world: WorldCompute, nowMs: number): void {
  const id = idIn(engine, 'computes', world.id);
  const { branch: named, ...attributes } = world;
  const branch = engine.live.branches.of.get(project.id).find(({ id, name }) => id === named || name === named);
  if (branch === undefined)
    throw new WorldError(`the compute ${id} stands on a branch that ${project.id} does not have`);
  const {
    createdMs = branch.createdMs,
    type = 'read_write',
    ...own
  } = seeded<ComputeRecord>(computeSeed, world, nowMs);
  const isActive = own.currentState === 'active';
  const lastActiveMs = own.lastActiveMs ?? (isActive ? nowMs : undefined);
  const config = refusedAs(`the compute ${id}`, () => {
    const made = configOfNew(attributes, branch.id, engine.switches);
    requireValidConfig(made, attributes, engine.switches);
    if (type === 'read_write') requireNoPrimary(engine, branch.id);
    return made;
  });
  engine.put('computes', {
    updatedMs: lastActiveMs ?? createdMs,
    ...own,
    ...config,
    id,
    projectId: project.id,
    regionId: project.regionId,
    type,
    currentState: isActive ? 'active' : 'idle',
    ...defined({ lastActiveMs }),
    createdMs,
    activityMs: isActive ? nowMs : (lastActiveMs ?? createdMs),
    generation: 0,
    configFailed: false,
  });
}

function refusedAs<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) throw new WorldError(`${what}: ${error.message}`);
    throw error;
  }
}

/** Adds a past operation. Call it oldest first: the last apply_config of a compute decides whether its config failed. */
function loadOperation(engine: Engine, projectId: string, world: WorldOperation, nowMs: number): void {
  const seq = engine.meta.nextOperationSeq;
  engine.setMeta({ nextOperationSeq: seq + 1 });
  const { createdMs = nowMs, ...own } = seeded<OperationRecord>(operationSeed, world, nowMs);
  const { id = newUuid(engine.random), status = 'finished' } = own;
  engine.put('operations', {
    ...pastOperation,
    createdMs,
    updatedMs: createdMs,
    failuresCount: status === 'failed' ? 1 : 0,
    ...own,
    seq,
    id,
    projectId,
    action: world.action,
    status,
    chain: seq,
  });
  const compute = engine.live.computes.get(own.endpointId ?? '');
  if (compute !== undefined && world.action === 'apply_config')
    engine.put('computes', { ...compute, configFailed: status === 'failed' });
}

export function loadWorld(engine: Engine, world: World): void {
  engine.transact((nowMs) => {
    engine.setMeta({ account: { ...engine.meta.account, ...world.account } });
    for (const key of world.api_keys ?? []) loadKey(engine, key, world, nowMs);
  });
  for (const project of world.projects ?? []) engine.transact((nowMs) => loadProject(engine, project, nowMs));
}

function loadKey(engine: Engine, key: WorldKey, { projects = [] }: World, nowMs: number): void {
  const next = engine.meta.nextKeyId;
  const id = key.id === undefined ? next : String(BigInt(key.id));
  if (engine.live.keys.has(id)) throw new WorldError(`two API keys have the id ${id}`);
  const { org_id: asked, project_id: projectId } = key;
  const orgId = refusedAs(`the API key ${id}`, () => requireOrganization(engine, asked, 'member'));
  if (projectId !== undefined && !projects.some((project) => project.id === projectId))
    throw new WorldError(`the API key ${id} is of the project ${projectId}, which this file does not have`);
  if (key.id === undefined) engine.setMeta({ nextKeyId: String(BigInt(next) + 1n) });
  const hash = key.key_sha256 ?? hashOfKey(key.key ?? newKeyValue(engine.random, ''));
  if (engine.live.keys.withHash.count(hash) > 0) throw new WorldError(`the API key ${id} has the value of another key`);
  engine.put('keys', {
    hash,
    createdMs: nowMs,
    ...(key.last_used_at === undefined ? {} : { lastUsedFrom: '127.0.0.1' }),
    ...seeded<KeyRecord>(keySeed, key, nowMs),
    // Without an organization, the key could use routes of the account.
    ...(projectId !== undefined && { orgId }),
    id,
    name: key.name,
  });
}
