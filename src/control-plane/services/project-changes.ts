// Changes to projects: create with a default branch and its primary, update, delete.
import type { ProjectCreateRequest } from '../../api/index.ts';
import { noteChange, requireUnlocked } from '../engine/call.ts';
import type { Call } from '../engine/call.ts';
import { nextCheckMs } from '../engine/due-times.ts';
import { newBranchId, newProjectId } from '../engine/naming.ts';
import { startOperations } from '../operation-start.ts';
import { presentBranch, presentOperation } from '../present.ts';
import type { BranchRecord, ProjectRecord } from '../records.ts';
import { birthReply, bornWith } from './branches.ts';
import { takeAway } from './computes.ts';
import { findProject, oldestFirst } from './lookups.ts';
import { getProject, showProject } from './projects.ts';

type Reply = Record<string, unknown>;

/** POST /projects: the default branch gets a primary read-write compute (structure rule 2). */
export function createProject(call: Call, asked: ProjectCreateRequest['project']): Reply {
  const { engine, atMs } = call;
  const id = newProjectId(engine.random, (taken) => engine.state.projects.has(taken));
  const project = newProject(call, id, asked);
  engine.state.put('projects', project);
  engine.watchDetach(id);
  engine.watchCheck(id);
  const times = { createdMs: atMs, updatedMs: atMs };
  const owner = asked.branch?.role_name ?? 'owner';
  const branch: BranchRecord = {
    id: newBranchId(engine.random, (taken) => engine.state.branches.has(taken)),
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
export function updateProject(
  call: Call,
  projectId: string,
  sent: { readonly name?: string; readonly history_retention_seconds?: number },
): Reply {
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
export function deleteProject(call: Call, projectId: string): Reply {
  const { engine } = call;
  const project = findProject(engine, projectId);
  requireUnlocked(engine, projectId);
  const shown = showProject(engine, project);
  for (const compute of oldestFirst(engine.state.computesOf.get(projectId))) takeAway(call, compute);
  for (const branch of oldestFirst(engine.state.branchesOf.get(projectId))) {
    engine.state.remove('branches', branch.id);
    noteChange(call, { kind: 'branch', id: branch.id, projectId, before: presentBranch(branch), after: null });
  }
  const steps = [{ action: 'delete_tenant', effect: 'none' as const }];
  const operations = startOperations(engine, call.atMs, { projectId }, steps);
  engine.state.remove('projects', projectId);
  noteChange(call, { kind: 'project', id: projectId, projectId, before: shown, after: null, operations });
  return { project: shown };
}
