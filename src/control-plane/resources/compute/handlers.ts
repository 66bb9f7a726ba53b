// The handlers of computes ("endpoints" on the wire).
import type { Endpoint, EndpointAttributes } from '../../../api/index.ts';
import { noteChange, requireUnlocked, type Call, type Handler } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { newId } from '../engine/naming.ts';
import { Refusal, badRequest } from '../../core/refusal.ts';
import { findBranch, findProject, oldestFirst } from '../find.ts';
import type { OperationRecord } from '../operation/record.ts';
import { startOperations, subjectOf } from '../operation/life.ts';
import { touchProject, accrueUsage, requireQuota, watchQuota } from '../project/background.ts';
import type { ProjectRecord } from '../project/record.ts';
import {
  START,
  SUSPEND,
  configOf,
  isChanged,
  isRunning,
  planChange,
  configOfNew,
  requireNoPrimary,
  requireRoomForActive,
  requireValidConfig,
  withAttributes,
  withDefaults,
} from './rules.ts';
import { changeCompute, computeReply } from './power.ts';
import { presentCompute, type ComputeRecord } from './record.ts';

function listed(computes: Iterable<ComputeRecord>): { readonly endpoints: readonly Endpoint[] } {
  return { endpoints: oldestFirst(computes).map(presentCompute) };
}

export type NewCompute = EndpointAttributes & { readonly branch_id: string; readonly type: string };

export const createProjectEndpoint: Handler<'createProjectEndpoint'> = (call, { project_id: projectId, body }) => {
  const { engine, project } = call;
  const { endpoint: asked } = body;
  requireValidNew(engine, asked, project);
  const branch = findBranch(engine, projectId, asked.branch_id);
  if (branch.currentState === 'init' && engine.switches.locking !== 'off')
    throw new Refusal(423, `the branch is being created by a running operation; branch_id:"${branch.id}"`);
  requireUnlocked(engine, projectId);
  if (asked.type === 'read_write') requireNoPrimary(engine, branch.id);
  touchProject(engine, projectId, call.atMs);
  const compute = addCompute(call, projectId, asked);
  const operations = startOperations(engine, call.atMs, subjectOf(compute), [START]);
  const reply = computeReply(compute, operations);
  noteChange(call, { kind: 'compute', id: compute.id, projectId, before: null, after: reply.endpoint, operations });
  return reply;
};

export function requireValidNew(engine: Engine, asked: NewCompute, project: ProjectRecord): void {
  const { switches } = engine;
  if (!['read_write', 'read_only'].includes(asked.type))
    throw badRequest('invalid endpoint type; expected read_write or read_only');
  const sentRegion = asked['region_id'];
  if (sentRegion !== undefined && sentRegion !== project.regionId)
    throw badRequest(`an endpoint is in the region of its project; region_id:"${project.regionId}"`);
  requireQuota(engine, project, engine.atMs);
  requireRoomForActive(engine, project.id, asked.branch_id);
  const whole = withDefaults(asked, project);
  requireValidConfig(configOfNew(whole, asked.branch_id, switches), asked, switches);
}

export function addCompute(call: Call, projectId: string, asked: NewCompute): ComputeRecord {
  const { engine } = call;
  const project = findProject(engine, projectId);
  const compute: ComputeRecord = {
    ...configOfNew(withDefaults(asked, project), asked.branch_id, engine.switches),
    id: newId(engine.random, 'ep-', engine.live.computes),
    projectId,
    regionId: project.regionId,
    type: asked.type,
    currentState: 'init',
    pendingState: 'active',
    createdMs: call.atMs,
    updatedMs: call.atMs,
    activityMs: call.atMs,
    generation: 0,
    configFailed: false,
  };
  engine.put('computes', compute);
  return compute;
}

/** Adds a new or recovered compute to the ledger. */
export function noteNewCompute(call: Call, compute: ComputeRecord): void {
  const { id, projectId } = compute;
  noteChange(call, { kind: 'compute', id, projectId, before: null, after: presentCompute(compute) });
}

/** PATCH /projects/{project_id}/endpoints/{endpoint_id}. All changes take effect immediately (api-rules 5.5). */
export const updateProjectEndpoint: Handler<'updateProjectEndpoint'> = (call, input) => {
  const { engine, compute: before } = call;
  const { id: computeId, projectId } = before;
  const sent = input.body.endpoint;
  const config = withAttributes(before, sent);
  requireValidConfig(config, sent, engine.switches);
  if (config.branchId !== before.branchId) findBranch(engine, projectId, config.branchId);
  requireUnlocked(engine, projectId, { computeIds: [computeId] });
  if (config.branchId !== before.branchId && before.type === 'read_write') requireNoPrimary(engine, config.branchId);
  const plan = planChange(before, config, engine.switches);
  if (!isChanged(before, config) && plan.steps.length === 0) return computeReply(before, []);
  return changeCompute(call, before, { ...before, ...config }, { ...plan, revert: configOf(before) });
};

/** DELETE /projects/{project_id}/endpoints/{endpoint_id} (api-rules 4.9). */
export const deleteProjectEndpoint: Handler<'deleteProjectEndpoint'> = (call) => {
  const { engine, compute } = call;
  const { id: computeId, projectId } = compute;
  const branch = engine.live.branches.get(compute.branchId);
  if (branch?.isProtected === true)
    throw new Refusal(
      engine.switches.refusedDelete,
      `the computes of a protected branch cannot be deleted; branch_id:"${branch.id}"`,
      { code: 'BRANCH_PROTECTED' },
    );
  requireUnlocked(engine, projectId, { computeIds: [computeId] });
  touchProject(engine, projectId, call.atMs);
  const steps = isUp(compute) && engine.switches.deleteActive === 'suspend_compute' ? [SUSPEND] : [];
  const operations = startOperations(engine, call.atMs, subjectOf(compute), steps);
  removeCompute(call, compute, operations);
  return computeReply(compute, operations);
};

export function removeCompute(call: Call, compute: ComputeRecord, operations: readonly OperationRecord[] = []): void {
  const { id, projectId } = compute;
  const { engine, atMs } = call;
  const before = presentCompute(compute);
  accrueUsage(engine, projectId, atMs);
  engine.remove('computes', id);
  watchQuota(engine, projectId, atMs);
  const droppedConnections = isUp(compute);
  noteChange(call, { kind: 'compute', id, projectId, before, after: null, operations, droppedConnections });
}

function isUp(compute: ComputeRecord): boolean {
  return isRunning(compute) || compute.currentState === 'active';
}

export const listProjectEndpoints: Handler<'listProjectEndpoints'> = ({ engine, project }) =>
  listed(engine.live.computes.of.get(project.id));

export const listProjectBranchEndpoints: Handler<'listProjectBranchEndpoints'> = ({ engine, branch }) =>
  listed(engine.live.computes.on.get(branch.id));

export const getProjectEndpoint: Handler<'getProjectEndpoint'> = ({ compute }) => ({
  endpoint: presentCompute(compute),
});

export { restartProjectEndpoint, startProjectEndpoint, suspendProjectEndpoint } from './power.ts';
