// A new branch: a copy of its parent, now or at an earlier moment, or of the parent's schema only.
import type { Secret } from '../../../base/secret.ts';
import { noteChange, requireUnlocked, type Call, type Handler, type ReplyBody } from '../engine/call.ts';
import type { Engine, OperationHook } from '../engine/engine.ts';
import { newId } from '../engine/naming.ts';
import { Refusal } from '../../core/refusal.ts';
import { contentsAt, type Contents, presentDatabase, presentRole } from '../contents/record.ts';
import { keptOf, newPassword } from '../contents/role.ts';
import { defaultBranch, findBranch } from '../find.ts';
import { touchProject } from '../project/background.ts';
import {
  askedMoment,
  lsnAt,
  requireInHistory,
  badExpiry,
  expiryOf,
  requireFreeName,
  requireFromNow,
  requireInitSource,
  requireMayExpire,
  requireRoomForBranch,
  requireRoomForProtected,
} from './rules.ts';
import { type BranchRecord, presentBranch } from './record.ts';
import { START } from '../compute/rules.ts';
import { addCompute, noteNewCompute, requireValidNew, type NewCompute } from '../compute/handlers.ts';
import { presentCompute, type ComputeRecord } from '../compute/record.ts';
import { connectionDetails } from '../contents/connection-uri.ts';
import { presentOperation, type OperationRecord } from '../operation/record.ts';
import { startOperations, subjectOf, type Step } from '../operation/life.ts';
import type { ProjectRecord } from '../project/record.ts';

export const createProjectBranch: Handler<'createProjectBranch'> = (call, { project_id: projectId, body }) => {
  const { engine, atMs, project } = call;
  const { branch: asked = {}, endpoints = [], annotation_value: annotations } = body;
  const parentId = asked.parent_id || defaultBranch(engine, projectId)?.id;
  const parent = findBranch(engine, projectId, parentId ?? '');
  const momentMs = askedMoment(project, { lsn: 'parent_lsn', timestamp: 'parent_timestamp' }, asked);
  const expiry = asked.expires_at === undefined ? {} : expiryOf(engine, asked.expires_at, atMs);
  requireInitSource(asked.init_source);
  if (engine.works !== undefined) requireFromNow(momentMs, asked.init_source);
  const isRoot = asked.init_source === 'schema-only';
  if (momentMs !== undefined) requireInHistory(engine, parent, momentMs, atMs);
  const id = newId(engine.random, 'br-', engine.live.branches);
  const name = asked.name ?? id;
  requireFreeName(engine, projectId, name);
  requireRoomForBranch(engine, projectId, isRoot);
  if (asked.protected === true) requireRoomForProtected(engine, projectId);
  const wanted = endpoints.map((endpoint) => ({ branch_id: id, ...endpoint }));
  requireValidComputes(engine, project, wanted);
  if (parent.expiresMs !== undefined && !isRoot)
    throw badExpiry(engine, `a branch that expires cannot have children; branch_id:"${parent.id}"`);
  requireReady(engine, parent);
  requireUnlocked(engine, projectId);
  const fromMs = momentMs ?? atMs;
  const { contents, passwords } = inherited(engine, parent, fromMs, atMs);
  const origin = isRoot
    ? ({ initSource: 'schema-only' } as const)
    : { parentId: parent.id, parentMs: fromMs, parentLsn: lsnAt(project, fromMs) };
  const branch: BranchRecord = {
    id,
    projectId,
    ...origin,
    name,
    isDefault: false,
    isProtected: asked.protected === true,
    currentState: 'init',
    stateChangedMs: atMs,
    ...(asked.archived === true ? { bornArchived: true } : {}),
    ...expiry,
    ...(annotations === undefined || Object.keys(annotations).length === 0 ? {} : { annotations }),
    createdMs: atMs,
    updatedMs: atMs,
    ...contents,
  };
  requireMayExpire(engine, branch);
  touchProject(engine, projectId, atMs);
  engine.put('branches', branch);
  const made = createWithComputes(call, branch, wanted, { action: 'create_branch', effect: 'branch_ready' });
  const reply = createdReply(engine, branch, made, passwords);
  const noted = { kind: 'branch', id, projectId, before: null, after: reply['branch'] };
  noteChange(call, { ...noted, operations: made.operations });
  return reply;
};

function requireReady(engine: Engine, parent: BranchRecord): void {
  if (parent.currentState !== 'init' || engine.switches.locking === 'off') return;
  throw new Refusal(
    engine.switches.parentNotReady,
    `the parent is being created by a running operation: it is in a transitive state; branch_id:"${parent.id}"`,
  );
}

/** Contents that a branch gets from its parent. For a protected parent, roles that can log in get new passwords. */
function inherited(
  engine: Engine,
  parent: BranchRecord,
  fromMs: number,
  atMs: number,
): { readonly contents: Contents; readonly passwords: ReadonlyMap<string, Secret> } {
  const { roles, databases } = contentsAt(parent, fromMs);
  const passwords = new Map<string, Secret>();
  const handedDown = roles.map((role) => {
    if (!parent.isProtected || role.noLogin === true) return { ...role, sinceMs: atMs };
    const password = newPassword(engine);
    passwords.set(role.name, password);
    const kept = keptOf(engine, password, role.password !== undefined);
    return { ...role, ...kept, sinceMs: atMs };
  });
  return {
    contents: { roles: handedDown, databases: databases.map((item) => ({ ...item, sinceMs: atMs })) },
    passwords,
  };
}

export interface NewComputes {
  readonly computes: readonly ComputeRecord[];
  readonly operations: readonly OperationRecord[];
}

export function requireValidComputes(engine: Engine, project: ProjectRecord, wanted: readonly NewCompute[]): void {
  for (const compute of wanted) requireValidNew(engine, compute, project);
  if (wanted.filter((compute) => compute.type === 'read_write').length > 1)
    throw new Refusal(engine.switches.conflictStatus, 'a branch has one read_write endpoint at most', {
      code: 'ENDPOINTS_LIMIT_EXCEEDED',
    });
}

export function createWithComputes(
  call: Call,
  branch: BranchRecord,
  wanted: readonly NewCompute[],
  birth: Step,
): NewComputes {
  const { engine, atMs } = call;
  const { projectId, id: branchId } = branch;
  const computes = wanted.map((asked) => addCompute(call, projectId, asked));
  const starts = computes.map((compute): Step => ({ ...START, subject: subjectOf(compute) }));
  const operations = startOperations(engine, atMs, { projectId, branchId }, [birth, ...starts]);
  for (const compute of computes) noteNewCompute(call, compute);
  return { computes, operations };
}

export function createdReply(
  engine: Engine,
  branch: BranchRecord,
  { computes, operations }: NewComputes,
  passwords: ReadonlyMap<string, Secret>,
): ReplyBody {
  return {
    branch: presentBranch(branch),
    endpoints: computes.map(presentCompute),
    operations: operations.map(presentOperation),
    roles: branch.roles.map((role) => {
      const password = passwords.get(role.name);
      return { ...presentRole(role, branch.id), ...(password === undefined ? {} : { password: password.reveal() }) };
    }),
    databases: branch.databases.map((database) => presentDatabase(database, branch.id)),
    ...connectionDetails(engine, branch, computes, passwords),
  };
}

export const branchReady: OperationHook = (engine, operation, atMs) => {
  const branch = engine.live.branches.get(operation.branchId ?? '');
  if (branch === undefined) return;
  const { bornArchived, ...rest } = branch;
  const currentState = bornArchived === true ? 'archived' : 'ready';
  engine.put('branches', { ...rest, currentState, stateChangedMs: atMs, updatedMs: atMs });
};
