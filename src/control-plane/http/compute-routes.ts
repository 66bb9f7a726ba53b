// Routes of computes ("Computes" of the API page; "endpoints" on the wire).
import { unreachable } from '../../base/assert.ts';
import type { EndpointUpdateRequest } from '../../api/index.ts';
import { presentCompute } from '../present.ts';
import { restartCompute, startCompute, suspendCompute } from '../services/compute-actions.ts';
import {
  createCompute,
  deleteCompute,
  listComputes,
  listComputesOfBranch,
  updateCompute,
} from '../services/computes.ts';
import type { ComputeReply, NewCompute } from '../services/computes.ts';
import { findCompute } from '../services/lookups.ts';
import type { Switches } from '../engine/switches.ts';
import { created, ok, okOrNothing, param } from './route.ts';
import type { Input, Reply, Route } from './route.ts';

const BASE = '/projects/{project_id}/endpoints';
const ONE = `${BASE}/{endpoint_id}`;

export const computeRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: BASE,
    id: 'listProjectEndpoints',
    tag: 'Computes',
    summary: 'List the computes of a project',
    replies: { 200: 'ServedEndpointList' },
    run: (call, input) => ok({ endpoints: listComputes(call.engine, param(input, 'project_id')) }),
  },
  {
    method: 'POST',
    path: BASE,
    id: 'createProjectEndpoint',
    tag: 'Computes',
    summary: 'Create a compute on a branch',
    body: 'EndpointCreateRequest',
    replies: { 201: 'ServedEndpointReply' },
    run: (call, input) =>
      created(createCompute(call, param(input, 'project_id'), (input.body as { endpoint: NewCompute }).endpoint)),
  },
  {
    method: 'GET',
    path: ONE,
    id: 'getProjectEndpoint',
    tag: 'Computes',
    summary: 'One compute',
    replies: { 200: 'ServedEndpointGetReply' },
    run: (call, input) => {
      const compute = findCompute(call.engine, param(input, 'project_id'), param(input, 'endpoint_id'));
      return ok({ endpoint: presentCompute(compute, call.engine.switches) });
    },
  },
  {
    method: 'PATCH',
    path: ONE,
    id: 'updateProjectEndpoint',
    tag: 'Computes',
    summary: 'Change a compute; only what is sent changes',
    body: 'EndpointUpdateRequest',
    replies: { 200: 'ServedEndpointReply' },
    run: (call, input) => ok(updateCompute(call, ...idsOf(input), (input.body as EndpointUpdateRequest).endpoint)),
  },
  {
    method: 'DELETE',
    path: ONE,
    id: 'deleteProjectEndpoint',
    tag: 'Computes',
    summary: 'Delete a compute for good',
    replies: { 200: 'ServedEndpointReply', 204: null },
    run: (call, input) => okOrNothing(deleteCompute(call, ...idsOf(input))),
  },
  {
    method: 'POST',
    path: `${ONE}/start`,
    id: 'startProjectEndpoint',
    tag: 'Computes',
    summary: 'Start an idle compute',
    replies: { 200: 'ServedEndpointReply' },
    run: (call, input) => ok(startCompute(call, ...idsOf(input))),
  },
  {
    method: 'POST',
    path: `${ONE}/suspend`,
    id: 'suspendProjectEndpoint',
    tag: 'Computes',
    summary: 'Suspend an active compute',
    replies: { 200: 'ServedEndpointReply' },
    run: (call, input) => ok(suspendCompute(call, ...idsOf(input))),
  },
  {
    method: 'POST',
    path: `${ONE}/restart`,
    id: 'restartProjectEndpoint',
    tag: 'Computes',
    summary: 'Restart a compute; its connections are dropped',
    replies: { 200: 'RestartReply', 204: null },
    run: (call, input) => restartReply(restartCompute(call, ...idsOf(input)), call.engine.switches),
  },
  {
    method: 'GET',
    path: '/projects/{project_id}/branches/{branch_id}/endpoints',
    id: 'listProjectBranchEndpoints',
    tag: 'Computes',
    summary: 'List the computes of a branch',
    replies: { 200: 'ServedEndpointList' },
    run: (call, input) =>
      ok({ endpoints: listComputesOfBranch(call.engine, param(input, 'project_id'), param(input, 'branch_id')) }),
  },
];

function idsOf(input: Input): [projectId: string, computeId: string] {
  return [param(input, 'project_id'), param(input, 'endpoint_id')];
}

function restartReply(reply: ComputeReply, { restartBody }: Switches): Reply {
  switch (restartBody) {
    case 'endpoint_and_operations':
      return ok(reply);
    case 'operations_only':
      return ok({ operations: reply.operations });
    case 'empty_object':
      return ok({});
    case 'no_content':
      return { status: 204 };
    default:
      return unreachable(restartBody);
  }
}
