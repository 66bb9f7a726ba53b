// Effects of operations on a compute when they end: it starts, stops, gets its old configuration back, or stays.
import type { Behaviour, Engine } from '../engine/engine.ts';
import { isSuccess, type OperationRecord } from '../operation/record.ts';
import { startOperations } from '../operation/start.ts';
import { accrueUsage, watchQuota } from '../project/usage.ts';
import { suspendIdleCompute } from './power.ts';
import type { ComputeRecord } from './record.ts';

export const computeBehaviour: Behaviour = {
  timers: { autosuspend: suspendIdleCompute },
  effects: {
    activate: (engine, operation, atMs) => {
      const compute = engine.live.computes.get(operation.endpointId ?? '');
      if (compute === undefined) return;
      accrueUsage(engine, compute.projectId, atMs);
      engine.state.put('computes', activated(compute, atMs));
      watchQuota(engine, compute.projectId, atMs);
      openArchive(engine, compute, atMs);
    },
    reconnect: (engine, operation) => {
      const compute = engine.live.computes.get(operation.endpointId ?? '');
      if (compute?.currentState === 'active')
        engine.state.put('computes', { ...compute, generation: compute.generation + 1 });
    },
    suspend: (engine, operation, atMs) => {
      const compute = engine.live.computes.get(operation.endpointId ?? '');
      if (compute !== undefined) suspended(engine, compute, atMs);
    },
  },
  undone: [takeBack],
  ended: [noteConfigOutcome, settleCompute],
};

function activated(compute: ComputeRecord, atMs: number): ComputeRecord {
  const { suspendedMs: _suspended, ...rest } = compute;
  return { ...rest, currentState: 'active', startedMs: atMs, lastActiveMs: atMs, activityMs: atMs, updatedMs: atMs };
}

/** A compute that comes up has its branch brought back from the archive. */
function openArchive(engine: Engine, { projectId, branchId }: ComputeRecord, atMs: number): void {
  const branch = engine.live.branches.get(branchId);
  if (branch?.currentState !== 'archived') return;
  engine.state.put('branches', { ...branch, currentState: 'ready', stateChangedMs: atMs, updatedMs: atMs });
  const steps = [{ action: 'timeline_unarchive', effect: 'none' }];
  startOperations(engine, atMs, { projectId, branchId }, steps, { alongside: true });
}

/** The stopped compute; its connections have ended. */
export function fallen(compute: ComputeRecord, atMs: number): ComputeRecord {
  return {
    ...compute,
    currentState: 'idle',
    suspendedMs: atMs,
    generation: compute.generation + 1,
    updatedMs: atMs,
  };
}

function suspended(engine: Engine, compute: ComputeRecord, atMs: number): void {
  if (compute.currentState === 'idle') return;
  accrueUsage(engine, compute.projectId, atMs);
  engine.state.put('computes', fallen(compute, atMs));
  const project = engine.live.projects.get(compute.projectId);
  if (project === undefined) return;
  engine.state.put('projects', { ...project, activityMs: Math.max(project.activityMs, atMs) });
  engine.watch('projects', project.id, 'detach');
  watchQuota(engine, project.id, atMs);
}

/** Undoes what the request had changed, unless that has become impossible (another primary took the old branch). */
function takeBack(engine: Engine, operation: OperationRecord, atMs: number): void {
  const compute = engine.live.computes.get(operation.endpointId ?? '');
  if (compute === undefined || operation.revert === undefined) return;
  const { revert } = operation;
  if (revert.branchId !== compute.branchId && compute.type === 'read_write')
    for (const other of engine.live.computes.on.get(revert.branchId)) if (other.type === 'read_write') return;
  const { name: _name, ...rest } = compute;
  engine.state.put('computes', { ...rest, ...revert, updatedMs: atMs });
}

/** A configuration that was not applied is remembered, until one is. */
function noteConfigOutcome(engine: Engine, operation: OperationRecord): void {
  if (operation.action !== 'apply_config') return;
  const failed = !isSuccess(operation.outcome.status);
  const compute = engine.live.computes.get(operation.endpointId ?? '');
  if (compute !== undefined && compute.configFailed !== failed)
    engine.state.put('computes', { ...compute, configFailed: failed });
}

/** When nothing is open for the compute any more it is where it is: no pending state, and the autosuspend timer runs. */
function settleCompute(engine: Engine, operation: OperationRecord, atMs: number): void {
  const compute = engine.live.computes.get(operation.endpointId ?? '');
  if (compute === undefined) return;
  for (const other of engine.live.operations.on.get(compute.id)) if (other.alongside !== true) return;
  const { pendingState, ...rest } = compute;
  // A compute that never came up is idle: the next access tries again.
  const currentState = compute.currentState === 'init' ? 'idle' : compute.currentState;
  if (pendingState !== undefined || currentState !== compute.currentState)
    engine.state.put('computes', { ...rest, currentState, updatedMs: atMs });
  engine.watch('computes', compute.id);
}
