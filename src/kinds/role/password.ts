// The password of a role: its record, its rotation, and reading it again.
import type { Contents, FactsInput } from '../../apply/kind-remote.ts';
import type { RolePasswordReply, RoleWritten } from '../../api/index.ts';
import { millisecondsOf } from '../../base/time/clock.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import type { RecordShape } from '../../apply/sinks/record.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { sinkFacts } from '../shared/secret-sinks.ts';
import type { ResourceId } from '../../model/desired.ts';

export const RECORD: RecordShape = {
  members: ['project', 'branch', 'role', 'password', 'updated_at'],
  secrets: ['password'],
  owner: ['project', 'role'],
  required: ['branch'],
};

interface RoleIdentity {
  readonly projectId: string | null;
  readonly branchId: ResourceId;
  readonly name: string;
  /** Undefined if the service does not show the time. */
  readonly updatedAt: string | undefined;
}

function recordFacts({ projectId, branchId, name, updatedAt }: RoleIdentity): JsonObject {
  return {
    project: projectId,
    branch: branchId,
    role: name,
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  };
}

/** Null if the service does not show the time. */
export function setAtMs({ observed }: LiveResource): number | null {
  return millisecondsOf(observed['updated_at']);
}

/** The record of the present password, without its value. */
export function recordOf({ projectId, parentId = '', spec, observed }: LiveResource): JsonObject {
  const updatedAt = textOf(observed['updated_at']) ?? undefined;
  return recordFacts({ projectId, branchId: parentId, name: String(spec['name']), updatedAt });
}

/** The role is read first: if the password changes in between, the record shows an older time, and is read again. */
export async function contentsOf(reader: Reader, of: Below, spec: JsonObject, signal: AbortSignal): Promise<Contents> {
  const { projectId, parentId = '' } = of;
  const name = String(spec['name']);
  const path = `${contentsPath(projectId, parentId, 'roles')}/${nameSegment(name)}`;
  const { role } = await reader.get<RoleWritten>(path, 'RoleWritten', { signal });
  try {
    const { password } = await reader.get<RolePasswordReply>(`${path}/reveal_password`, 'RolePasswordReply', {
      signal,
    });
    const facts = recordFacts({ projectId, branchId: parentId, name, updatedAt: role.updated_at });
    return { facts, secrets: { password: new Secret(password) } };
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status !== 412) throw error;
    return { problem: 'the service stores no passwords in this project, so this password cannot be read again' };
  }
}

export async function gatherFacts(input: FactsInput): Promise<JsonObject | null> {
  const records = input.live.map(recordOf);
  return sinkFacts(input, { kind: 'role', shape: RECORD, recordsOf: () => records });
}
