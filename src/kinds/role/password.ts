// The password of a role: where it is kept, when a new one takes over, and how the present one is read again.
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
  /** When its password was last changed, as the service writes it; undefined where it does not tell. */
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

/** When the password was set, milliseconds; null if the service does not show it. */
export function setAtMs({ observed }: LiveResource): number | null {
  return millisecondsOf(observed['updated_at']);
}

/** Why a new one is to be made now; `due` where only its age asks for it. Null while the present one stays, or nobody knows its age. */
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

/** The record that its places should hold now, without the password. */
export function recordOf({ projectId, parentId = '', spec, observed }: LiveResource): JsonObject {
  const updatedAt = textOf(observed['updated_at']) ?? undefined;
  return recordFacts({ projectId, branchId: parentId, name: String(spec['name']), updatedAt });
}

/** The role first: where its password is set in between, the record shows an older time than the password has, and is read anew. */
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

/** Whether a project keeps passwords is asked only where a place lacks the newest record: elsewhere it makes no difference. */
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
