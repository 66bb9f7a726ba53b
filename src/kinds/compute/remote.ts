// Computes on the wire: how they are listed, what a reply says, and what may be repeated (api-rules 4).
import { millisecondsOf } from '../../base/time/clock.ts';
import {
  checkReply,
  type Endpoint,
  type EndpointList,
  type EndpointReply,
  type Operation,
  type OperationList,
  type DatabaseListing,
} from '../../api/index.ts';
import { assert } from '../../base/assert.ts';
import { inert } from '../../base/text/inert.ts';
import { objectOf, textOf, type Json } from '../../base/json.ts';
import type { KindRemote, Recognise, Shown, WriteOutcome } from '../../apply/kind-remote.ts';
import { shownBy } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { OperationRef } from '../../client/operations/waiting.ts';
import type { Below } from '../../model/kind.ts';
import type { LiveResource, OperationRecord } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { contradictionIn } from '../shared/lists.ts';
import { projectPath, contentsPath, uriThrough } from '../shared/paths.ts';
import { PLACE, liveCompute } from './attributes.ts';
import { describeCompute } from './rules/rules.ts';
import { branchFacts } from './branches.ts';
import { restartSinceMs, startsOf, startWords } from './rules/restart.ts';
import { strangerIn } from '../shared/branch-contents.ts';

const ID = /^ep-[a-z0-9-]{1,57}$/;

export const computeRemote: KindRemote = {
  ...PLACE,
  list,
  show,
  outcome,
  recognise,
  needless,
  describe: describeCompute,
  uriAt,
  facts: branchFacts,
};

/** All computes of a project: one request. */
async function list(reader: Reader, { projectId }: Below, signal: AbortSignal): Promise<readonly LiveResource[]> {
  assert(projectId !== null, 'a compute has no project');
  const { endpoints } = await reader.get<EndpointList>(`${projectPath(projectId)}/endpoints`, 'EndpointList', {
    signal,
    problemOf: (body) => foreignIn(body, projectId),
  });
  const byId = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  return [...byId.values()].map((endpoint) => liveCompute(endpoint, projectId));
}

/**
 * Why the list is not that of this project's computes: one of another project (or that does not say of which), or one whose id could
 * not stand in a path. Left out, its place would look empty, and what is declared there would be made anew; taken in, it would be pruned.
 */
function foreignIn({ endpoints }: EndpointList, projectId: string): string | null {
  for (const { id, project_id: owner } of endpoints) {
    const name = `lists the compute "${inert(id, 80)}"`;
    if (!ID.test(id)) return `${name}, whose id is malformed`;
    if (owner === undefined) return `${name} without its project`;
    if (owner !== projectId) return `${name} of another project`;
  }
  const twice = contradictionIn(endpoints, (endpoint) => liveCompute(endpoint, projectId));
  return twice === null ? null : `lists the compute "${inert(twice, 80)}" twice, with different values`;
}

async function show(reader: Reader, { id, projectId }: Shown, signal: AbortSignal): Promise<LiveResource | null> {
  const path = `${projectPath(projectId)}/endpoints/${ID.test(id) ? id : ''}`;
  const isIt = ({ endpoint }: EndpointReply): boolean => endpoint.id === id && endpoint.project_id === projectId;
  return shownBy(
    reader.get<EndpointReply>(path, 'EndpointReply', {
      signal,
      problemOf: (body) => (isIt(body) ? null : 'is about another compute'),
    }),
    ({ endpoint }) => liveCompute(endpoint, projectId ?? ''),
  );
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
  if (isAnother) return null;
  // A new compute always starts: a reply without an operation leaves it out.
  return { ...made(step, endpoint.id, operations, false), madeAtMs: millisecondsOf(endpoint.created_at) };
}

/** A restart's and a deletion's body may be anything; what names another compute is never ours. */
function outcomeOfChange(step: Step, id: string, reply: Json): WriteOutcome | null {
  const mayBeBare = step.action === 'restart' || step.method === 'DELETE';
  const named = objectOf(objectOf(reply)['endpoint']);
  const { id: namedId = id, project_id: projectId = step.projectId } = named;
  if (namedId !== id || projectId !== step.projectId) return null;
  const result = checkReply<EndpointReply>('EndpointReply', reply);
  if (result.ok) {
    const { endpoint, operations = null } = result.value;
    const isAtRest = step.action !== 'restart' && (step.method === 'DELETE' || isResting(endpoint));
    return made(step, id, operations, isAtRest);
  }
  if (!mayBeBare) return null;
  const bare = checkReply<OperationList>('OperationList', reply);
  return made(step, id, bare.ok ? bare.value.operations : null, step.method === 'DELETE');
}

/** What does not run takes new settings at its next start; nothing has to be carried out now. */
function isResting({ current_state: state, pending_state: pending }: Endpoint): boolean {
  return state === 'idle' && (pending === undefined || pending === null);
}

/**
 * Operations of another project or compute are none of ours. That there is none is believed only where none is needed (`isAtRest`):
 * a reply may leave out what it started, and that may fail.
 */
function made(step: Step, id: string, operations: readonly Operation[] | null, isAtRest: boolean): WriteOutcome {
  const { projectId } = step;
  assert(projectId !== null, 'a compute has no project');
  const own = (operations ?? []).filter(
    (operation) => (operation.project_id ?? projectId) === projectId && (operation.endpoint_id ?? id) === id,
  );
  const isTold = own.length > 0 || (operations?.length === 0 && isAtRest);
  const refs = isTold ? own.map((operation) => toRef(operation, projectId)) : null;
  return { id, operations: refs, secret: null, record: {} };
}

function toRef(operation: Operation, projectId: string): OperationRef {
  const { id, action, status, failures_count: failuresCount = 0 } = operation;
  return { id, projectId, action, status, failuresCount };
}

/** A branch takes one read_write compute; only its name keeps a second replica out. */
function recognise({ expects: { joins }, achieves }: Step): Recognise {
  if (joins?.where['type'] === 'read_write') return 'slot';
  return typeof achieves?.['name'] === 'string' ? 'mark' : 'nothing';
}

/** A compute that does not run is not woken to be restarted. */
function needless(
  { action, options }: Step,
  live: LiveResource,
  operations: readonly OperationRecord[],
): string | null {
  if (action !== 'restart') return null;
  const sinceMs = restartSinceMs(options) ?? Infinity;
  const startedAtMs = Math.max(...startsOf(live, operations).map(({ atMs }) => atMs));
  if (startedAtMs >= sinceMs) return startWords(startedAtMs);
  const state = textOf(live.observed['current_state']);
  if (state === null || state === 'active') return null;
  return 'the compute is not running, and its next start satisfies the restart';
}

/** Null where its branch has no database. Rejects with `ApiFailure`. */
async function uriAt(
  address: string,
  { id, projectId, spec: { branch_id: branchId } }: LiveResource,
  reader: Reader,
  signal: AbortSignal,
): Promise<string | null> {
  if (typeof branchId !== 'string') return null;
  const { databases } = await reader.get<DatabaseListing>(
    contentsPath(projectId, branchId, 'databases'),
    'DatabaseListing',
    { signal, problemOf: (body) => strangerIn(body.databases, branchId, 'database') },
  );
  const [first] = databases;
  return first === undefined
    ? null
    : uriThrough(address, { compute: id, role: first.owner_name, database: first.name });
}
