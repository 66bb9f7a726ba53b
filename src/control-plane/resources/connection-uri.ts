// How to connect: the connection string of a compute, role and database, and the details told once in the reply that makes a branch.
import type { Engine } from '../engine/engine.ts';
import { computeHost } from '../engine/naming.ts';
import { notFound } from '../engine/refusal.ts';
import { ok, param } from '../http/route.ts';
import type { ReplyBody, Route } from '../http/route.ts';
import type { BranchRecord } from './branch/record.ts';
import type { ComputeRecord } from './compute/record.ts';
import { findDatabase } from './database.ts';
import { findBranch, findProject, oldestFirst } from './find.ts';
import { findRole, passwordOf } from './role.ts';

export interface UriQuery {
  readonly branch_id?: string;
  readonly endpoint_id?: string;
  readonly database_name?: string;
  readonly role_name?: string;
  readonly pooled?: boolean;
}

/** GET /projects/{project_id}/connection_uri. */
function connectionUri(engine: Engine, projectId: string, query: UriQuery): string {
  findProject(engine, projectId);
  const computes = oldestFirst(engine.live.computes.of.get(projectId));
  const compute = computes.find(
    (item) =>
      (query.endpoint_id === undefined || item.id === query.endpoint_id) &&
      (query.branch_id === undefined || item.branchId === query.branch_id),
  );
  if (compute === undefined) throw notFound('endpoint', query.endpoint_id ?? query.branch_id ?? '');
  const branch = findBranch(engine, projectId, compute.branchId);
  const role = findRole(branch, query.role_name ?? branch.roles[0]?.name ?? '');
  const database = findDatabase(branch, query.database_name ?? branch.databases[0]?.name ?? '');
  const host = computeHost(query.pooled === true ? `${compute.id}-pooler` : compute.id, compute.regionId);
  const user = `${encodeURIComponent(role.name)}:${passwordOf(branch, role)}`;
  return `postgresql://${user}@${host}/${encodeURIComponent(database.name)}?sslmode=require`;
}

/** `connection_uris` where they are unambiguous: the branch has a compute, one role and one database. */
export function connectionDetails(engine: Engine, branch: BranchRecord, computes: readonly ComputeRecord[]): ReplyBody {
  const [compute] = computes;
  if (compute === undefined || branch.roles.length !== 1 || branch.databases.length !== 1) return {};
  const query = { branch_id: branch.id, endpoint_id: compute.id };
  const uri = connectionUri(engine, branch.projectId, query);
  const { hostname, username, password, pathname } = new URL(uri);
  const parameters = {
    database: decodeURIComponent(pathname.slice(1)),
    password: decodeURIComponent(password),
    role: decodeURIComponent(username),
    host: hostname,
    pooler_host: new URL(connectionUri(engine, branch.projectId, { ...query, pooled: true })).hostname,
  };
  return { connection_uris: [{ connection_uri: uri, connection_parameters: parameters }] };
}

export const connectionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/projects/{project_id}/connection_uri',
    id: 'getConnectionUri',
    tag: 'Branches',
    summary: 'A connection string',
    query: [
      { name: 'branch_id', type: 'string', description: 'Branch; default: that of the compute.' },
      { name: 'endpoint_id', type: 'string', description: 'Compute; default: the oldest of the branch.' },
      { name: 'database_name', type: 'string', description: 'Database; default: the first.' },
      { name: 'role_name', type: 'string', description: 'Role; default: the first.' },
      { name: 'pooled', type: 'boolean', description: 'Through the pooler.' },
    ],
    replies: { 200: 'ConnectionUriReply' },
    run: (call, input) => ok({ uri: connectionUri(call.engine, param(input, 'project_id'), input.query) }),
  },
];
