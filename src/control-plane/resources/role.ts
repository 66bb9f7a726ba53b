// Roles of a branch: list, get, create, delete, their passwords; and their routes.
import { createHash } from 'node:crypto';
import type { RoleCreateRequest } from '../../api/index.ts';
import { isoTime } from '../../base/time/clock.ts';
import type { Call } from '../engine/call.ts';
import { Refusal, notFound } from '../engine/refusal.ts';
import { created, ok, okOrNothing, param } from '../http/route.ts';
import type { ReplyBody, Route } from '../http/route.ts';
import { branchOf, changeContents, duplicate, exchanged } from './branch/contents.ts';
import type { BranchRecord, RoleRecord } from './branch/record.ts';

export function presentRole(role: RoleRecord, branchId: string): Record<string, unknown> {
  return {
    branch_id: branchId,
    name: role.name,
    protected: role.isProtected,
    created_at: isoTime(role.createdMs),
    updated_at: isoTime(role.updatedMs),
  };
}

export function findRole(branch: BranchRecord, name: string): RoleRecord {
  const role = branch.roles.find((candidate) => candidate.name === name);
  if (role === undefined) throw notFound('role', name);
  return role;
}

/** A password that is no secret: the same for the same role, made from its name. */
export function passwordOf(branch: BranchRecord, role: RoleRecord): string {
  const text = `${branch.projectId} ${branch.id} ${role.name} ${role.passwordVersion}`;
  return `local_${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}

/** POST …/roles. */
function createRole(call: Call, branch: BranchRecord, name: string): ReplyBody {
  if (branch.roles.some((role) => role.name === name)) throw duplicate(call.engine, 'role', 'ROLE_ALREADY_EXISTS');
  const times = { createdMs: call.atMs, updatedMs: call.atMs };
  const role: RoleRecord = { name, isProtected: false, passwordVersion: 1, ...times };
  return withRole(call, branch, undefined, role);
}

/** POST …/roles/{role_name}/reset_password. */
function resetPassword(call: Call, branch: BranchRecord, name: string): ReplyBody {
  const role = findRole(branch, name);
  return withRole(call, branch, role, { ...role, passwordVersion: role.passwordVersion + 1, updatedMs: call.atMs });
}

/** DELETE …/roles/{role_name}. */
function deleteRole(call: Call, branch: BranchRecord, name: string): ReplyBody | undefined {
  if (call.engine.switches.missingDelete === 204 && !branch.roles.some((role) => role.name === name)) return undefined;
  const role = findRole(branch, name);
  if (branch.databases.some((database) => database.ownerName === name))
    throw new Refusal(422, 'the role owns databases of this branch');
  const reply = withRole(call, branch, role, undefined);
  return { ...reply, role: presentRole(role, branch.id) };
}

function withRole(
  call: Call,
  branch: BranchRecord,
  before: RoleRecord | undefined,
  after: RoleRecord | undefined,
): ReplyBody {
  const show = (role: RoleRecord | undefined): ReplyBody | null =>
    role === undefined ? null : presentRole(role, branch.id);
  const roles = exchanged(branch.roles, before, after);
  const noted = { kind: 'role', id: (after ?? before)?.name ?? '', before: show(before), after: show(after) } as const;
  const operations = changeContents(call, { ...branch, roles }, noted);
  const password = after === undefined ? {} : { password: passwordOf(branch, after) };
  return { role: { ...show(after), ...password }, operations };
}

const ROLES = '/projects/{project_id}/branches/{branch_id}/roles';
const ROLE = `${ROLES}/{role_name}`;

export const roleRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: ROLES,
    id: 'listProjectBranchRoles',
    tag: 'Branches',
    summary: 'List the roles of a branch',
    replies: { 200: 'RoleList' },
    run: (call, input) => {
      const branch = branchOf(call, input);
      return ok({ roles: branch.roles.map((role) => presentRole(role, branch.id)) });
    },
  },
  {
    method: 'POST',
    path: ROLES,
    id: 'createProjectBranchRole',
    tag: 'Branches',
    summary: 'Create a role',
    body: 'RoleCreateRequest',
    replies: { 201: 'RoleOperationsReply' },
    run: (call, input) => created(createRole(call, branchOf(call, input), (input.body as RoleCreateRequest).role.name)),
  },
  {
    method: 'GET',
    path: ROLE,
    id: 'getProjectBranchRole',
    tag: 'Branches',
    summary: 'One role',
    replies: { 200: 'RoleReply' },
    run: (call, input) => {
      const branch = branchOf(call, input);
      return ok({ role: presentRole(findRole(branch, param(input, 'role_name')), branch.id) });
    },
  },
  {
    method: 'DELETE',
    path: ROLE,
    id: 'deleteProjectBranchRole',
    tag: 'Branches',
    summary: 'Delete a role',
    replies: { 200: 'RoleOperationsReply', 204: null },
    run: (call, input) => okOrNothing(deleteRole(call, branchOf(call, input), param(input, 'role_name'))),
  },
  {
    method: 'GET',
    path: `${ROLE}/reveal_password`,
    id: 'getProjectBranchRolePassword',
    tag: 'Branches',
    summary: 'The password of a role: a fixed one that opens nothing',
    replies: { 200: 'RolePasswordReply' },
    run: (call, input) => {
      const branch = branchOf(call, input);
      return ok({ password: passwordOf(branch, findRole(branch, param(input, 'role_name'))) });
    },
  },
  {
    method: 'POST',
    path: `${ROLE}/reset_password`,
    id: 'resetProjectBranchRolePassword',
    tag: 'Branches',
    summary: 'Give a role a new password',
    replies: { 200: 'RoleOperationsReply' },
    run: (call, input) => ok(resetPassword(call, branchOf(call, input), param(input, 'role_name'))),
  },
];
