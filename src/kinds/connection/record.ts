// What is kept of a connection in its places: `{uri, host, pooled_host, database, role, password, updated_at}`.
import type { Contents, ToldSecret } from '../../apply/kind-remote.ts';
import type { RecordShape } from '../../apply/sinks/record.ts';
import type { ConnectionUriReply, RoleWritten } from '../../api/index.ts';
import type { JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import { contentsPath, nameSegment, projectPath } from '../shared/paths.ts';
import { pooledHost } from './live-connection.ts';

export const RECORD: RecordShape = {
  members: ['uri', 'host', 'pooled_host', 'database', 'role', 'password', 'updated_at'],
  secrets: ['uri', 'password'],
  // Which one it is nobody but its file says: another one of the same place takes over.
  owner: [],
  required: ['host', 'database', 'role'],
  tells: ({ uri }) => ({ pooled: isPooled(String(uri)) }),
};

/** Whether a connection string leads to a pooler: by its host, or by the option that names the compute where all share one host. */
function isPooled(uri: string): boolean {
  const url = URL.parse(uri);
  if (url === null) return false;
  return /^[^.]*-pooler(?:\.|$)/.test(url.hostname) || (url.searchParams.get('options') ?? '').endsWith('-pooler');
}

/** Empty where it has none; null for what is no connection string. */
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

/** The role first: where its password is set in between, the record shows an older time than the password has, and is read anew. */
export async function contentsOf(
  reader: Reader,
  of: Below,
  what: JsonObject,
  signal: AbortSignal,
  made?: ToldSecret,
): Promise<Contents> {
  const { projectId, parentId = '' } = of;
  const { role, database, pooled, host, compute } = what;
  const path = `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(String(role))}`;
  const shown = await reader.get<RoleWritten>(path, 'RoleWritten', { signal });
  const { uri } = await reader.get<ConnectionUriReply>(
    `${projectPath(projectId)}/connection_uri`,
    'ConnectionUriReply',
    {
      signal,
      query: {
        branch_id: parentId,
        endpoint_id: String(compute),
        database_name: String(database),
        role_name: String(role),
        ...(pooled === true ? { pooled: 'true' } : {}),
      },
    },
  );
  const shownIn = passwordIn(uri);
  if (shownIn === null) return { problem: 'the reply has no connection string' };
  const isNewest = made?.facts['updated_at'] === shown.role.updated_at;
  const told = shownIn === '' && isNewest ? (made?.secret.reveal() ?? '') : shownIn;
  if (told === '')
    return { problem: 'the service stores no passwords in this project, so its connection string has none' };
  const name = String(host);
  return {
    facts: {
      host: name,
      pooled_host: pooledHost(name),
      database: database ?? null,
      role: role ?? null,
      ...(shown.role.updated_at === undefined ? {} : { updated_at: shown.role.updated_at }),
    },
    secrets: { uri: new Secret(withPassword(uri, told)), password: new Secret(told) },
  };
}
