// Starts, suspends and restarts computes, and applies the effects of their operations.
import type { Endpoint, Operation } from '../../../api/index.ts';
import { defined } from '../../../base/picked.ts';
import { type Handler, noteChange, requireUnlocked, type Call } from '../engine/call.ts';
import type { Engine, OperationHook } from '../engine/engine.ts';
import { Refusal } from '../../core/refusal.ts';
import { presentOperation, type OperationRecord, isSuccess } from '../operation/record.ts';
import { startOperations, subjectOf } from '../operation/life.ts';
import { touchProject, requireQuota, accrueUsage, watchQuota } from '../project/background.ts';
import { APPLY, START, SUSPEND, isRunning, primaryOf, requireRoomForActive, type ChangePlan } from './rules.ts';
import { presentCompute, autosuspendDueMs, type ComputeRecord } from './record.ts';

export interface ComputeReply {
  readonly endpoint: Endpoint;
  readonly operations: Operation[];
}

export function computeReply(compute: ComputeRecord, operations: readonly OperationRecord[]): ComputeReply {
  return { endpoint: presentCompute(compute), operations: operations.map(presentOperation) };
}

export const startProjectEndpoint: Handler<'startProjectEndpoint'> = (call) => {
  const { engine, project, compute } = call;
  const { id: computeId, projectId } = compute;
  if (compute.disabled) throw new Refusal(422, `the endpoint is disabled; endpoint_id:"${computeId}"`);
  requireUnlocked(engine, projectId, { computeIds: [computeId] });
  if (!isRunning(compute)) {
    requireQuota(engine, project, call.atMs);
    requireRoomForActive(engine, projectId, compute.branchId);
    return changeCompute(call, compute, compute, { steps: [START] });
  }
  if (engine.switches.startActive === 'no_operation') return computeReply(compute, []);
  throw new Refusal(422, `the endpoint is already active; endpoint_id:"${computeId}"`);
};

export const suspendProjectEndpoint: Handler<'suspendProjectEndpoint'> = (call) => {
  const { engine, compute } = call;
  const { id: computeId, projectId } = compute;
  requireUnlocked(engine, projectId, { computeIds: [computeId] });
  if (isRunning(compute)) return changeCompute(call, compute, compute, { steps: [SUSPEND] });
  if (engine.switches.suspendIdle === 'no_operation') return computeReply(compute, []);
  throw new Refusal(422, `the endpoint is already idle; endpoint_id:"${computeId}"`);
};

/** POST …/restart: existing connections are dropped (api-rules 5.6). */
export const restartProjectEndpoint: Handler<'restartProjectEndpoint'> = (call) => {
  const { engine, project, compute } = call;
  const { id: computeId, projectId } = compute;
  if (compute.disabled) throw new Refusal(422, `the endpoint is disabled; endpoint_id:"${computeId}"`);
  const running = isRunning(compute);
  const { restartIdle, afterRestart, restartBody } = engine.switches;
  if (!running && restartIdle !== 'succeeds')
    throw new Refusal(Number(restartIdle.slice(-3)), `the endpoint is not active; endpoint_id:"${computeId}"`);
  requireUnlocked(engine, projectId, { computeIds: [computeId] });
  requireQuota(engine, project, call.atMs);
  const steps = [...(running ? [SUSPEND] : []), ...(afterRestart === 'active' ? [START] : [])];
  const reply = changeCompute(call, compute, compute, { steps, restarted: true });
  if (restartBody === 'no_content') return undefined;
  if (restartBody === 'empty_object') return {};
  return restartBody === 'operations_only' ? { operations: reply.operations } : reply;
};

/** Stores a changed compute and starts the operations of the change. The next state follows from the last operation. */
export function changeCompute(
  call: Call,
  before: ComputeRecord,
  changed: ComputeRecord,
  { steps, restarted = false, revert }: ChangePlan & Pick<OperationRecord, 'revert'>,
): ComputeReply {
  const { engine, atMs } = call;
  const { projectId, id } = before;
  const last = steps.at(-1);
  const isNextActive = last === START || (last === APPLY && isRunning(before));
  const pending = last === undefined ? {} : ({ pendingState: isNextActive ? 'active' : 'idle' } as const);
  const after: ComputeRecord = { ...changed, ...pending, updatedMs: atMs };
  touchProject(engine, projectId, atMs);
  accrueUsage(engine, projectId, atMs);
  engine.put('computes', after);
  watchQuota(engine, projectId, atMs);
  const operations = startOperations(engine, atMs, subjectOf(after), steps, defined({ revert }));
  const reply = computeReply(after, operations);
  const droppedConnections = isRunning(before) && steps.includes(SUSPEND);
  const noted = { before: presentCompute(before), after: reply.endpoint, operations, restarted, droppedConnections };
  noteChange(call, { kind: 'compute', id, projectId, ...noted });
  return reply;
}

/** Suspends the compute, unless it was used after the timer was set. */
export function suspendIdleCompute(engine: Engine, computeId: string, atMs: number): void {
  const compute = engine.live.computes.get(computeId);
  const dueMs = compute === undefined ? undefined : autosuspendDueMs(compute);
  if (compute === undefined || dueMs === undefined || dueMs > atMs) return;
  const lastUseMs = engine.works?.lastUseMs(computeId) ?? compute.activityMs;
  if (lastUseMs > compute.activityMs)
    return engine.put('computes', { ...compute, activityMs: lastUseMs, lastActiveMs: lastUseMs });
  engine.put('computes', { ...compute, pendingState: 'idle', updatedMs: atMs });
  startOperations(engine, atMs, subjectOf(compute), [SUSPEND]);
}

export const activate: OperationHook = (engine, operation, atMs) => {
  const compute = engine.live.computes.get(operation.endpointId ?? '');
  if (compute === undefined) return;
  const { suspendedMs: _suspended, ...rest } = compute;
  const times = { startedMs: atMs, lastActiveMs: atMs, activityMs: atMs, updatedMs: atMs };
  accrueUsage(engine, compute.projectId, atMs);
  engine.put('computes', { ...rest, ...times, currentState: 'active' });
  watchQuota(engine, compute.projectId, atMs);
  openArchive(engine, compute, atMs);
};

export const reconnect: OperationHook = (engine, operation) => {
  const compute = engine.live.computes.get(operation.endpointId ?? '');
  if (compute?.currentState === 'active') engine.put('computes', { ...compute, generation: compute.generation + 1 });
};

function openArchive(engine: Engine, { projectId, branchId }: ComputeRecord, atMs: number): void {
  const branch = engine.live.branches.get(branchId);
  if (branch?.currentState !== 'archived') return;
  engine.put('branches', { ...branch, currentState: 'ready', stateChangedMs: atMs, updatedMs: atMs });
  const steps = [{ action: 'timeline_unarchive', effect: 'none' }];
  startOperations(engine, atMs, { projectId, branchId }, steps, { alongside: true });
}

export const suspend: OperationHook = (engine, { endpointId = '' }, atMs) => fall(engine, endpointId, atMs);

/** Makes the compute idle and counts its usage until now, whether an operation suspends it or its Postgres is lost. */
export function fall(engine: Engine, computeId: string, atMs: number): void {
  const compute = engine.live.computes.get(computeId);
  if (compute === undefined || compute.currentState === 'idle') return;
  const { projectId, generation } = compute;
  accrueUsage(engine, projectId, atMs);
  const change = { currentState: 'idle', suspendedMs: atMs, generation: generation + 1, updatedMs: atMs } as const;
  engine.put('computes', { ...compute, ...change });
  touchProject(engine, projectId, atMs);
  watchQuota(engine, projectId, atMs);
}

/** Reverts the change of an operation that ended without effect, unless the old branch has another primary by now. */
export const takeBack: OperationHook = (engine, operation, atMs) => {
  const compute = engine.live.computes.get(operation.endpointId ?? '');
  if (compute === undefined || operation.revert === undefined) return;
  const { revert } = operation;
  const isMove = revert.branchId !== compute.branchId && compute.type === 'read_write';
  if (isMove && primaryOf(engine, revert.branchId) !== undefined) return;
  const { name: _name, ...rest } = compute;
  engine.put('computes', { ...rest, ...revert, updatedMs: atMs });
};

/** Records whether the configuration failed. Clears the pending state once the compute has no open operation. */
export const settleCompute: OperationHook = (engine, operation, atMs) => {
  const before = engine.live.computes.get(operation.endpointId ?? '');
  if (before === undefined) return;
  const isConfig = operation.action === 'apply_config';
  const configFailed = isConfig ? !isSuccess(operation.outcome.status) : before.configFailed;
  const compute = { ...before, configFailed };
  if (configFailed !== before.configFailed) engine.put('computes', compute);
  if (engine.live.operations.on.get(compute.id).some(({ alongside }) => alongside !== true)) return;
  const { pendingState, ...rest } = compute;
  // A compute that failed to start becomes idle, so that the next access starts it again.
  const currentState = compute.currentState === 'init' ? 'idle' : compute.currentState;
  if (pendingState !== undefined || currentState !== compute.currentState)
    engine.put('computes', { ...rest, currentState, updatedMs: atMs });
};
