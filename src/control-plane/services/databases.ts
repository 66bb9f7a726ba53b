// Roles and databases of a branch, as far as clients look at them. Their changes are applied by operations.
import { createHash } from 'node:crypto';
import { noteChange, requireUnlocked } from '../engine/call.ts';
import type { Call } from '../engine/call.ts';
import { touchProject } from '../detach.ts';
import type { Engine } from '../engine/engine.ts';
import { computeHost } from '../engine/naming.ts';
import { startOperations } from '../operation-start.ts';
import type { Step } from '../operation-start.ts';
import { presentDatabase, presentOperation, presentRole } from '../present.ts';
import type { BranchRecord, DatabaseRecord, OperationRecord, RoleRecord } from '../records.ts';
import { Refusal, badRequest, notFound } from '../engine/refusal.ts';
import { APPLY, SUSPEND, isRunning } from './compute-change.ts';
import { findBranch, findProject, oldestFirst } from './lookups.ts';

type Reply = Record<string, unknown>;

export function findRole(branch: BranchRecord, name: string): RoleRecord {
  const role = branch.roles.find((candidate) => candidate.name === name);
  if (role === undefined) throw notFound('role', name);
  return role;
}

export function findDatabase(branch: BranchRecord, name: string): DatabaseRecord {
  const database = branch.databases.find((candidate) => candidate.name === name);
  if (database === undefined) throw notFound('database', name);
  return database;
}

/** A password that is no secret: the same for the same role, made from its name. */
export function passwordOf(branch: BranchRecord, role: RoleRecord): string {
  const text = `${branch.projectId} ${branch.id} ${role.name} ${role.passwordVersion}`;
  return `local_${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}

/** POST …/roles. */
export function createRole(call: Call, projectId: string, branchId: string, name: string): Reply {
  const branch = findBranch(call.engine, projectId, branchId);
  if (branch.roles.some((role) => role.name === name)) throw duplicate(call.engine, 'role', 'ROLE_ALREADY_EXISTS');
  const times = { createdMs: call.atMs, updatedMs: call.atMs };
  const role: RoleRecord = { name, isProtected: false, passwordVersion: 1, ...times };
  return withRole(call, branch, undefined, role);
}

/** POST …/roles/{role_name}/reset_password. */
export function resetPassword(call: Call, projectId: string, branchId: string, name: string): Reply {
  const branch = findBranch(call.engine, projectId, branchId);
  const role = findRole(branch, name);
  return withRole(call, branch, role, { ...role, passwordVersion: role.passwordVersion + 1, updatedMs: call.atMs });
}

/** DELETE …/roles/{role_name}. */
export function deleteRole(call: Call, projectId: string, branchId: string, name: string): Reply | undefined {
  const branch = findBranch(call.engine, projectId, branchId);
  if (call.engine.switches.missingDelete === 204 && !branch.roles.some((role) => role.name === name)) return undefined;
  const role = findRole(branch, name);
  if (branch.databases.some((database) => database.ownerName === name))
    throw new Refusal(422, 'the role owns databases of this branch');
  const reply = withRole(call, branch, role, undefined);
  return { ...reply, role: presentRole(role, branchId) };
}

function withRole(
  call: Call,
  branch: BranchRecord,
  before: RoleRecord | undefined,
  after: RoleRecord | undefined,
): Reply {
  const others = branch.roles.filter((role) => role.name !== (before ?? after)?.name);
  const operations = apply(call, { ...branch, roles: after === undefined ? others : [...others, after] });
  const show = (role: RoleRecord | undefined): Reply | null =>
    role === undefined ? null : presentRole(role, branch.id);
  noteChange(call, {
    kind: 'role',
    id: (after ?? before)?.name ?? '',
    projectId: branch.projectId,
    before: show(before),
    after: show(after),
    operations,
  });
  const password = after === undefined ? {} : { password: passwordOf(branch, after) };
  return { role: { ...show(after), ...password }, operations: operations.map(presentOperation) };
}

/** POST …/databases. */
export function createDatabase(
  call: Call,
  projectId: string,
  branchId: string,
  asked: { readonly name: string; readonly owner_name: string },
): Reply {
  const branch = findBranch(call.engine, projectId, branchId);
  requireOwner(branch, asked.owner_name);
  requireFreeName(call, branch, asked.name);
  const id = 1 + Math.max(0, ...branch.databases.map((database) => database.id));
  const times = { createdMs: call.atMs, updatedMs: call.atMs };
  return withDatabase(call, branch, undefined, { id, name: asked.name, ownerName: asked.owner_name, ...times });
}

/** PATCH …/databases/{database_name}. */
export function updateDatabase(
  call: Call,
  projectId: string,
  branchId: string,
  name: string,
  sent: { readonly name?: string; readonly owner_name?: string },
): Reply {
  const branch = findBranch(call.engine, projectId, branchId);
  const database = findDatabase(branch, name);
  if (sent.owner_name !== undefined) requireOwner(branch, sent.owner_name);
  if (sent.name !== undefined && sent.name !== name) requireFreeName(call, branch, sent.name);
  const after = {
    ...database,
    name: sent.name ?? name,
    ownerName: sent.owner_name ?? database.ownerName,
    updatedMs: call.atMs,
  };
  return withDatabase(call, branch, database, after);
}

/** DELETE …/databases/{database_name}. */
export function deleteDatabase(call: Call, projectId: string, branchId: string, name: string): Reply | undefined {
  const branch = findBranch(call.engine, projectId, branchId);
  const missing = !branch.databases.some((database) => database.name === name);
  if (missing && call.engine.switches.missingDelete === 204) return undefined;
  const database = findDatabase(branch, name);
  return { ...withDatabase(call, branch, database, undefined), database: presentDatabase(database, branchId) };
}

function withDatabase(
  call: Call,
  branch: BranchRecord,
  before: DatabaseRecord | undefined,
  after: DatabaseRecord | undefined,
): Reply {
  const others = branch.databases.filter((database) => database.id !== (before ?? after)?.id);
  const operations = apply(call, { ...branch, databases: after === undefined ? others : [...others, after] });
  const show = (database: DatabaseRecord | undefined): Reply | null =>
    database === undefined ? null : presentDatabase(database, branch.id);
  noteChange(call, {
    kind: 'database',
    id: (after ?? before)?.name ?? '',
    projectId: branch.projectId,
    before: show(before),
    after: show(after),
    operations,
  });
  return { database: show(after), operations: operations.map(presentOperation) };
}

/** apply_config on the branch's primary; an idle one is started for it and suspended again. */
function apply(call: Call, branch: BranchRecord): OperationRecord[] {
  const { engine } = call;
  const { projectId, id: branchId } = branch;
  const primary = primaryOf(engine, branchId);
  requireUnlocked(engine, projectId, primary?.id);
  touchProject(engine, projectId, call.atMs);
  engine.state.put('branches', { ...branch, updatedMs: call.atMs });
  const steps: Step[] = primary === undefined || isRunning(primary) ? [APPLY] : [APPLY, SUSPEND];
  const endpoint = primary === undefined ? {} : { endpointId: primary.id };
  return startOperations(engine, call.atMs, { projectId, branchId, ...endpoint }, steps);
}

function primaryOf(
  engine: Engine,
  branchId: string,
): ({ readonly id: string } & Parameters<typeof isRunning>[0]) | undefined {
  for (const compute of engine.state.computesOn.get(branchId)) if (compute.type === 'read_write') return compute;
  return undefined;
}

function duplicate(engine: Engine, what: string, code: string): Refusal {
  return new Refusal(engine.switches.conflictStatus, `a ${what} with this name exists`, { code });
}

function requireOwner(branch: BranchRecord, name: string): void {
  if (!branch.roles.some((role) => role.name === name)) throw badRequest('the owner is not a role of this branch');
}

function requireFreeName(call: Call, branch: BranchRecord, name: string): void {
  if (branch.databases.some((database) => database.name === name))
    throw duplicate(call.engine, 'database', 'DATABASE_ALREADY_EXISTS');
}

export interface UriQuery {
  readonly branch_id?: string;
  readonly endpoint_id?: string;
  readonly database_name?: string;
  readonly role_name?: string;
  readonly pooled?: boolean;
}

/** GET /projects/{project_id}/connection_uri. */
export function connectionUri(engine: Engine, projectId: string, query: UriQuery): string {
  findProject(engine, projectId);
  const computes = oldestFirst(engine.state.computesOf.get(projectId));
  const compute = computes.find(
    (item) =>
      (query.endpoint_id === undefined || item.id === query.endpoint_id) &&
      (query.branch_id === undefined || item.branchId === query.branch_id),
  );
  if (compute === undefined) throw notFound('endpoint', query.endpoint_id ?? query.branch_id ?? '');
  const branch = findBranch(engine, projectId, compute.branchId);
  const role = findRole(branch, query.role_name ?? branch.roles[0]?.name ?? '');
  const database = findDatabase(branch, query.database_name ?? branch.databases[0]?.name ?? '');
  const host = computeHost(query.pooled === true ? `${compute.id}-pooler` : compute.id, compute.regionId);
  const user = `${encodeURIComponent(role.name)}:${passwordOf(branch, role)}`;
  return `postgresql://${user}@${host}/${encodeURIComponent(database.name)}?sslmode=require`;
}
