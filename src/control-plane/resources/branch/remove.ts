// Deletes a branch on request or at its expiry, and recovers it within seven days.
import { isLocked, noteChange, requireUnlocked, type Call, type Changed, type Handler } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { newUuid } from '../engine/naming.ts';
import { Refusal, notFound, notModelled } from '../../core/refusal.ts';
import { SUSPEND, isRunning } from '../compute/rules.ts';
import { noteNewCompute, removeCompute } from '../compute/handlers.ts';
import { presentCompute } from '../compute/record.ts';
import { findBranch, findProject, oldestFirst } from '../find.ts';
import { presentOperation, type OperationRecord } from '../operation/record.ts';
import { startOperations, subjectOf, type Step } from '../operation/life.ts';
import { touchProject } from '../project/background.ts';
import type { ShelfRecord } from '../shelf/record.ts';
import { shelve, unshelve } from '../shelf/rules.ts';
import { presentBranch, type BranchRecord } from './record.ts';
import { requireDeletable, requireFreeName, requireRoomForBranch } from './rules.ts';

const RETRY_MS = 1000;

/** DELETE …/branches/{branch_id}: also deletes its computes. */
export const deleteProjectBranch: Handler<'deleteProjectBranch'> = (call, { hard_delete: isHard }) => {
  const { engine, branch } = call;
  if (isHard === true) throw notModelled('the query parameter hard_delete');
  requireDeletable(engine, branch);
  requireUnlocked(engine, branch.projectId, wholeOf(engine, branch));
  touchProject(engine, branch.projectId, call.atMs);
  const operations = removeBranch(call, branch, 'user');
  const shown = { ...presentBranch(branch), pending_state: 'storage_deleted' };
  return { branch: shown, operations: operations.map(presentOperation) };
};

/** The branch and its computes. Open operations on any of them block deleting or restoring the branch. */
export function wholeOf(engine: Engine, { id: branchId }: BranchRecord): Changed {
  return { branchId, computeIds: engine.live.computes.on.get(branchId).map(({ id }) => id) };
}

function removeBranch(call: Call, branch: BranchRecord, method: ShelfRecord['method']): readonly OperationRecord[] {
  const { engine, atMs } = call;
  const { projectId, id: branchId } = branch;
  const computes = oldestFirst(engine.live.computes.on.get(branchId));
  const steps: Step[] = [];
  for (const compute of computes) {
    if (isRunning(compute)) steps.push({ ...SUSPEND, subject: subjectOf(compute) });
    removeCompute(call, compute);
  }
  steps.push({ action: 'delete_timeline', effect: 'none' });
  const operations = startOperations(engine, atMs, { projectId, branchId }, steps);
  engine.remove('branches', branchId);
  const kept = { id: branchId, kind: 'branch', projectId, branches: [branch], computes } as const;
  const recoverableUntil = shelve(engine, { ...kept, deletedMs: atMs, method });
  const lost = [{ kind: 'branch', id: branchId, recoverableUntil }] as const;
  const before = presentBranch(branch);
  noteChange(call, { kind: 'branch', id: branchId, projectId, before, after: null, operations, lost });
  return operations;
}

/** Deletes a branch at its expiry. Tries again later if open operations block the deletion. */
export function expireBranch(engine: Engine, branchId: string, atMs: number): void {
  const branch = engine.live.branches.get(branchId);
  if (branch?.expiresMs === undefined || branch.expiresMs > atMs) return;
  if (isLocked(engine, branch.projectId, wholeOf(engine, branch))) {
    engine.callAt(atMs + RETRY_MS, () => engine.transact((nowMs) => expireBranch(engine, branchId, nowMs)));
    return;
  }
  const path = `/projects/${branch.projectId}/branches/${branchId}`;
  removeBranch({ engine, atMs, requestId: newUuid(engine.random), verb: 'DELETE', path }, branch, 'ttl');
}

/** POST …/branches/{branch_id}/recover: restores a deleted branch. Its computes are then idle, and the branch has no expiry. */
export const recoverProjectBranch: Handler<'recoverProjectBranch'> = (call, input) => {
  const { engine, atMs } = call;
  const { project_id: projectId, branch_id: branchId } = input;
  findProject(engine, projectId);
  const shelf = engine.live.shelf.get(branchId);
  const [kept] = shelf?.branches ?? [];
  if (shelf?.kind !== 'branch' || shelf.projectId !== projectId || kept === undefined) {
    findBranch(engine, projectId, branchId);
    throw new Refusal(422, `the branch is not deleted; branch_id:"${branchId}"`);
  }
  requireFreeName(engine, projectId, kept.name);
  requireRoomForBranch(engine, projectId, kept.parentId === undefined);
  if (kept.parentId !== undefined && !engine.live.branches.has(kept.parentId)) throw notFound('branch', kept.parentId);
  requireUnlocked(engine, projectId);
  touchProject(engine, projectId, atMs);
  const { expiresMs: _expires, ttlSeconds: _ttl, ...rest } = kept;
  const branch: BranchRecord = { ...rest, currentState: 'ready', stateChangedMs: atMs, updatedMs: atMs };
  const computes = unshelve(engine, { ...shelf, branches: [branch] }, atMs);
  for (const compute of computes) noteNewCompute(call, compute);
  const after = presentBranch(branch);
  const isMade = engine.switches.recoverOperations === 'create_branch';
  const steps: Step[] = isMade ? [{ action: 'create_branch', effect: 'none' }] : [];
  const operations = startOperations(engine, atMs, { projectId, branchId }, steps);
  noteChange(call, { kind: 'branch', id: branchId, projectId, before: null, after, operations });
  const told = isMade ? { operations: operations.map(presentOperation) } : {};
  return { branch: after, endpoints: computes.map(presentCompute), ...told };
};
