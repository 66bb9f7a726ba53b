// Roles of a reply as live resources, and what is kept beside a password. The service gives them no id: branch and name are what tells one.
import { millisecondsOf } from '../../base/time/clock.ts';
import type { RoleListItem } from '../../api/index.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { Below, KindPlace } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { RecordShape } from '../../apply/sinks/record.ts';
import { ON_A_BRANCH } from '../shared/branch-contents.ts';
import { shownMembers } from '../shared/lists.ts';

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

/** What stands beside the password: whose it is, and which one of it. */
export function recordFacts({ projectId, branchId, name, updatedAt }: RoleIdentity): JsonObject {
  return {
    project: projectId,
    branch: branchId,
    role: name,
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  };
}

export const PLACE: KindPlace = {
  kind: 'role',
  parent: 'branch',
  section: 'roles',
  segment: 'roles',
  operations: ON_A_BRANCH,
};

/** `BRANCH/NAME`: unique in the account. */
export function roleId(branchId: ResourceId, name: string): ResourceId {
  return `${branchId}/${name}`;
}

/** The branch and the name that an id of `roleId` holds. */
export function partsOf(id: ResourceId): readonly [branchId: ResourceId, name: string] {
  const end = id.indexOf('/');
  return [id.slice(0, end), id.slice(end + 1)];
}

export function liveRole(role: RoleListItem, { projectId, parentId = '' }: Below): LiveResource {
  const { name, authentication_method: method } = role;
  return {
    kind: PLACE.kind,
    id: roleId(parentId, name),
    projectId,
    parentId,
    spec: { name, ...(method === undefined ? {} : { no_login: method === 'no_login' }) },
    observed: shownMembers(role, ['created_at', 'updated_at', 'protected']),
    createdAtMs: millisecondsOf(role.created_at),
  };
}
