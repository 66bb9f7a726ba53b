// How a branch is born: with its computes, their operations, and a reply with the connection string; and when it is ready.
import type { Secret } from '../../../base/secret.ts';
import { noteChange, type Call } from '../engine/call.ts';
import type { Engine, Behaviour } from '../engine/engine.ts';
import { Refusal } from '../../core/refusal.ts';
import type { ReplyBody } from '../engine/route.ts';
import { START } from '../compute/change.ts';
import { addCompute, requireValidNew, type NewCompute } from '../compute/compute.ts';
import { presentCompute, type ComputeRecord } from '../compute/record.ts';
import { connectionDetails } from '../contents/connection-uri.ts';
import { presentDatabase, presentRole } from '../contents/record.ts';
import { presentOperation, type OperationRecord } from '../operation/record.ts';
import { startOperations, subjectOf, type Step } from '../operation/start.ts';
import type { ProjectRecord } from '../project/record.ts';
import { presentBranch, type BranchRecord } from './record.ts';
import { expireBranch } from './remove.ts';

export interface Born {
  readonly computes: readonly ComputeRecord[];
  readonly operations: readonly OperationRecord[];
}

/** Refuses computes that cannot be made together with a branch. */
export function requireValidComputes(engine: Engine, project: ProjectRecord, wanted: readonly NewCompute[]): void {
  for (const compute of wanted) requireValidNew(engine, compute, project);
  if (wanted.filter((compute) => compute.type === 'read_write').length > 1)
    throw new Refusal(engine.switches.conflictStatus, 'a branch has one read_write endpoint at most', {
      code: 'ENDPOINTS_LIMIT_EXCEEDED',
    });
}

/** Starts the operation that makes a branch, followed by the start of each of its computes. */
export function bornWith(call: Call, branch: BranchRecord, wanted: readonly NewCompute[], birth: Step): Born {
  const { engine, atMs } = call;
  const { projectId, id: branchId } = branch;
  const computes = wanted.map((asked) => addCompute(call, projectId, asked));
  const starts = computes.map((compute): Step => ({ ...START, subject: subjectOf(compute) }));
  const isConfigured = birth.action === 'create_branch' && engine.switches.branchOperations === 'with_protected_config';
  const last: Step[] = isConfigured ? [{ action: 'timeline_update_protected_config', effect: 'none' }] : [];
  const operations = startOperations(engine, atMs, { projectId, branchId }, [birth, ...starts, ...last]);
  for (const compute of computes) {
    const after = presentCompute(compute, engine.switches);
    noteChange(call, { kind: 'compute', id: compute.id, projectId, before: null, after });
  }
  return { computes, operations };
}

/** `passwords` are shown with their roles: those that nobody has seen before. */
export function birthReply(
  engine: Engine,
  branch: BranchRecord,
  { computes, operations }: Born,
  passwords: ReadonlyMap<string, Secret>,
): ReplyBody {
  return {
    branch: presentBranch(branch),
    endpoints: computes.map((compute) => presentCompute(compute, engine.switches)),
    operations: operations.map(presentOperation),
    roles: branch.roles.map((role) => {
      const password = passwords.get(role.name);
      return { ...presentRole(role, branch.id), ...(password === undefined ? {} : { password: password.reveal() }) };
    }),
    databases: branch.databases.map((database) => presentDatabase(database, branch.id)),
    ...connectionDetails(engine, branch, computes, passwords),
  };
}

export const branchBehaviour: Partial<Behaviour> = {
  timers: { expire: expireBranch },
  effects: {
    branch_ready: (engine, operation, atMs) => {
      const branch = engine.live.branches.get(operation.branchId ?? '');
      if (branch === undefined) return;
      const { bornArchived, ...rest } = branch;
      const currentState = bornArchived === true ? 'archived' : 'ready';
      engine.state.put('branches', { ...rest, currentState, stateChangedMs: atMs, updatedMs: atMs });
    },
  },
};
