// Changes of a branch that need no operation: its name, protection and expiry, and the choice of the default branch.
import type { Operation } from '../../../api/index.ts';
import { noteChange, requireUnlocked, type Call, type Handler, type Noted, type ReplyBody } from '../engine/call.ts';
import { badRequest } from '../../core/refusal.ts';
import { defaultBranch } from '../find.ts';
import { presentOperation, type OperationRecord } from '../operation/record.ts';
import { presentBranch, type BranchRecord } from './record.ts';
import { expiryOf, requireFreeName, requireMayExpire, requireRoomForProtected } from './rules.ts';

export const updateProjectBranch: Handler<'updateProjectBranch'> = (call, input) => {
  const { engine, atMs, branch: before } = call;
  const { id: branchId, projectId } = before;
  const sent = input.body.branch;
  if (sent.name === before.name)
    throw badRequest(`cannot set branch to the same name; name:${JSON.stringify(sent.name)}`);
  if (sent.name !== undefined) requireFreeName(engine, projectId, sent.name, branchId);
  const after = {
    ...withExpiry(call, before, sent.expires_at),
    name: sent.name ?? before.name,
    isProtected: sent.protected ?? before.isProtected,
    updatedMs: atMs,
  };
  if (after.isProtected && !before.isProtected) requireRoomForProtected(engine, projectId);
  requireMayExpire(engine, after);
  requireUnlocked(engine, projectId);
  return changed(call, before, after);
};

function withExpiry(call: Call, before: BranchRecord, sent: string | null | undefined): BranchRecord {
  if (sent === undefined) return before;
  const { expiresMs: _expires, ttlSeconds: _ttl, ...rest } = before;
  return sent === null ? rest : { ...rest, ...expiryOf(call.engine, sent, call.atMs) };
}

export const setDefaultProjectBranch: Handler<'setDefaultProjectBranch'> = (call) => {
  const { engine, branch: before } = call;
  const { id: branchId, projectId } = before;
  const after = { ...before, isDefault: true, updatedMs: call.atMs };
  requireMayExpire(engine, after);
  requireUnlocked(engine, projectId);
  const previous = defaultBranch(engine, projectId);
  if (previous !== undefined && previous.id !== branchId)
    changed(call, previous, { ...previous, isDefault: false, updatedMs: call.atMs });
  return changed(call, before, after);
};

type More = Pick<Noted, 'droppedConnections' | 'lost'> & { readonly operations?: readonly OperationRecord[] };

export function changed(
  call: Call,
  before: BranchRecord,
  after: BranchRecord,
  { operations = [], ...more }: More = {},
): { readonly branch: ReplyBody; readonly operations: Operation[] } {
  call.engine.put('branches', after);
  const shown = presentBranch(after);
  const { id, projectId } = after;
  noteChange(call, { kind: 'branch', id, projectId, before: presentBranch(before), after: shown, operations, ...more });
  return { branch: shown, operations: operations.map(presentOperation) };
}
