// The record of a connection in its sinks: `{uri, host, pooled_host, database, role, password, updated_at}`.
import type { Contents, ToldSecret } from '../../apply/kind-remote.ts';
import type { RecordShape } from '../../apply/sinks/sink.ts';
import type { ConnectionUriReply, RoleWritten } from '../../api/index.ts';
import type { JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import { projectPath, rolePath } from '../shared/paths.ts';
import { factsOf } from './parts.ts';

export const RECORD: RecordShape = {
  members: ['uri', 'host', 'pooled_host', 'database', 'role', 'password', 'updated_at'],
  secrets: ['uri', 'password'],
  // No member names an owner: only the file names connections, so another connection may take over the sink.
  owner: [],
  required: ['host', 'database', 'role'],
  tells: ({ uri }) => ({ pooled: isPooled(String(uri)) }),
};

/** The local server has one host for all computes: there, `options` names the compute or its pooler. */
function isPooled(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null) return false;
  return /^[^.]*-pooler(?:\.|$)/.test(url.hostname) || (url.searchParams.get('options') ?? '').endsWith('-pooler');
}

/** The password in the URI, empty if it has none; null for a text that is no connection string. */
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

/** Reads the role first: after a reset in between, the record has the older time, and is then stale. */
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
