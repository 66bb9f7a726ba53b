// The password of a role: its record, its rotation, and reading it again.
import { hasPlaces } from '../shared/secret-places.ts';
import type { Contents, FactsInput } from '../../apply/kind-remote.ts';
import type { RolePasswordReply, RoleWritten } from '../../api/index.ts';
import { formatDuration, humanDuration } from '../../base/time/duration.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { textOf, type JsonObject } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { isStale, type RecordShape } from '../../apply/sinks/record.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { Below } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import { contentsPath, nameSegment } from '../shared/paths.ts';
import { gatherPlaces, placesToJson, unkeptAround, type PlaceFact } from '../shared/secret-facts.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Rotation } from '../shared/secret-rotation.ts';

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

/** `due` is true if only the age asks for a new password. Null while the present password stays, or its age is unknown. */
export function demandOf(
  setMs: number | null,
  { everyMs, notBeforeMs }: Rotation,
  nowMs: number,
): { readonly due: boolean; readonly reason: string } | null {
  if (setMs === null) return null;
  if (notBeforeMs !== null && nowMs >= notBeforeMs && setMs < notBeforeMs)
    return { due: false, reason: `the password was set before ${isoTime(notBeforeMs)}` };
  if (everyMs === null || nowMs - setMs < everyMs) return null;
  const age = humanDuration(nowMs - setMs);
  return { due: true, reason: `the password is ${age} old, and is rotated every ${formatDuration(everyMs)}` };
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

/** The question whether a project keeps passwords matters only if a sink lacks the newest record. */
export async function gatherFacts(input: FactsInput): Promise<JsonObject | null> {
  if (!hasPlaces(input.desired)) return null;
  const gathered = await gatherPlaces(input, { kind: 'role', shape: RECORD });
  const isCurrent = ({ state, holds }: PlaceFact): boolean =>
    state !== 'absent' && input.live.some((role) => !isStale(holds, recordOf(role)));
  const lacking = input.desired.filter(
    ({ address, absent }) => !absent && !(gathered.places[address] ?? []).every(isCurrent),
  );
  return placesToJson({ ...gathered, unkept: await unkeptAround(input, lacking) });
}
