// Turning a compute on and off: start, suspend, restart, and the autosuspend of one that nobody uses.
import type { Endpoint, Operation } from '../../../api/index.ts';
import { noteChange, requireUnlocked, type Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { Refusal } from '../../core/refusal.ts';
import { findCompute, findProject } from '../find.ts';
import { presentOperation, type OperationRecord } from '../operation/record.ts';
import { startOperations, subjectOf, type Step } from '../operation/start.ts';
import { touchProject } from '../project/background.ts';
import { requireQuota } from '../project/usage.ts';
import { START, SUSPEND, isRunning } from './change.ts';
import { presentCompute, autosuspendDueMs, type ComputeRecord, type ComputeState } from './record.ts';
import { requireRoomForActive } from './rules.ts';

/** A compute and the operations that the request started. */
export interface ComputeReply {
  readonly endpoint: Endpoint;
  readonly operations: Operation[];
}

export function computeReply(
  engine: Engine,
  compute: ComputeRecord,
  operations: readonly OperationRecord[],
): ComputeReply {
  return { endpoint: presentCompute(compute, engine.switches), operations: operations.map(presentOperation) };
}

export function startCompute(call: Call, projectId: string, computeId: string): ComputeReply {
  const { engine } = call;
  const compute = findCompute(engine, projectId, computeId);
  if (compute.disabled) throw new Refusal(422, `the endpoint is disabled; endpoint_id:"${computeId}"`);
  requireUnlocked(engine, projectId, { computeId });
  if (!isRunning(compute)) {
    requireQuota(engine, findProject(engine, projectId), call.atMs);
    requireRoomForActive(engine, projectId, compute.branchId);
    return act(call, compute, [START], 'active');
  }
  if (engine.switches.startActive === 'no_operation') return computeReply(engine, compute, []);
  throw new Refusal(422, `the endpoint is already active; endpoint_id:"${computeId}"`);
}

export function suspendCompute(call: Call, projectId: string, computeId: string): ComputeReply {
  const { engine } = call;
  const compute = findCompute(engine, projectId, computeId);
  requireUnlocked(engine, projectId, { computeId });
  if (isRunning(compute)) return act(call, compute, [SUSPEND], 'idle');
  if (engine.switches.suspendIdle === 'no_operation') return computeReply(engine, compute, []);
  throw new Refusal(422, `the endpoint is already idle; endpoint_id:"${computeId}"`);
}

/** POST …/restart: existing connections are dropped ("Compute current_state", fourth row). */
export function restartCompute(call: Call, projectId: string, computeId: string): ComputeReply {
  const { engine } = call;
  const compute = findCompute(engine, projectId, computeId);
  if (compute.disabled) throw new Refusal(422, `the endpoint is disabled; endpoint_id:"${computeId}"`);
  const running = isRunning(compute);
  const { restartIdle, afterRestart } = engine.switches;
  if (!running && restartIdle !== 'succeeds')
    throw new Refusal(Number(restartIdle.slice(-3)), `the endpoint is not active; endpoint_id:"${computeId}"`);
  requireUnlocked(engine, projectId, { computeId });
  requireQuota(engine, findProject(engine, projectId), call.atMs);
  const up = afterRestart === 'active';
  const steps = running ? (up ? [SUSPEND, START] : [SUSPEND]) : up ? [START] : [];
  return act(call, compute, steps, up ? 'active' : 'idle', true);
}

function act(
  call: Call,
  compute: ComputeRecord,
  steps: readonly Step[],
  heading: ComputeState,
  restarted: boolean = false,
): ComputeReply {
  const { engine } = call;
  const { projectId, id } = compute;
  touchProject(engine, projectId, call.atMs);
  const pending = steps.length === 0 ? {} : { pendingState: heading };
  const after: ComputeRecord = { ...compute, ...pending, updatedMs: call.atMs };
  engine.state.put('computes', after);
  const operations = startOperations(engine, call.atMs, subjectOf(compute), steps);
  const reply = computeReply(engine, after, operations);
  const before = presentCompute(compute, engine.switches);
  const droppedConnections = isRunning(compute) && steps.includes(SUSPEND);
  const noted = { before, after: reply.endpoint, operations, restarted, droppedConnections };
  noteChange(call, { kind: 'compute', id, projectId, ...noted });
  return reply;
}

/** Suspends the compute if its delay has really passed; a use in between has moved the time. */
export function suspendIdleCompute(engine: Engine, computeId: string, atMs: number): void {
  const compute = engine.live.computes.get(computeId);
  const dueMs = compute === undefined ? undefined : autosuspendDueMs(compute);
  if (compute === undefined || dueMs === undefined) return;
  if (dueMs > atMs) return engine.watch('computes', computeId);
  const lastUseMs = engine.works?.lastUseMs(computeId) ?? compute.activityMs;
  if (lastUseMs > compute.activityMs) {
    engine.state.put('computes', { ...compute, activityMs: lastUseMs, lastActiveMs: lastUseMs });
    return engine.watch('computes', computeId);
  }
  engine.state.put('computes', { ...compute, pendingState: 'idle', updatedMs: atMs });
  startOperations(engine, atMs, subjectOf(compute), [SUSPEND]);
}
