// Restore: a branch gets the state of another branch, or an earlier state of its own; its id, name and hosts stay.
import { noteChange, requireUnlocked, type Call, type Handler } from '../engine/call.ts';
import { newId, newUuid } from '../engine/naming.ts';
import { Refusal } from '../../core/refusal.ts';
import { SUSPEND, isRunning } from '../compute/rules.ts';
import { changedContents, contentsAt, type Contents } from '../contents/record.ts';
import { findBranch, oldestFirst } from '../find.ts';
import { startOperations, subjectOf, type Step } from '../operation/life.ts';
import { touchProject } from '../project/background.ts';
import type { ProjectRecord } from '../project/record.ts';
import { changed } from './change.ts';
import {
  askedMoment,
  lsnAt,
  requireInHistory,
  badExpiry,
  firstRootOf,
  requireFreeName,
  requireFromNow,
  requireRoomForBranch,
} from './rules.ts';
import { presentBranch, timelineOf, type BranchRecord } from './record.ts';
import { wholeOf } from './remove.ts';

interface RestoreRequest {
  readonly target: BranchRecord;
  readonly source: BranchRecord;
  readonly momentMs: number | undefined;
  readonly preserveName: string | undefined;
}

export const restoreProjectBranch: Handler<'restoreProjectBranch'> = (call, input) => {
  const { project_id: projectId, branch_id: branchId, body: asked } = input;
  const { engine, atMs, project, branch: target } = call;
  const source = findBranch(engine, projectId, asked.source_branch_id);
  const momentMs = askedMoment(project, { lsn: 'source_lsn', timestamp: 'source_timestamp' }, { ...asked });
  const request = { target, source, momentMs, preserveName: asked.preserve_under_name };
  if (engine.works !== undefined) requireFromNow(momentMs);
  requireRestorable(call, request);
  requireUnlocked(engine, projectId, wholeOf(engine, target));
  const computes = oldestFirst(engine.live.computes.on.get(branchId));
  touchProject(engine, projectId, atMs);
  const preserved =
    request.preserveName === undefined ? undefined : preserve(call, target, source, request.preserveName);
  // The restored branch gets new data. Its old data stays, because a preserving branch may use it.
  const timeline = { id: `tl-${newUuid(engine.random)}`, from: timelineOf(source) };
  const after = { ...restored(call, project, request), timeline };
  const running = computes.filter(isRunning);
  const suspends = running.map((compute): Step => ({ ...SUSPEND, subject: subjectOf(compute) }));
  const deletes: Step[] = preserved === undefined ? [{ action: 'delete_timeline', effect: 'none' }] : [];
  const steps = [...suspends, { action: 'create_branch', effect: 'branch_ready' }, ...deletes];
  const operations = startOperations(engine, atMs, { projectId, branchId }, steps);
  const lost = preserved === undefined ? [{ kind: 'branch' as const, id: branchId }] : [];
  return changed(call, target, after, { operations, droppedConnections: running.length > 0, lost });
};

function requireRestorable(call: Call, { target, source, momentMs, preserveName }: RestoreRequest): void {
  const { engine, atMs } = call;
  const refuse = (why: string): Refusal =>
    new Refusal(engine.switches.refusedRestore, `${why}; branch_id:"${target.id}"`);
  const isSelf = source.id === target.id;
  if (target.isProtected) throw refuse('a protected branch cannot be restored');
  if (isSelf && (momentMs === undefined || preserveName === undefined))
    throw refuse('a branch is restored to its own history with a moment and preserve_under_name');
  if (source.currentState === 'init' || target.currentState === 'init')
    throw new Refusal(423, `the branch is being created by a running operation; branch_id:"${target.id}"`);
  if (momentMs !== undefined) {
    const isPastOfRoot = target.parentId === undefined && source.parentId === undefined;
    if (!isPastOfRoot) throw refuse('only root branches can be restored to an earlier moment');
    requireInHistory(engine, source, momentMs, atMs);
  }
  if (preserveName === undefined && engine.live.branches.children.count(target.id) > 0)
    throw refuse('a branch that has children is restored with preserve_under_name, under which they stay');
  if (!isSelf && source.id !== target.parentId && source.expiresMs !== undefined)
    throw badExpiry(engine, `a branch that expires cannot have children; branch_id:"${source.id}"`);
  if (preserveName === undefined) return;
  requireFreeName(engine, target.projectId, preserveName);
  requireRoomForBranch(engine, target.projectId, target.parentId === undefined);
}

function preserve(call: Call, target: BranchRecord, source: BranchRecord, name: string): BranchRecord {
  const { engine, atMs } = call;
  const { projectId } = target;
  const { expiresMs: _expires, ttlSeconds: _ttl, annotations: _annotations, lastResetMs: _reset, ...rest } = target;
  const { isFirstRoot: _first, ...own } = rest;
  // If the first root branch is restored from another branch, the branch that preserves its old state becomes first root.
  const isFirstRoot = source.id !== target.id && firstRootOf(engine, projectId)?.id === target.id;
  const branch: BranchRecord = {
    ...own,
    timeline: { id: timelineOf(target), from: timelineOf(target) },
    ...(isFirstRoot ? { isFirstRoot } : {}),
    id: newId(engine.random, 'br-', engine.live.branches),
    name,
    isDefault: false,
    currentState: 'ready',
    createdMs: atMs,
    stateChangedMs: atMs,
    updatedMs: atMs,
  };
  engine.put('branches', branch);
  noteChange(call, { kind: 'branch', id: branch.id, projectId, before: null, after: presentBranch(branch) });
  for (const child of oldestFirst(engine.live.branches.children.get(target.id)))
    changed(call, child, { ...child, parentId: branch.id, updatedMs: atMs });
  return branch;
}

/** The branch with its restored state. Its time to expiry starts again. */
function restored({ atMs }: Call, project: ProjectRecord, { target, source, momentMs }: RestoreRequest): BranchRecord {
  const fromMs = momentMs ?? atMs;
  const keptSinceMs = atMs - project.historyRetentionSeconds * 1000;
  const contents = takenOver(target, contentsAt(source, fromMs), atMs);
  const changes = {
    ...(target.ttlSeconds === undefined ? {} : { expiresMs: atMs + target.ttlSeconds * 1000 }),
    currentState: 'resetting',
    stateChangedMs: atMs,
    lastResetMs: atMs,
    updatedMs: atMs,
  } as const;
  const refilled = changedContents(target, contents, { atMs, keptSinceMs });
  if (source.id === target.id) return { ...refilled, ...changes };
  const { isFirstRoot: _first, initSource: _source, ...rest } = refilled;
  return {
    ...rest,
    parentId: source.id,
    parentMs: fromMs,
    parentLsn: lsnAt(project, fromMs),
    ...changes,
  };
}

/** Roles that the branch already has keep their stored passwords; all other roles get the passwords of the source. */
function takenOver(target: BranchRecord, { roles, databases }: Contents, atMs: number): Contents {
  return {
    roles: roles.map((role) => {
      const own = target.roles.find(({ name }) => name === role.name);
      return { ...role, ...(own?.password === undefined ? {} : { password: own.password }), sinceMs: atMs };
    }),
    databases: databases.map((database) => ({ ...database, sinceMs: atMs })),
  };
}
