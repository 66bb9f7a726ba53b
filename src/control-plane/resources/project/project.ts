// Projects: the list in pages, one, create with a default branch and its primary, update, delete; and their routes.
import type { ProjectCreateRequest, ProjectListItem, ProjectUpdateRequest } from '../../../api/index.ts';
import { noteChange, requireUnlocked } from '../../engine/call.ts';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { newId } from '../../engine/naming.ts';
import { badRequest } from '../../engine/refusal.ts';
import { created, ok, param } from '../../http/route.ts';
import type { QueryParameter, ReplyBody, Route } from '../../http/route.ts';
import { birthReply, bornWith } from '../branch/birth.ts';
import { presentBranch } from '../branch/record.ts';
import type { BranchRecord } from '../branch/record.ts';
import { takeAway } from '../compute/compute.ts';
import { findProject, oldestFirst } from '../find.ts';
import { presentOperation } from '../operation/record.ts';
import { startOperations } from '../operation/start.ts';
import { presentProject } from './record.ts';
import type { ProjectRecord } from './record.ts';
import { nextCheckMs } from './table.ts';

export interface ProjectQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
}

/** A project as lists show it; locked while operations of it are open. */
function showProject(engine: Engine, project: ProjectRecord): ProjectListItem {
  const locked = engine.live.operations.of.count(project.id) > 0;
  return presentProject(project, locked, engine.state.meta.account.id);
}

/** GET /projects: in pages, oldest first. */
function listProjects(engine: Engine, query: ProjectQuery): Record<string, unknown> {
  const wanted = query.search?.toLowerCase();
  const matches = (item: ProjectRecord): boolean =>
    wanted === undefined || item.name.toLowerCase().includes(wanted) || item.id.includes(wanted);
  const all = oldestFirst(engine.live.projects.values()).filter(matches);
  const pageSize = engine.switches.projectsPageSize;
  const limit = query.limit ?? (pageSize === 'all' ? all.length : pageSize);
  const begin = query.cursor === undefined ? 0 : indexAfter(all, query.cursor);
  const page = all.slice(begin, begin + limit);
  const last = page.at(-1);
  const isLast = begin + limit >= all.length;
  const projects = page.map((project) => showProject(engine, project));
  const shown = last !== undefined && !(isLast && engine.switches.projectsLastCursor === 'absent');
  return { projects, ...(shown ? { pagination: { cursor: cursorOf(last) } } : {}) };
}

function cursorOf(project: ProjectRecord): string {
  return Buffer.from(`${project.createdMs} ${project.id}`).toString('base64url');
}

/** Index of the first project after the cursor's, which may be gone by now. */
function indexAfter(all: readonly ProjectRecord[], cursor: string): number {
  const [createdText = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const createdMs = Number(createdText);
  if (id === '' || !Number.isFinite(createdMs)) throw badRequest('invalid cursor');
  const at = all.findIndex((item) => item.createdMs > createdMs || (item.createdMs === createdMs && item.id > id));
  return at === -1 ? all.length : at;
}

/** GET /projects/{project_id}. */
function getProject(engine: Engine, projectId: string): Record<string, unknown> {
  const project = findProject(engine, projectId);
  return { ...showProject(engine, project), history_retention_seconds: project.historyRetentionSeconds };
}

/** POST /projects: the default branch gets a primary read-write compute (structure rule 2). */
function createProject(call: Call, asked: ProjectCreateRequest['project']): ReplyBody {
  const { engine, atMs } = call;
  const id = newId(engine.random, '', engine.live.projects);
  const project = newProject(call, id, asked);
  engine.state.put('projects', project);
  engine.watch('projects', id);
  const times = { createdMs: atMs, updatedMs: atMs };
  const owner = asked.branch?.role_name ?? 'owner';
  const branch: BranchRecord = {
    id: newId(engine.random, 'br-', engine.live.branches),
    projectId: id,
    name: asked.branch?.name ?? 'main',
    isDefault: true,
    isProtected: false,
    currentState: 'init',
    stateChangedMs: atMs,
    ...times,
    roles: [{ name: owner, isProtected: false, passwordVersion: 1, ...times }],
    databases: [{ id: 1, name: asked.branch?.database_name ?? 'maindb', ownerName: owner, ...times }],
  };
  engine.state.put('branches', branch);
  noteChange(call, { kind: 'branch', id: branch.id, projectId: id, before: null, after: presentBranch(branch) });
  const primary = { branch_id: branch.id, type: 'read_write' };
  const made = bornWith(call, branch, [primary], { action: 'create_timeline', effect: 'branch_ready' });
  const shown = getProject(engine, id);
  const noted = { before: null, after: shown, operations: made.operations };
  noteChange(call, { kind: 'project', id, projectId: id, ...noted });
  return { project: shown, ...birthReply(engine, branch, made) };
}

function newProject(call: Call, id: string, asked: ProjectCreateRequest['project']): ProjectRecord {
  const checkMs = nextCheckMs(call.engine.switches, call.atMs);
  return {
    id,
    name: asked.name ?? id,
    platformId: 'aws',
    regionId: asked.region_id ?? 'aws-us-east-2',
    provisioner: 'k8s-neonvm',
    pgVersion: asked.pg_version ?? 17,
    cpuUsedSec: 0,
    branchLogicalSizeLimit: 204_800,
    historyRetentionSeconds: asked.history_retention_seconds ?? 86_400,
    createdMs: call.atMs,
    updatedMs: call.atMs,
    activityMs: call.atMs,
    detached: false,
    ...(checkMs === undefined ? {} : { nextCheckMs: checkMs }),
  };
}

/** PATCH /projects/{project_id}: a changed history retention is applied to storage by an operation. */
function updateProject(
  call: Call,
  projectId: string,
  sent: { readonly name?: string; readonly history_retention_seconds?: number },
): ReplyBody {
  const { engine } = call;
  const project = findProject(engine, projectId);
  requireUnlocked(engine, projectId);
  const before = getProject(engine, projectId);
  const after = {
    ...project,
    name: sent.name ?? project.name,
    historyRetentionSeconds: sent.history_retention_seconds ?? project.historyRetentionSeconds,
    updatedMs: call.atMs,
  };
  engine.state.put('projects', after);
  const stored = after.historyRetentionSeconds !== project.historyRetentionSeconds;
  const steps = stored ? [{ action: 'apply_storage_config', effect: 'none' as const }] : [];
  const operations = startOperations(engine, call.atMs, { projectId }, steps);
  const shown = getProject(engine, projectId);
  noteChange(call, { kind: 'project', id: projectId, projectId, before, after: shown, operations });
  return { project: shown, operations: operations.map(presentOperation) };
}

/** DELETE /projects/{project_id}: with all it has; the stored data is deleted by an operation. */
function deleteProject(call: Call, projectId: string): ReplyBody {
  const { engine } = call;
  const project = findProject(engine, projectId);
  requireUnlocked(engine, projectId);
  const shown = showProject(engine, project);
  for (const compute of oldestFirst(engine.live.computes.of.get(projectId))) takeAway(call, compute);
  for (const branch of oldestFirst(engine.live.branches.of.get(projectId))) {
    engine.state.remove('branches', branch.id);
    noteChange(call, { kind: 'branch', id: branch.id, projectId, before: presentBranch(branch), after: null });
  }
  const steps = [{ action: 'delete_tenant', effect: 'none' as const }];
  const operations = startOperations(engine, call.atMs, { projectId }, steps);
  engine.state.remove('projects', projectId);
  noteChange(call, { kind: 'project', id: projectId, projectId, before: shown, after: null, operations });
  return { project: shown };
}

const LIST_QUERY: readonly QueryParameter[] = [
  { name: 'cursor', type: 'string', description: 'Cursor of the page before.' },
  { name: 'limit', type: 'integer', minimum: 1, maximum: 400, description: 'Projects per page.' },
  { name: 'search', type: 'string', description: 'Part of the name or id.' },
  { name: 'org_id', type: 'string', description: 'Organization; accepted and ignored, there is one account.' },
  { name: 'timeout', type: 'integer', minimum: 100, maximum: 30_000, description: 'Accepted and ignored.' },
  { name: 'recoverable', type: 'boolean', description: 'Accepted and ignored.' },
];

export const projectRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/projects',
    id: 'listProjects',
    tag: 'Projects',
    summary: 'List the projects of the account, in pages',
    query: LIST_QUERY,
    replies: { 200: 'ServedProjectList' },
    run: (call, input) => ok(listProjects(call.engine, input.query)),
  },
  {
    method: 'GET',
    path: '/projects/shared',
    id: 'listSharedProjects',
    tag: 'Projects',
    summary: 'List projects shared with the account: none',
    query: LIST_QUERY,
    replies: { 200: 'ServedProjectList' },
    run: () => ok({ projects: [] }),
  },
  {
    method: 'GET',
    path: '/projects/{project_id}',
    id: 'getProject',
    tag: 'Projects',
    summary: 'One project',
    replies: { 200: 'ProjectReply' },
    run: (call, input) => ok({ project: getProject(call.engine, param(input, 'project_id')) }),
  },
  {
    method: 'POST',
    path: '/projects',
    id: 'createProject',
    tag: 'Projects',
    summary: 'Create a project with a default branch and its primary compute',
    body: 'ProjectCreateRequest',
    replies: { 201: 'ProjectCreatedReply' },
    run: (call, input) => created(createProject(call, (input.body as ProjectCreateRequest).project)),
  },
  {
    method: 'PATCH',
    path: '/projects/{project_id}',
    id: 'updateProject',
    tag: 'Projects',
    summary: 'Rename a project or change its history retention',
    body: 'ProjectUpdateRequest',
    replies: { 200: 'ProjectOperationsReply' },
    run: (call, input) =>
      ok(updateProject(call, param(input, 'project_id'), (input.body as ProjectUpdateRequest).project)),
  },
  {
    method: 'DELETE',
    path: '/projects/{project_id}',
    id: 'deleteProject',
    tag: 'Projects',
    summary: 'Delete a project with all it has',
    replies: { 200: 'ProjectReply' },
    run: (call, input) => ok(deleteProject(call, param(input, 'project_id'))),
  },
];
