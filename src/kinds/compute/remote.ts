// Computes on the wire: how they are listed, what a reply says, and what may be repeated (API page, "Computes").
import { checkReply } from '../../api/index.ts';
import type { EndpointList, EndpointReply, Operation, OperationList } from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import { inert } from '../../base/inert.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { KindRemote, Repeat, WriteOutcome } from '../../apply/kind-remote.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { OperationRef } from '../../client/waiting.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import type { Step } from '../../model/plan.ts';
import { KIND, liveComputes, millisecondsOf } from './live-compute.ts';
import { creationFacts, mayReplace } from './made-before.ts';

const ID = /^ep-[a-z0-9-]{1,57}$/;

export const computeRemote: KindRemote = {
  kind: KIND,
  scope: 'project',
  list,
  outcome,
  repeat,
  proves,
  needless,
  describe: ({ spec, observed }) => ({
    host: textOrNull(observed['host']),
    branchId: textOrNull(spec['branch_id']),
    state: textOrNull(observed['pending_state']) ?? textOrNull(observed['current_state']),
  }),
  needsFacts: mayReplace,
  facts: creationFacts,
};

/**
 * All computes of a project: one request. One whose id could not stand in a path makes the list unusable: left out, its place
 * would look empty, and what is declared there would be made anew.
 */
async function list(reader: Reader, projectId: string | null, signal: AbortSignal): Promise<readonly LiveResource[]> {
  assert(projectId !== null, 'computes belong to a project');
  const path = `/projects/${projectId}/endpoints`;
  const { endpoints } = await reader.get<EndpointList>(path, 'EndpointList', { signal });
  const strange = endpoints.find(({ id }) => !ID.test(id));
  if (strange !== undefined)
    throw new ApiFailure(`GET ${path} lists the compute "${inert(strange.id, 80)}", an id that no request could name`, {
      failureClass: 'unusable',
      method: 'GET',
      path,
    });
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return liveComputes(byId.size === endpoints.length ? endpoints : [...byId.values()], projectId);
}

/** The reply of another compute, or of another branch than the one asked for, is not the reply to this step. */
function outcome(step: Step, reply: Json): WriteOutcome | null {
  if (step.expects.state === 'present') return outcomeOfChange(step, step.expects.id, reply);
  const result = checkReply<EndpointReply>('EndpointReply', reply);
  if (!result.ok) return null;
  const { endpoint, operations = [] } = result.value;
  const asked = step.expects.joins.where;
  const isAnother =
    !ID.test(endpoint.id) ||
    (endpoint.project_id !== undefined && endpoint.project_id !== step.projectId) ||
    (asked['branch_id'] !== undefined && endpoint.branch_id !== asked['branch_id']);
  // A new compute always starts: a reply without an operation leaves it out.
  if (isAnother) return null;
  const outcomeOfStart = made(step, endpoint.id, operations.length === 0 ? null : operations);
  return { ...outcomeOfStart, madeAtMs: millisecondsOf(endpoint.created_at) };
}

/** A restart's and a deletion's body may be anything; what names another compute is never ours. */
function outcomeOfChange(step: Step, id: string, reply: Json): WriteOutcome | null {
  const mayBeBare = step.action === 'restart' || step.method === 'DELETE';
  const named = isJsonObject(reply) && isJsonObject(reply['endpoint']) ? reply['endpoint']['id'] : undefined;
  if (named !== undefined && named !== id) return null;
  const result = checkReply<EndpointReply>('EndpointReply', reply);
  if (result.ok) return made(step, id, result.value.operations ?? null);
  if (!mayBeBare) return null;
  const bare = checkReply<OperationList>('OperationList', reply);
  return made(step, id, bare.ok ? bare.value.operations : null);
}

/** Operations of another project or compute are none of ours. */
function made(step: Step, id: string, operations: readonly Operation[] | null): WriteOutcome {
  const { projectId } = step;
  assert(projectId !== null, 'computes belong to a project');
  const own = operations?.filter(
    (operation) => (operation.project_id ?? projectId) === projectId && (operation.endpoint_id ?? id) === id,
  );
  return { id, operations: own?.map((operation) => toRef(operation, projectId)) ?? null, secret: null, record: {} };
}

function toRef(operation: Operation, projectId: string): OperationRef {
  const { id, action, status, failures_count: failuresCount = 0 } = operation;
  return { id, projectId, action, status, failuresCount };
}

/** A branch takes one read_write compute; nothing keeps a second replica out, and a restart drops connections every time. */
function repeat(step: Step): Repeat {
  if (step.action === 'restart') return 'never';
  if (step.expects.state === 'present') return 'converging';
  return step.expects.joins.where['type'] === 'read_write' ? 'fenced' : 'once';
}

const PROOF: Readonly<Record<Step['action'], readonly string[]>> = {
  create: ['start_compute', 'create_compute'],
  update: ['apply_config'],
  move: ['apply_config'],
  delete: [],
  restart: ['start_compute', 'suspend_compute'],
  rotate: [],
  revoke: [],
};

function proves(step: Step, operation: OperationRecord): boolean {
  if (!PROOF[step.action].includes(operation.action)) return false;
  if (step.expects.state === 'present') return operation.resourceId === step.expects.id;
  return operation.branchId === null || operation.branchId === (step.expects.joins.where['branch_id'] ?? null);
}

/** One that does not run is not woken to be restarted. */
function needless(step: Step, { observed }: LiveResource): string | null {
  const state = textOrNull(observed['current_state']);
  if (step.action !== 'restart' || state === null || state === 'active') return null;
  return 'it is not running, and its next start satisfies that by itself';
}

function textOrNull(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
