// What is kept of a role in its places: `{project, branch, role, password, updated_at}`.
import type { RecordShape } from '../../apply/sinks/record.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';

export const RECORD: RecordShape = {
  members: ['project', 'branch', 'role', 'password', 'updated_at'],
  secrets: ['password'],
  owner: ['project', 'role'],
  required: ['branch'],
};

export interface RoleIdentity {
  readonly projectId: string | null;
  readonly branchId: ResourceId;
  readonly name: string;
  /** When its password was last changed, as the service writes it; undefined where it does not tell. */
  readonly updatedAt: string | undefined;
}

/** What stands beside the password: whose it is, and which one of it. */
export function recordFacts({ projectId, branchId, name, updatedAt }: RoleIdentity): JsonObject {
  return {
    project: projectId,
    branch: branchId,
    role: name,
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  };
}
