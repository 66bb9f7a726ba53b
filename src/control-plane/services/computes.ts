// Computes ("endpoints" on the wire): list, get, create, update, delete.
import type { Endpoint, EndpointAttributes, Operation } from '../../api/index.ts';
import { noteChange, requireUnlocked } from '../engine/call.ts';
import type { Call } from '../engine/call.ts';
import { touchProject } from '../detach.ts';
import type { Engine } from '../engine/engine.ts';
import { newComputeId } from '../engine/naming.ts';
import { startOperations } from '../operation-start.ts';
import { presentCompute, presentOperation } from '../present.ts';
import type { ComputeRecord, OperationRecord } from '../records.ts';
import { Refusal, badRequest } from '../engine/refusal.ts';
import { START, SUSPEND, configOf, isChanged, isRunning, planChange } from './compute-change.ts';
import { configOfNew, requireNoPrimary, requireValidConfig, withAttributes } from './compute-rules.ts';
import { findBranch, findCompute, findProject, oldestFirst } from './lookups.ts';

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

export function listComputes(engine: Engine, projectId: string): Endpoint[] {
  findProject(engine, projectId);
  return oldestFirst(engine.state.computesOf.get(projectId)).map((item) => presentCompute(item, engine.switches));
}

export function listComputesOfBranch(engine: Engine, projectId: string, branchId: string): Endpoint[] {
  findBranch(engine, projectId, branchId);
  return oldestFirst(engine.state.computesOn.get(branchId)).map((item) => presentCompute(item, engine.switches));
}

export type NewCompute = EndpointAttributes & { readonly branch_id: string; readonly type: string };

/** POST /projects/{project_id}/endpoints. */
export function createCompute(call: Call, projectId: string, asked: NewCompute): ComputeReply {
  const { engine } = call;
  const project = findProject(engine, projectId);
  requireValidNew(engine, asked, project.regionId);
  const branch = findBranch(engine, projectId, asked.branch_id);
  if (branch.currentState === 'init' && engine.switches.locking !== 'off')
    throw new Refusal(423, `the branch is being created by a running operation; branch_id:"${branch.id}"`);
  requireUnlocked(engine, projectId);
  if (asked.type === 'read_write') requireNoPrimary(engine, branch.id);
  touchProject(engine, projectId, call.atMs);
  const compute = addCompute(call, projectId, asked);
  const operations = startOperations(engine, call.atMs, { ...compute, endpointId: compute.id }, [START]);
  const reply = computeReply(engine, compute, operations);
  noteChange(call, { kind: 'compute', id: compute.id, projectId, before: null, after: reply.endpoint, operations });
  return reply;
}

/** Refuses attributes of a new compute that are not valid. */
export function requireValidNew(engine: Engine, asked: NewCompute, regionId: string): void {
  const { switches } = engine;
  if (asked.type !== 'read_write' && asked.type !== switches.replicaType)
    throw badRequest(`invalid endpoint type; expected read_write or ${switches.replicaType}`);
  const sentRegion = asked['region_id'];
  if (sentRegion !== undefined && sentRegion !== regionId)
    throw badRequest(`an endpoint is in the region of its project; region_id:"${regionId}"`);
  if (switches.settingsWithoutPgSettings === 'refused_400' && asked.settings?.pg_settings === undefined)
    if (asked.settings !== undefined) throw badRequest('settings: pg_settings is nil');
  requireValidConfig(configOfNew(asked, asked.branch_id, switches), asked, switches);
}

/** Adds the record of a new compute in state init; the caller starts its operation. */
export function addCompute(call: Call, projectId: string, asked: NewCompute): ComputeRecord {
  const { engine } = call;
  const compute: ComputeRecord = {
    ...configOfNew(asked, asked.branch_id, engine.switches),
    id: newComputeId(engine.random, (id) => engine.state.computes.has(id)),
    projectId,
    regionId: findProject(engine, projectId).regionId,
    type: asked.type,
    currentState: 'init',
    pendingState: 'active',
    creationSource: 'console',
    createdMs: call.atMs,
    updatedMs: call.atMs,
    activityMs: call.atMs,
    generation: 0,
    configFailed: false,
  };
  engine.state.put('computes', compute);
  return compute;
}

/** PATCH /projects/{project_id}/endpoints/{endpoint_id}. All edits take effect immediately (rule 5). */
export function updateCompute(
  call: Call,
  projectId: string,
  computeId: string,
  sent: EndpointAttributes,
): ComputeReply {
  const { engine } = call;
  const before = findCompute(engine, projectId, computeId);
  const config = withAttributes(before, sent);
  requireValidConfig(config, sent, engine.switches);
  if (config.branchId !== before.branchId) findBranch(engine, projectId, config.branchId);
  requireUnlocked(engine, projectId, computeId);
  if (config.branchId !== before.branchId && before.type === 'read_write')
    requireNoPrimary(engine, config.branchId, before);
  const plan = planChange(before, config, engine.switches);
  if (!isChanged(before, config) && plan.steps.length === 0) return computeReply(engine, before, []);
  touchProject(engine, projectId, call.atMs);
  const pending = plan.pendingState === undefined ? {} : { pendingState: plan.pendingState };
  const after: ComputeRecord = { ...before, ...config, ...pending, updatedMs: call.atMs };
  engine.state.put('computes', after);
  const subject = { projectId, branchId: after.branchId, endpointId: computeId };
  const operations = startOperations(engine, call.atMs, subject, plan.steps, { revert: configOf(before) });
  engine.watchAutosuspend(computeId);
  const reply = computeReply(engine, after, operations);
  const { restarted, droppedConnections } = plan;
  const noted = { before: presentCompute(before, engine.switches), after: reply.endpoint, operations };
  noteChange(call, { kind: 'compute', id: computeId, projectId, ...noted, restarted, droppedConnections });
  return reply;
}

/** DELETE /projects/{project_id}/endpoints/{endpoint_id}: permanent (rule 7). Undefined when there is none and none is missed. */
export function deleteCompute(call: Call, projectId: string, computeId: string): ComputeReply | undefined {
  const { engine } = call;
  findProject(engine, projectId);
  const existing = engine.state.computes.get(computeId);
  if (engine.switches.missingDelete === 204 && existing?.projectId !== projectId) return undefined;
  const compute = findCompute(engine, projectId, computeId);
  const branch = engine.state.branches.get(compute.branchId);
  if (branch?.isProtected === true)
    throw new Refusal(422, `the computes of a protected branch cannot be deleted; branch_id:"${branch.id}"`, {
      code: 'BRANCH_PROTECTED',
    });
  requireUnlocked(engine, projectId, computeId);
  touchProject(engine, projectId, call.atMs);
  return removeCompute(call, compute);
}

/** Removes the compute; an active one is suspended by an operation. */
function removeCompute(call: Call, compute: ComputeRecord): ComputeReply {
  const { engine } = call;
  const steps = isUp(compute) && engine.switches.deleteActive === 'suspend_compute' ? [SUSPEND] : [];
  const subject = { projectId: compute.projectId, branchId: compute.branchId, endpointId: compute.id };
  const operations = startOperations(engine, call.atMs, subject, steps);
  takeAway(call, compute, operations);
  return computeReply(engine, compute, operations);
}

/** Takes a compute out of the world, alone or with its branch or project; connections to it end. */
export function takeAway(call: Call, compute: ComputeRecord, operations: readonly OperationRecord[] = []): void {
  const { id, projectId } = compute;
  const before = presentCompute(compute, call.engine.switches);
  call.engine.state.remove('computes', id);
  const droppedConnections = isUp(compute);
  noteChange(call, { kind: 'compute', id, projectId, before, after: null, operations, droppedConnections });
}

function isUp(compute: ComputeRecord): boolean {
  return isRunning(compute) || compute.currentState === 'active';
}
