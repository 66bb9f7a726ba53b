// Updates, deletes and recovers a project; also lists shared projects and preload libraries.
import { type Handler, noteChange, requireUnlocked, type Call } from '../engine/call.ts';
import { findProject, oldestFirst } from '../find.ts';
import { showProject, wholeProject } from './list.ts';
import { preloadLibraries, mergedSettings, requireDefaults, requireHistory, requireValidSettings } from './settings.ts';
import type { ProjectUpdateRequest } from '../../../api/index.ts';
import { Refusal } from '../../core/refusal.ts';
import type { Lost } from '../../core/store.ts';
import { presentBranch } from '../branch/record.ts';
import { SUSPEND, isRunning } from '../compute/rules.ts';
import { noteNewCompute, removeCompute } from '../compute/handlers.ts';
import { presentOperation } from '../operation/record.ts';
import { startOperations, subjectOf, type Step } from '../operation/life.ts';
import { shelve, unshelve } from '../shelf/rules.ts';
import type { ProjectRecord } from './record.ts';
import { watchQuota } from './background.ts';

export { createProject } from './create.ts';
export { getProject, listProjects } from './list.ts';

/** Always empty: the one account of this server has nobody who shares a project with it. */
export const listSharedProjects: Handler<'listSharedProjects'> = () => ({ projects: [] });

export const getAvailablePreloadLibraries: Handler<'getAvailablePreloadLibraries'> = () => ({
  libraries: preloadLibraries,
});

/** PATCH /projects/{project_id}. Any sent history length starts an operation; enabling logical replication suspends computes. */
export const updateProject: Handler<'updateProject'> = (call, { project_id: projectId, body }) => {
  const { engine, project } = call;
  const { project: sent } = body;
  const after = changedProject(call, project, sent);
  requireUnlocked(engine, projectId);
  const shownBefore = wholeProject(engine, projectId);
  engine.put('projects', after);
  watchQuota(engine, projectId, call.atMs);
  const isStored = sent.history_retention_seconds !== undefined;
  const steps: Step[] = isStored ? [{ action: 'apply_storage_config', effect: 'none' }] : [];
  const replicates = after.settings?.enable_logical_replication === true;
  const suspends = replicates && project.settings?.enable_logical_replication !== true;
  const running = suspends ? oldestFirst(engine.live.computes.of.get(projectId)).filter(isRunning) : [];
  const suspended = running.map((compute) => ({ ...SUSPEND, subject: subjectOf(compute) }));
  const operations = startOperations(engine, call.atMs, { projectId }, [...steps, ...suspended]);
  const shown = wholeProject(engine, projectId);
  const isShorter = after.historyRetentionSeconds < project.historyRetentionSeconds;
  const lost: Lost[] = isShorter ? [{ kind: 'history', id: projectId }] : [];
  const noted = { before: shownBefore, after: shown, operations, droppedConnections: running.length > 0, lost };
  noteChange(call, { kind: 'project', id: projectId, projectId, ...noted });
  return { project: shown, operations: operations.map(presentOperation) };
};

function changedProject(
  { engine, atMs }: Call,
  before: ProjectRecord,
  sent: ProjectUpdateRequest['project'],
): ProjectRecord {
  const settings = mergedSettings(before.settings ?? {}, sent.settings);
  requireValidSettings(engine, before.settings ?? {}, settings);
  const defaults = { ...before.defaultEndpointSettings, ...sent.default_endpoint_settings };
  if (sent.default_endpoint_settings !== undefined) requireDefaults(engine, defaults);
  if (sent.history_retention_seconds !== undefined) requireHistory(engine, sent.history_retention_seconds);
  return {
    ...before,
    name: sent.name ?? before.name,
    historyRetentionSeconds: sent.history_retention_seconds ?? before.historyRetentionSeconds,
    settings,
    ...(Object.keys(defaults).length === 0 ? {} : { defaultEndpointSettings: defaults }),
    updatedMs: atMs,
  };
}

/** DELETE /projects/{project_id}: deletes all its resources at once, and the stored data by an operation. */
export const deleteProject: Handler<'deleteProject'> = (call, { project_id: projectId }) => {
  const { engine, atMs } = call;
  const branches = oldestFirst(engine.live.branches.of.get(projectId));
  const guarded = branches.find(({ isProtected }) => isProtected);
  if (guarded !== undefined)
    throw new Refusal(
      engine.switches.refusedDelete,
      `a project with a protected branch cannot be deleted; branch_id:"${guarded.id}"`,
    );
  requireUnlocked(engine, projectId);
  const shown = showProject(engine, call.project);
  const computes = oldestFirst(engine.live.computes.of.get(projectId));
  for (const compute of computes) removeCompute(call, compute);
  for (const branch of branches) {
    engine.remove('branches', branch.id);
    noteChange(call, { kind: 'branch', id: branch.id, projectId, before: presentBranch(branch), after: null });
  }
  const operations = startOperations(engine, atMs, { projectId }, [{ action: 'delete_tenant', effect: 'none' }]);
  // Read only now: the removal of the computes has counted their usage.
  const project = findProject(engine, projectId);
  engine.remove('projects', projectId);
  const kept = { id: projectId, kind: 'project', projectId, project, branches, computes } as const;
  const lost: Lost[] = [
    { kind: 'project', id: projectId, recoverableUntil: shelve(engine, { ...kept, deletedMs: atMs, method: 'user' }) },
  ];
  noteChange(call, { kind: 'project', id: projectId, projectId, before: shown, after: null, operations, lost });
  return { project: shown };
};

/** POST /projects/{project_id}/recover: restores the project's branches, settings and computes, which are idle. */
export const recoverProject: Handler<'recoverProject'> = (call, { project_id: projectId }) => {
  const { engine, atMs } = call;
  const shelf = engine.live.shelf.get(projectId);
  if (shelf?.kind !== 'project') {
    findProject(engine, projectId);
    throw new Refusal(422, `the project is not deleted; project_id:"${projectId}"`);
  }
  const computes = unshelve(engine, shelf, atMs);
  for (const branch of shelf.branches)
    noteChange(call, { kind: 'branch', id: branch.id, projectId, before: null, after: presentBranch(branch) });
  for (const compute of computes) noteNewCompute(call, compute);
  const project = wholeProject(engine, projectId);
  noteChange(call, { kind: 'project', id: projectId, projectId, before: null, after: project });
  return { project, branches: shelf.branches.map(presentBranch) };
};
