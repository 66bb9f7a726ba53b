// The record of a connection in its sinks: `{uri, host, pooled_host, database, role, password, updated_at}`.
import type { ConnectionUriReply, RoleWritten } from '../../api/index.ts';
import type { Contents, ToldSecret } from '../../apply/kind-remote.ts';
import type { RecordShape } from '../../apply/sinks/sink.ts';
import { textOf, type Json, type JsonObject } from '../../base/json.ts';
import { listed, present } from '../../base/picked.ts';
import { Secret } from '../../base/secret.ts';
import type { Reader } from '../../client/types.ts';
import type { Attributes } from '../../model/attributes.ts';
import type { DesiredResource, ResourceId } from '../../model/desired.ts';
import type { Below } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { flag, plain, text } from '../define.ts';
import { ofKind, primaryOf } from '../shared/effects.ts';
import { projectPath, rolePath } from '../shared/paths.ts';

export const RECORD: RecordShape = {
  members: ['uri', 'host', 'pooled_host', 'database', 'role', 'password', 'updated_at'],
  secrets: ['uri', 'password'],
  // No member names an owner: only the file names connections, so another connection may take over the sink.
  owner: [],
  required: ['host', 'database', 'role'],
  tells: ({ uri }) => ({ pooled: isPooled(String(uri)) }),
};

/** True for the URI of a pooler. The local server has one host for all computes, so there `options` names the compute or its pooler. */
function isPooled(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null) return false;
  return /^[^.]*-pooler(?:\.|$)/.test(url.hostname) || (url.searchParams.get('options') ?? '').endsWith('-pooler');
}

/** Returns the password in the URI, empty if the URI has none; null for a text that is no connection string. */
function passwordIn(uri: string): string | null {
  try {
    return decodeURIComponent(new URL(uri).password);
  } catch {
    return null;
  }
}

function withPassword(uri: string, password: string): string {
  const url = new URL(uri);
  if (url.password !== '') return uri;
  url.password = encodeURIComponent(password);
  return url.href;
}

/** Reads the role first: if the password is reset between the two reads, the record has the older time, and so counts as stale. */
export async function contentsOf(
  reader: Reader,
  of: Below,
  what: JsonObject,
  signal: AbortSignal,
  made?: ToldSecret,
): Promise<Contents> {
  const { role, database, pooled, compute } = what;
  const shown = await reader.get<RoleWritten>(rolePath(of, String(role)), 'RoleWritten', { signal });
  const query = {
    branch_id: of.parentId ?? '',
    endpoint_id: String(compute),
    database_name: String(database),
    role_name: String(role),
    ...(pooled === true ? { pooled: 'true' } : {}),
  };
  const path = `${projectPath(of.projectId)}/connection_uri`;
  const { uri } = await reader.get<ConnectionUriReply>(path, 'ConnectionUriReply', { signal, query });
  const shownIn = passwordIn(uri);
  if (shownIn === null) return { problem: 'the reply has no connection string' };
  const isNewest = made?.facts['updated_at'] === shown.role.updated_at;
  const told = shownIn === '' && isNewest ? (made?.secret.reveal() ?? '') : shownIn;
  if (told === '')
    return { problem: 'the service stores no passwords in this project, so the connection string has no password' };
  return {
    facts: factsOf(what, shown.role.updated_at),
    secrets: { uri: new Secret(withPassword(uri, told)), password: new Secret(told) },
  };
}

export const KIND = 'connection';

export const attributes: Attributes = {
  role: text({
    tells: true,
    isIdentity: true,
    refersTo: { kind: 'role', field: 'name', among: 'siblings' },
  }),
  database: text({
    tells: true,
    isIdentity: true,
    refersTo: { kind: 'database', field: 'name', among: 'siblings' },
  }),
  pooled: flag({ isIdentity: true }),
  host: plain({ isIdentity: true }),
};

interface Parts {
  readonly role: LiveResource | undefined;
  readonly database: LiveResource | undefined;
  readonly compute: LiveResource | undefined;
  readonly missing: readonly string[];
}

export function partsOf(
  { spec }: DesiredResource,
  branchId: ResourceId | null,
  around: readonly LiveResource[],
): Parts {
  const on = (kind: string, name: unknown): LiveResource | undefined =>
    ofKind(around, kind).find(({ parentId, spec }) => parentId === branchId && spec['name'] === name);
  const role = on('role', spec['role']);
  const database = on('database', spec['database']);
  const compute = primaryOf(branchId, around);
  const missing = listed(
    role === undefined && `the role ${JSON.stringify(spec['role'] ?? '?')}`,
    database === undefined && `the database ${JSON.stringify(spec['database'] ?? '?')}`,
    compute === undefined && 'a primary compute of its branch',
  );
  return { role, database, compute, missing };
}

/** Derives the live connection; null while its role, database or primary is missing. Its id joins the id of the branch and the declared name. */
export function liveConnection(
  desired: DesiredResource,
  { projectId, parentId }: { readonly projectId: string | null; readonly parentId: ResourceId | null },
  around: readonly LiveResource[],
): LiveResource | null {
  const { role, database, compute } = partsOf(desired, parentId, around);
  if (parentId === null || role === undefined || database === undefined || compute === undefined) return null;
  return {
    kind: KIND,
    id: `${parentId}/${desired.name}`,
    projectId,
    parentId,
    spec: { ...desired.spec, host: compute.observed['host'] ?? null },
    observed: { compute: compute.id, ...present({ updated_at: textOf(role.observed['updated_at']) }) },
    createdAtMs: null,
  };
}

export function pooledHost(host: string): string {
  return host.replace(/^[^.]*/, (first) => `${first}-pooler`);
}

/** Returns the record without its secrets. `pooled` distinguishes two connections of one role and database. */
export function factsOf(
  { role = null, database = null, pooled = false, host }: JsonObject,
  updatedAt: Json | undefined,
): JsonObject {
  const hosts = typeof host === 'string' ? { host, pooled_host: pooledHost(host) } : {};
  return { database, role, pooled, ...hosts, ...present({ updated_at: textOf(updatedAt) }) };
}
