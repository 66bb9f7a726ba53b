// Branches, as far as clients of computes need them: list, get, create, update, delete, and which one is the default.
import type { BranchCreateRequest, Operation } from '../../api/index.ts';
import { noteChange, requireUnlocked } from '../engine/call.ts';
import type { Call } from '../engine/call.ts';
import { touchProject } from '../detach.ts';
import type { Engine } from '../engine/engine.ts';
import { newBranchId } from '../engine/naming.ts';
import { startOperations } from '../operation-start.ts';
import type { Step, Subject } from '../operation-start.ts';
import { presentBranch, presentCompute, presentDatabase, presentOperation, presentRole } from '../present.ts';
import type { BranchRecord, ComputeRecord, OperationRecord } from '../records.ts';
import { Refusal, badRequest } from '../engine/refusal.ts';
import { START, SUSPEND, isRunning } from './compute-change.ts';
import { addCompute, requireValidNew, takeAway } from './computes.ts';
import type { NewCompute } from './computes.ts';
import { connectionDetails } from './connection-details.ts';
import { findBranch, findProject, oldestFirst } from './lookups.ts';

export type Reply = Record<string, unknown>;

export interface BranchQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly sort_by?: string;
  readonly sort_order?: string;
}

const SORT_FIELDS = { name: 'name', created_at: 'createdMs', updated_at: 'updatedMs' } as const;

/** GET …/branches: pages with `next`. */
export function listBranches(engine: Engine, projectId: string, query: BranchQuery): Reply {
  findProject(engine, projectId);
  const sortBy = (query.sort_by ?? 'updated_at') as keyof typeof SORT_FIELDS;
  const order = query.sort_order ?? 'desc';
  const field = SORT_FIELDS[sortBy];
  const wanted = query.search?.toLowerCase();
  const matches = oldestFirst(engine.state.branchesOf.get(projectId)).filter(
    (branch) => wanted === undefined || branch.name.toLowerCase().includes(wanted) || branch.id.includes(wanted),
  );
  matches.sort((a, b) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id < b.id ? -1 : 1));
  if (order === 'desc') matches.reverse();
  const begin = query.cursor === undefined ? 0 : offsetOf(query.cursor);
  const page = matches.slice(begin, begin + (query.limit ?? matches.length));
  const end = begin + page.length;
  const next = end < matches.length ? { next: Buffer.from(`offset ${end}`).toString('base64url') } : {};
  return {
    branches: page.map(presentBranch),
    annotations: {},
    pagination: { ...next, sort_by: sortBy, sort_order: order.toUpperCase() },
  };
}

function offsetOf(cursor: string): number {
  const match = /^offset (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) throw badRequest('invalid cursor');
  return Number(match[1]);
}

/** POST …/branches: a copy of its parent's roles and databases, with the computes that were asked for. */
export function createBranch(call: Call, projectId: string, request: BranchCreateRequest): Reply {
  const { engine } = call;
  const project = findProject(engine, projectId);
  const { branch: asked = {}, endpoints = [] } = request;
  const parent =
    asked.parent_id === undefined ? defaultBranch(engine, projectId) : findBranch(engine, projectId, asked.parent_id);
  const id = newBranchId(engine.random, (taken) => engine.state.branches.has(taken));
  const name = asked.name ?? id;
  requireFreeName(engine, projectId, name);
  const wanted = endpoints.map((endpoint): NewCompute => ({ ...endpoint, branch_id: id, type: endpoint.type }));
  for (const compute of wanted) requireValidNew(engine, compute, project.regionId);
  if (wanted.filter((compute) => compute.type === 'read_write').length > 1)
    throw new Refusal(engine.switches.conflictStatus, 'a branch has one read_write endpoint at most', {
      code: 'ENDPOINTS_LIMIT_EXCEEDED',
    });
  requireUnlocked(engine, projectId);
  touchProject(engine, projectId, call.atMs);
  const branch: BranchRecord = {
    id,
    projectId,
    ...(parent === undefined ? {} : { parentId: parent.id }),
    name,
    isDefault: false,
    isProtected: asked.protected === true,
    currentState: 'init',
    stateChangedMs: call.atMs,
    createdMs: call.atMs,
    updatedMs: call.atMs,
    roles: parent?.roles ?? [],
    databases: parent?.databases ?? [],
  };
  engine.state.put('branches', branch);
  const made = bornWith(call, branch, wanted, { action: 'create_branch', effect: 'branch_ready' });
  const reply = birthReply(engine, branch, made);
  noteChange(call, {
    kind: 'branch',
    id,
    projectId,
    before: null,
    after: reply['branch'],
    operations: made.operations,
  });
  return reply;
}

export interface Born {
  readonly computes: readonly ComputeRecord[];
  readonly operations: readonly OperationRecord[];
}

/** Starts the operation that makes a branch, followed by the start of each of its computes. */
export function bornWith(call: Call, branch: BranchRecord, wanted: readonly NewCompute[], birth: Step): Born {
  const { engine, atMs } = call;
  const { projectId, id: branchId } = branch;
  const computes = wanted.map((asked) => addCompute(call, projectId, asked));
  const starts = computes.map((compute): Step => ({
    ...START,
    subject: { projectId, branchId, endpointId: compute.id },
  }));
  const operations = startOperations(engine, atMs, { projectId, branchId }, [birth, ...starts]);
  for (const compute of computes) {
    const after = presentCompute(compute, engine.switches);
    noteChange(call, { kind: 'compute', id: compute.id, projectId, before: null, after });
  }
  return { computes, operations };
}

export function birthReply(engine: Engine, branch: BranchRecord, { computes, operations }: Born): Reply {
  return {
    branch: presentBranch(branch),
    endpoints: computes.map((compute) => presentCompute(compute, engine.switches)),
    operations: operations.map(presentOperation),
    roles: branch.roles.map((role) => presentRole(role, branch.id)),
    databases: branch.databases.map((database) => presentDatabase(database, branch.id)),
    ...connectionDetails(engine, branch, computes),
  };
}

function defaultBranch(engine: Engine, projectId: string): BranchRecord | undefined {
  for (const branch of engine.state.branchesOf.get(projectId)) if (branch.isDefault) return branch;
  return undefined;
}

function requireFreeName(engine: Engine, projectId: string, name: string, except?: string): void {
  for (const other of engine.state.branchesOf.get(projectId))
    if (other.name === name && other.id !== except)
      throw new Refusal(engine.switches.conflictStatus, `a branch with this name exists; branch_id:"${other.id}"`, {
        code: 'BRANCH_ALREADY_EXISTS',
      });
}

/** PATCH …/branches/{branch_id}: name and protection; no operation is needed. */
export function updateBranch(
  call: Call,
  projectId: string,
  branchId: string,
  sent: { readonly name?: string; readonly protected?: boolean },
): Reply {
  const { engine } = call;
  const before = findBranch(engine, projectId, branchId);
  if (sent.name !== undefined) requireFreeName(engine, projectId, sent.name, branchId);
  requireUnlocked(engine, projectId);
  const after = {
    ...before,
    name: sent.name ?? before.name,
    isProtected: sent.protected ?? before.isProtected,
    updatedMs: call.atMs,
  };
  return changed(call, before, after, []);
}

/** POST …/branches/{branch_id}/set_as_default. */
export function setDefaultBranch(call: Call, projectId: string, branchId: string): Reply {
  const { engine } = call;
  const before = findBranch(engine, projectId, branchId);
  requireUnlocked(engine, projectId);
  const previous = defaultBranch(engine, projectId);
  if (previous !== undefined && previous.id !== branchId)
    changed(call, previous, { ...previous, isDefault: false, updatedMs: call.atMs }, []);
  return changed(call, before, { ...before, isDefault: true, updatedMs: call.atMs }, []);
}

/** DELETE …/branches/{branch_id}: with its computes. Undefined when there is none and none is missed. */
export function deleteBranch(call: Call, projectId: string, branchId: string): Reply | undefined {
  const { engine } = call;
  findProject(engine, projectId);
  if (engine.switches.missingDelete === 204 && engine.state.branches.get(branchId)?.projectId !== projectId)
    return undefined;
  const branch = findBranch(engine, projectId, branchId);
  requireDeletable(engine, branch);
  requireUnlocked(engine, projectId);
  touchProject(engine, projectId, call.atMs);
  const subject: Subject = { projectId, branchId };
  const steps: Step[] = [];
  for (const compute of oldestFirst(engine.state.computesOn.get(branchId))) {
    requireUnlocked(engine, projectId, compute.id);
    if (isRunning(compute)) steps.push({ ...SUSPEND, subject: { ...subject, endpointId: compute.id } });
    takeAway(call, compute);
  }
  steps.push({ action: 'delete_timeline', effect: 'none' });
  const operations = startOperations(engine, call.atMs, subject, steps);
  engine.state.remove('branches', branchId);
  const before = presentBranch(branch);
  noteChange(call, { kind: 'branch', id: branchId, projectId, before, after: null, operations });
  return { branch: before, operations: operations.map(presentOperation) };
}

function requireDeletable(engine: Engine, branch: BranchRecord): void {
  const refuse = (why: string): Refusal => new Refusal(422, `cannot delete ${why}; branch_id:"${branch.id}"`);
  if (branch.isDefault) throw refuse('the default branch');
  if (branch.isProtected) throw refuse('a protected branch');
  for (const other of engine.state.branchesOf.get(branch.projectId))
    if (other.parentId === branch.id) throw refuse('a branch that has children');
}

/** Stores a changed branch and answers with it. */
function changed(
  call: Call,
  before: BranchRecord,
  after: BranchRecord,
  operations: readonly OperationRecord[],
): { readonly branch: Reply; readonly operations: Operation[] } {
  call.engine.state.put('branches', after);
  const shown = presentBranch(after);
  const { id, projectId } = after;
  noteChange(call, { kind: 'branch', id, projectId, before: presentBranch(before), after: shown, operations });
  return { branch: shown, operations: operations.map(presentOperation) };
}
