// What roles and databases have in common: they lie in a branch, and operations of its primary apply their changes.
import { requireUnlocked } from '../../engine/call.ts';
import type { Call } from '../../engine/call.ts';
import type { Engine } from '../../engine/engine.ts';
import { Refusal } from '../../engine/refusal.ts';
import { param } from '../../http/route.ts';
import type { Input } from '../../http/route.ts';
import { APPLY, SUSPEND, isRunning } from '../compute/change.ts';
import type { OperationRecord } from '../operation/record.ts';
import { startOperations } from '../operation/start.ts';
import type { Step } from '../operation/start.ts';
import { touchProject } from '../project/background.ts';
import type { BranchRecord } from './record.ts';

export function idsOf(input: Input): [projectId: string, branchId: string] {
  return [param(input, 'project_id'), param(input, 'branch_id')];
}

/** apply_config on the branch's primary; an idle one is started for it and suspended again. */
export function applyConfig(call: Call, branch: BranchRecord): OperationRecord[] {
  const { engine } = call;
  const { projectId, id: branchId } = branch;
  const primary = primaryOf(engine, branchId);
  requireUnlocked(engine, projectId, primary?.id);
  touchProject(engine, projectId, call.atMs);
  engine.state.put('branches', { ...branch, updatedMs: call.atMs });
  const steps: Step[] = primary === undefined || isRunning(primary) ? [APPLY] : [APPLY, SUSPEND];
  const endpoint = primary === undefined ? {} : { endpointId: primary.id };
  return startOperations(engine, call.atMs, { projectId, branchId, ...endpoint }, steps);
}

function primaryOf(
  engine: Engine,
  branchId: string,
): ({ readonly id: string } & Parameters<typeof isRunning>[0]) | undefined {
  for (const compute of engine.state.computesOn.get(branchId)) if (compute.type === 'read_write') return compute;
  return undefined;
}

export function duplicate(engine: Engine, what: string, code: string): Refusal {
  return new Refusal(engine.switches.conflictStatus, `a ${what} with this name exists`, { code });
}
