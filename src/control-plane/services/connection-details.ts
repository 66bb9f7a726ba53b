// How to connect to a new branch, told once in the reply that makes it.
import type { Engine } from '../engine/engine.ts';
import type { BranchRecord, ComputeRecord } from '../records.ts';
import { connectionUri } from './databases.ts';

type Reply = Record<string, unknown>;

/** `connection_uris` where they are unambiguous: the branch has a compute, one role and one database. */
export function connectionDetails(engine: Engine, branch: BranchRecord, computes: readonly ComputeRecord[]): Reply {
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
