// Computes as a table: listed by project in one request, and distinguished by branch, type and name (api-rules 4).
import type { DatabaseListing, Endpoint } from '../../api/index.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import type { KindRemote, Recognise } from '../../apply/kind-remote.ts';
import type { Reader } from '../../client/types.ts';
import { PROJECT } from '../../model/kind.ts';
import type { Described, LiveResource, OperationRecord } from '../../model/live.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { isReference } from '../../model/values.ts';
import type { KindRules } from '../../plan/kind-rules.ts';
import { defineKind, type Kind, type KindTable } from '../define.ts';
import { foreignIn, strangerIn } from '../shared/branch-contents.ts';
import { columns, itemPath } from '../shared/wire.ts';
import { contentsPath, projectPath, uriThrough } from '../shared/paths.ts';
import { attributes } from './attributes.ts';
import { computeEffects, sizeWords } from './effects.ts';
import { checkComputes, entryProblems, exclusions, meansOf, writtenComputes } from './entry.ts';
import { computeVerdict, restartSinceMs, startsOf, startWords, branchFacts, removalGuard } from './verdict.ts';

const ID = /^ep-[a-z0-9-]{1,57}$/;

export const table: KindTable<Endpoint> = {
  kind: 'compute',
  parent: PROJECT,
  section: 'computes',
  segment: null,
  isOnlyDeclared: false,
  isSerial: false,
  isPruned: true,
  operations: {
    subjectOf: ({ resourceId }) => resourceId,
    names: 'itself',
    starts: {
      create: ['create_compute', 'start_compute'],
      update: ['apply_config'],
      move: ['apply_config'],
      restart: ['suspend_compute', 'start_compute'],
      delete: ['suspend_compute'],
    },
    last: 'suspend_compute',
  },
  collection: ({ projectId }) => `${projectPath(projectId)}/endpoints`,
  wire: {
    list: 'EndpointList',
    items: 'endpoints',
    reply: 'EndpointReply',
    item: 'endpoint',
    shown: 'EndpointReply',
    // Refuses a list with a compute of another project: a plan could prune that compute, or create a present compute a second time.
    problemOf: foreignIn('compute', ID, false),
    startsNone: ({ current_state: state, pending_state: pending = null }, { action, method }) =>
      action !== 'restart' && (method === 'DELETE' || (state === 'idle' && pending === null)),
  },
  attributes,
  observed: [
    'host',
    'proxy_host',
    'current_state',
    'pending_state',
    'last_active',
    'started_at',
    'suspended_at',
    'disabled',
    'creation_source',
    'created_at',
    'updated_at',
  ],
  passing: ['current_state', 'updated_at', 'last_active'],
  poolWords: ({ type, branch_id: branch }) =>
    `${type === 'read_write' ? 'the' : 'a'} ${String(type ?? 'untyped')} compute of ${String(branch ?? 'no branch')}`,
  place: ({ type, branch_id: branch }) => {
    const id = isReference(branch) ? branch.ref : branch;
    return type === 'read_write' && typeof id === 'string' ? `the primary of ${id}` : null;
  },
  excludes: exclusions,
  problems: entryProblems,
  means: meansOf,
  check: checkComputes,
  written: writtenComputes,
  requests: {
    restart: (input) => ({ method: 'POST', path: `${itemPath(table, input)}/restart`, body: null }),
  },
  parts,
  describe,
  recognise,
  needless,
  uriAt,
  facts: branchFacts,
  verdict: computeVerdict,
  effects: computeEffects,
  removalGuard,
};

export const compute: Kind = defineKind(table);

/** The service creates the first compute of a project with defaults, so a second request sends the declared attributes. */
function parts(
  action: 'create' | 'update',
  { branch_id: branchId = null, type = null, ...rest }: JsonObject,
  isAlong: boolean,
): ReturnType<NonNullable<KindRules['parts']>> {
  if (action !== 'create' || !isAlong || Object.keys(rest).length === 0) return [];
  return [
    { name: 'main', attributes: { branch_id: branchId, type } },
    { name: 'rest', attributes: rest },
  ];
}

function describe({ spec, observed }: LiveResource): Described {
  const { host = null, last_active: lastActive = null } = observed;
  const size = sizeWords(spec);
  const used = lastActive === null ? 'never seen active' : `last active ${String(lastActive)}`;
  return {
    columns: columns({
      branch_id: textOf(spec['branch_id']),
      state: textOf(observed['current_state']) ?? textOf(observed['pending_state']),
      host: textOf(host),
    }),
    facts: { host, size, last_active: lastActive },
    words: [size, used, host].filter((part) => part !== null).join(', '),
    summary: [table.poolWords(spec), size, host].filter((part) => part !== null).join(', '),
  };
}

/** A branch has one primary but many replicas, so after a lost reply only the name identifies a replica. */
function recognise({ expects: { joins }, achieves }: Step): Recognise {
  if (joins?.where['type'] === 'read_write') return 'slot';
  return typeof achieves?.['name'] === 'string' ? 'mark' : 'nothing';
}

/** Returns why no restart is needed, else null: a start already satisfies the step, or the compute is not running and its next start will. */
function needless(
  { action, options }: Step,
  live: LiveResource,
  operations: readonly OperationRecord[],
): string | null {
  if (action !== 'restart') return null;
  const sinceMs = restartSinceMs(options) ?? Infinity;
  const startedAtMs = Math.max(...startsOf(live, operations));
  if (startedAtMs >= sinceMs) return startWords(startedAtMs);
  const state = textOf(live.observed['current_state']);
  if (state === null || state === 'active') return null;
  return 'the compute is not running, and its next start satisfies the restart';
}

/** Returns a connection string; null for a branch without a database. */
async function uriAt(
  address: string,
  { id, projectId, spec: { branch_id: parentId } }: LiveResource,
  reader: Reader,
  signal: AbortSignal,
): ReturnType<NonNullable<KindRemote['uriAt']>> {
  if (typeof parentId !== 'string') return null;
  const path = contentsPath(projectId, parentId, 'databases');
  const problemOf = ({ databases }: DatabaseListing): string | null => strangerIn(databases, parentId, 'database');
  const { databases } = await reader.get<DatabaseListing>(path, 'DatabaseListing', { signal, problemOf });
  const [first] = databases;
  return first === undefined
    ? null
    : uriThrough(address, { compute: id, role: first.owner_name, database: first.name });
}
