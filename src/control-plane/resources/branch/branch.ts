// Branches: list, get, create, update, delete, and which one is the default; and their routes.
import type { BranchCreateRequest, BranchUpdateRequest, Operation } from '../../../api/index.ts';
import { noteChange, requireUnlocked } from '../../engine/call.ts';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { newId } from '../../engine/naming.ts';
import { Refusal, badRequest } from '../../engine/refusal.ts';
import { created, ok, okOrNothing, param } from '../../http/route.ts';
import type { ReplyBody, Route } from '../../http/route.ts';
import { SUSPEND, isRunning } from '../compute/change.ts';
import { requireValidNew, takeAway } from '../compute/compute.ts';
import type { NewCompute } from '../compute/compute.ts';
import { findBranch, findProject, oldestFirst } from '../find.ts';
import { presentOperation } from '../operation/record.ts';
import type { OperationRecord } from '../operation/record.ts';
import { startOperations } from '../operation/start.ts';
import type { Step, Subject } from '../operation/start.ts';
import { touchProject } from '../project/background.ts';
import { birthReply, bornWith } from './birth.ts';
import { idsOf } from './contents.ts';
import { presentBranch } from './record.ts';
import type { BranchRecord } from './record.ts';

export interface BranchQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
  readonly sort_by?: string;
  readonly sort_order?: string;
}

const SORT_FIELDS = { name: 'name', created_at: 'createdMs', updated_at: 'updatedMs' } as const;

/** GET …/branches: pages with `next`. */
function listBranches(engine: Engine, projectId: string, query: BranchQuery): ReplyBody {
  findProject(engine, projectId);
  const sortBy = (query.sort_by ?? 'updated_at') as keyof typeof SORT_FIELDS;
  const order = query.sort_order ?? 'desc';
  const field = SORT_FIELDS[sortBy];
  const wanted = query.search?.toLowerCase();
  const matches = oldestFirst(engine.live.branches.of.get(projectId)).filter(
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
function createBranch(call: Call, projectId: string, request: BranchCreateRequest): ReplyBody {
  const { engine } = call;
  const project = findProject(engine, projectId);
  const { branch: asked = {}, endpoints = [] } = request;
  const parent =
    asked.parent_id === undefined ? defaultBranch(engine, projectId) : findBranch(engine, projectId, asked.parent_id);
  const id = newId(engine.random, 'br-', engine.live.branches);
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

function defaultBranch(engine: Engine, projectId: string): BranchRecord | undefined {
  for (const branch of engine.live.branches.of.get(projectId)) if (branch.isDefault) return branch;
  return undefined;
}

function requireFreeName(engine: Engine, projectId: string, name: string, except?: string): void {
  for (const other of engine.live.branches.of.get(projectId))
    if (other.name === name && other.id !== except)
      throw new Refusal(engine.switches.conflictStatus, `a branch with this name exists; branch_id:"${other.id}"`, {
        code: 'BRANCH_ALREADY_EXISTS',
      });
}

/** PATCH …/branches/{branch_id}: name and protection; no operation is needed. */
function updateBranch(
  call: Call,
  projectId: string,
  branchId: string,
  sent: { readonly name?: string; readonly protected?: boolean },
): ReplyBody {
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
function setDefaultBranch(call: Call, projectId: string, branchId: string): ReplyBody {
  const { engine } = call;
  const before = findBranch(engine, projectId, branchId);
  requireUnlocked(engine, projectId);
  const previous = defaultBranch(engine, projectId);
  if (previous !== undefined && previous.id !== branchId)
    changed(call, previous, { ...previous, isDefault: false, updatedMs: call.atMs }, []);
  return changed(call, before, { ...before, isDefault: true, updatedMs: call.atMs }, []);
}

/** DELETE …/branches/{branch_id}: with its computes. Undefined when there is none and none is missed. */
function deleteBranch(call: Call, projectId: string, branchId: string): ReplyBody | undefined {
  const { engine } = call;
  findProject(engine, projectId);
  if (engine.switches.missingDelete === 204 && engine.live.branches.get(branchId)?.projectId !== projectId)
    return undefined;
  const branch = findBranch(engine, projectId, branchId);
  requireDeletable(engine, branch);
  requireUnlocked(engine, projectId);
  touchProject(engine, projectId, call.atMs);
  const subject: Subject = { projectId, branchId };
  const steps: Step[] = [];
  for (const compute of oldestFirst(engine.live.computes.on.get(branchId))) {
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
  for (const other of engine.live.branches.of.get(branch.projectId))
    if (other.parentId === branch.id) throw refuse('a branch that has children');
}

/** Stores a changed branch and answers with it. */
function changed(
  call: Call,
  before: BranchRecord,
  after: BranchRecord,
  operations: readonly OperationRecord[],
): { readonly branch: ReplyBody; readonly operations: Operation[] } {
  call.engine.state.put('branches', after);
  const shown = presentBranch(after);
  const { id, projectId } = after;
  noteChange(call, { kind: 'branch', id, projectId, before: presentBranch(before), after: shown, operations });
  return { branch: shown, operations: operations.map(presentOperation) };
}

const BASE = '/projects/{project_id}/branches';
const ONE = `${BASE}/{branch_id}`;

export const branchRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: BASE,
    id: 'listProjectBranches',
    tag: 'Branches',
    summary: 'List the branches of a project',
    query: [
      { name: 'search', type: 'string', description: 'Part of the name or id.' },
      { name: 'sort_by', type: 'string', oneOf: ['name', 'created_at', 'updated_at'], description: 'Sort field.' },
      { name: 'sort_order', type: 'string', oneOf: ['asc', 'desc'], description: 'Sort order.' },
      { name: 'cursor', type: 'string', description: 'The `next` of the page before.' },
      { name: 'limit', type: 'integer', minimum: 1, maximum: 10_000, description: 'Branches per page.' },
      { name: 'include_deleted', type: 'boolean', description: 'Accepted and ignored.' },
    ],
    replies: { 200: 'BranchList' },
    run: (call, input) => ok(listBranches(call.engine, param(input, 'project_id'), input.query)),
  },
  {
    method: 'POST',
    path: BASE,
    id: 'createProjectBranch',
    tag: 'Branches',
    summary: 'Create a branch, with computes if asked',
    body: 'BranchCreateRequest',
    bodyOptional: true,
    replies: { 201: 'BranchCreatedReply' },
    run: (call, input) => created(createBranch(call, param(input, 'project_id'), input.body as BranchCreateRequest)),
  },
  {
    method: 'GET',
    path: `${BASE}/count`,
    id: 'countProjectBranches',
    tag: 'Branches',
    summary: 'Count the branches of a project',
    replies: { 200: 'BranchCount' },
    run: (call, input) => {
      const { id } = findProject(call.engine, param(input, 'project_id'));
      return ok({ count: call.engine.live.branches.of.count(id) });
    },
  },
  {
    method: 'GET',
    path: ONE,
    id: 'getProjectBranch',
    tag: 'Branches',
    summary: 'One branch',
    replies: { 200: 'BranchReply' },
    run: (call, input) => ok({ branch: presentBranch(findBranch(call.engine, ...idsOf(input))), annotation: {} }),
  },
  {
    method: 'PATCH',
    path: ONE,
    id: 'updateProjectBranch',
    tag: 'Branches',
    summary: 'Rename or protect a branch',
    body: 'BranchUpdateRequest',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => ok(updateBranch(call, ...idsOf(input), (input.body as BranchUpdateRequest).branch)),
  },
  {
    method: 'DELETE',
    path: ONE,
    id: 'deleteProjectBranch',
    tag: 'Branches',
    summary: 'Delete a branch with its computes',
    replies: { 200: 'BranchOperationsReply', 204: null },
    run: (call, input) => okOrNothing(deleteBranch(call, ...idsOf(input))),
  },
  {
    method: 'POST',
    path: `${ONE}/set_as_default`,
    id: 'setDefaultProjectBranch',
    tag: 'Branches',
    summary: 'Make a branch the default',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => ok(setDefaultBranch(call, ...idsOf(input))),
  },
];
