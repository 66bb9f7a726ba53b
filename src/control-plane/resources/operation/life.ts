// The life of an operation after its birth: it starts when its turn comes, fails, is tried again, ends, and has its effect.
import { unreachable } from '../../../base/assert.ts';
import type { Engine } from '../../engine/engine.ts';
import { DEFAULT_OUTCOME } from '../../faults/fate.ts';
import type { Flap } from '../../faults/fate.ts';
import type { ComputeRecord } from '../compute/record.ts';
import type { OperationRecord } from './record.ts';

/** Moves an operation on when its time has come: a new attempt starts, or the attempt under way ends. */
export function advanceOperation(engine: Engine, operationId: string, atMs: number): void {
  const operation = engine.state.operations.get(operationId);
  if (operation === undefined) return;
  if (operation.status === 'running') {
    if (operation.endsMs !== undefined && operation.endsMs <= atMs) endAttempt(engine, operation, atMs);
  } else if (operation.retryMs !== undefined && operation.retryMs <= atMs) {
    startAttempt(engine, operation, atMs);
  }
}

function startAttempt(engine: Engine, operation: OperationRecord, atMs: number): void {
  if (operation.stuck === 'scheduling') return;
  const { retryMs: _retry, error: _error, ...rest } = operation;
  const ends = operation.stuck === 'running' ? {} : { endsMs: atMs + operation.durationMs };
  const started = { ...rest, status: 'running', updatedMs: atMs, ...ends };
  engine.state.put('operations', started);
  engine.watchOperation(started);
}

function endAttempt(engine: Engine, operation: OperationRecord, atMs: number): void {
  const { outcome } = operation;
  if ((outcome.failures ?? 0) > operation.failuresCount) {
    const failed = {
      ...operation,
      status: 'failed',
      error: outcome.error ?? 'the attempt failed and will be repeated',
      failuresCount: operation.failuresCount + 1,
      retryMs: atMs + (outcome.retryAfterMs ?? 1000),
      updatedMs: atMs,
    };
    engine.state.put('operations', failed);
    return engine.watchOperation(failed);
  }
  const { flap } = outcome;
  if (flap !== undefined && flap.times > (operation.flapped ?? 0)) return seemEnded(engine, operation, flap, atMs);
  endOperation(engine, operation, atMs);
}

/** Shows a status as if the operation had ended, and has a new attempt follow. */
function seemEnded(engine: Engine, operation: OperationRecord, flap: Flap, atMs: number): void {
  const flapped = (operation.flapped ?? 0) + 1;
  const seeming = { ...operation, status: flap.status, flapped, retryMs: atMs + flap.everyMs, updatedMs: atMs };
  engine.state.put('operations', seeming);
  engine.watchOperation(seeming);
}

/** Ends the operation with its outcome, and gives the turn to those that waited for it. */
function endOperation(engine: Engine, operation: OperationRecord, atMs: number): void {
  const { outcome } = operation;
  const unsuccessful = !isSuccess(outcome.status);
  const { endsMs: _ends, retryMs: _retry, ...rest } = operation;
  engine.state.put('operations', {
    ...rest,
    status: outcome.status,
    ...(outcome.error === undefined ? {} : { error: outcome.error }),
    failuresCount: operation.failuresCount + (outcome.status === 'failed' ? 1 : 0),
    updatedMs: atMs,
    open: false,
  });
  if (outcome.applied) applyEffect(engine, operation, atMs);
  else takeBack(engine, operation, atMs);
  if (operation.action === 'apply_config') noteConfigOutcome(engine, operation, unsuccessful);
  const cancels = unsuccessful && engine.switches.afterFailure === 'cancel_rest';
  for (const waiting of successors(engine, operation)) {
    if (cancels && waiting.chain === operation.chain)
      endOperation(engine, { ...waiting, outcome: { status: 'cancelled', applied: false } }, atMs);
    else startAttempt(engine, waiting, atMs);
  }
  settleCompute(engine, operation, atMs);
}

function isSuccess(status: string): boolean {
  return status === DEFAULT_OUTCOME.status || status === 'skipped';
}

function successors(engine: Engine, operation: OperationRecord): OperationRecord[] {
  return [...engine.state.operationsOf.get(operation.projectId)]
    .filter((other) => other.after === operation.seq)
    .sort((a, b) => a.seq - b.seq);
}

function applyEffect(engine: Engine, operation: OperationRecord, atMs: number): void {
  const compute = engine.state.computes.get(operation.endpointId ?? '');
  switch (operation.effect) {
    case 'none':
      return;
    case 'activate':
      if (compute !== undefined) engine.state.put('computes', activated(compute, atMs));
      return;
    case 'suspend':
      if (compute !== undefined) suspended(engine, compute, atMs);
      return;
    case 'branch_ready': {
      const branch = engine.state.branches.get(operation.branchId ?? '');
      if (branch === undefined) return;
      engine.state.put('branches', { ...branch, currentState: 'ready', stateChangedMs: atMs, updatedMs: atMs });
      return;
    }
    default:
      return unreachable(operation.effect);
  }
}

function activated(compute: ComputeRecord, atMs: number): ComputeRecord {
  const { suspendedMs: _suspended, ...rest } = compute;
  return { ...rest, currentState: 'active', startedMs: atMs, lastActiveMs: atMs, activityMs: atMs, updatedMs: atMs };
}

function suspended(engine: Engine, compute: ComputeRecord, atMs: number): void {
  if (compute.currentState === 'idle') return;
  engine.state.put('computes', {
    ...compute,
    currentState: 'idle',
    suspendedMs: atMs,
    generation: compute.generation + 1,
    updatedMs: atMs,
  });
  const project = engine.state.projects.get(compute.projectId);
  if (project === undefined) return;
  engine.state.put('projects', { ...project, activityMs: Math.max(project.activityMs, atMs) });
  engine.watchDetach(project.id);
}

/** Undoes what the request had changed, unless that has become impossible (another primary took the old branch). */
function takeBack(engine: Engine, operation: OperationRecord, atMs: number): void {
  const compute = engine.state.computes.get(operation.endpointId ?? '');
  if (compute === undefined || operation.revert === undefined) return;
  const { revert } = operation;
  if (revert.branchId !== compute.branchId && compute.type === 'read_write')
    for (const other of engine.state.computesOn.get(revert.branchId)) if (other.type === 'read_write') return;
  const { name: _name, ...rest } = compute;
  engine.state.put('computes', { ...rest, ...revert, updatedMs: atMs });
}

function noteConfigOutcome(engine: Engine, operation: OperationRecord, failed: boolean): void {
  const compute = engine.state.computes.get(operation.endpointId ?? '');
  if (compute !== undefined && compute.configFailed !== failed)
    engine.state.put('computes', { ...compute, configFailed: failed });
}

/** When nothing is open for the compute any more it is where it is: no pending state, and the autosuspend timer runs. */
function settleCompute(engine: Engine, operation: OperationRecord, atMs: number): void {
  const compute = engine.state.computes.get(operation.endpointId ?? '');
  if (compute === undefined) return;
  for (const other of engine.state.operationsOn.get(compute.id)) if (other.alongside !== true) return;
  const { pendingState, ...rest } = compute;
  // A compute that never came up is idle: the next access tries again.
  const currentState = compute.currentState === 'init' ? 'idle' : compute.currentState;
  if (pendingState !== undefined || currentState !== compute.currentState)
    engine.state.put('computes', { ...rest, currentState, updatedMs: atMs });
  engine.watchAutosuspend(compute.id);
}
