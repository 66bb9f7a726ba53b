// Connection strings, and the connection details in the reply to a new branch.
import type { Operations } from '../../../api/index.ts';
import type { Secret } from '../../../base/secret.ts';
import type { Engine } from '../engine/engine.ts';
import { computeHost } from '../engine/naming.ts';
import { notFound } from '../../core/refusal.ts';
import type { Handler, ReplyBody } from '../engine/call.ts';
import type { BranchRecord } from '../branch/record.ts';
import type { ComputeRecord } from '../compute/record.ts';
import { defaultBranch, findBranch, findCompute, findDatabase, findRole, oldestFirst } from '../find.ts';

type UriQuery = Operations['getConnectionUri'];

export const getConnectionUri: Handler<'getConnectionUri'> = ({ engine }, query) => {
  const compute = computeFor(engine, query);
  const branch = findBranch(engine, query.project_id, compute.branchId);
  const names = { database: findDatabase(branch, query.database_name).name, role: query.role_name };
  return { uri: uriOf(engine, compute, branch, { ...names, pooled: query.pooled === true }) };
};

function computeFor(engine: Engine, query: UriQuery): ComputeRecord {
  const { project_id: projectId } = query;
  if (query.endpoint_id !== undefined) {
    const compute = findCompute(engine, projectId, query.endpoint_id);
    if (query.branch_id !== undefined && compute.branchId !== query.branch_id)
      throw notFound('endpoint', query.endpoint_id);
    return compute;
  }
  const branchId = findBranch(engine, projectId, query.branch_id ?? defaultBranch(engine, projectId)?.id ?? '').id;
  const computes = oldestFirst(engine.live.computes.on.get(branchId));
  const compute = computes.find(({ type }) => type === 'read_write') ?? computes[0];
  if (compute === undefined) throw notFound('endpoint', branchId);
  return compute;
}

interface Named {
  readonly database: string;
  readonly role: string;
  readonly pooled: boolean;
  readonly password?: string | undefined;
}

/** The connection string. With Postgres servers, all computes share one address, so an option names the compute. */
function uriOf({ works }: Engine, compute: ComputeRecord, branch: BranchRecord, named: Named): string {
  const { database, role, pooled } = named;
  const password = 'password' in named ? named.password : findRole(branch, role).password?.reveal();
  const name = pooled ? `${compute.id}-pooler` : compute.id;
  const host = works?.address ?? computeHost(name, compute.regionId);
  const option = works === undefined ? '' : `&options=endpoint%3D${name}`;
  const user = encodeURIComponent(role) + (password === undefined ? '' : `:${encodeURIComponent(password)}`);
  return `postgresql://${user}@${host}/${encodeURIComponent(database)}?sslmode=require${option}`;
}

/** `connection_uris`, if there are a compute, one role and one database. `passwords` has the new passwords. */
export function connectionDetails(
  engine: Engine,
  branch: BranchRecord,
  computes: readonly ComputeRecord[],
  passwords: ReadonlyMap<string, Secret>,
): ReplyBody {
  const [compute] = computes;
  const [role] = branch.roles;
  const [database] = branch.databases;
  if (compute === undefined || branch.roles.length !== 1 || branch.databases.length !== 1) return {};
  if (role === undefined || database === undefined) return {};
  const password = (passwords.get(role.name) ?? role.password)?.reveal();
  const names = { database: database.name, role: role.name };
  const parameters = {
    ...names,
    // The documented reply always has a password; it is empty if the password is not known.
    password: password ?? '',
    host: computeHost(compute.id, compute.regionId),
    pooler_host: computeHost(`${compute.id}-pooler`, compute.regionId),
  };
  const uri = uriOf(engine, compute, branch, { ...names, pooled: false, password });
  return { connection_uris: [{ connection_uri: uri, connection_parameters: parameters }] };
}
