// The handlers of a project's permissions.
import { noteChange, type Call, type Handler, type ReplyBody } from '../engine/call.ts';
import { newUuid } from '../engine/naming.ts';
import { Refusal, badRequest, notFound } from '../../core/refusal.ts';
import { oldestFirst } from '../find.ts';
import { presentPermission, type PermissionRecord } from './record.ts';

export const listProjectPermissions: Handler<'listProjectPermissions'> = ({ engine }, { project_id: projectId }) => {
  const all = oldestFirst(engine.live.permissions.of.get(projectId));
  const listsRevoked = engine.switches.revokedPermissions === 'listed';
  return {
    project_permissions: all.filter(({ revokedMs }) => listsRevoked || revokedMs === undefined).map(presentPermission),
  };
};

/** POST …/permissions: by default, answers a repeated grant with the existing permission (switch `regrant`). */
export const grantPermissionToProject: Handler<'grantPermissionToProject'> = (call, input) => {
  const { engine, atMs } = call;
  const {
    project_id: projectId,
    body: { email },
  } = input;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw badRequest('email is not an address');
  if (engine.switches.unknownGrantee === 'refused_404' && email !== engine.meta.account.email)
    throw new Refusal(404, `user not found; email:${JSON.stringify(email)}`);
  for (const known of engine.live.permissions.of.get(projectId)) {
    if (known.revokedMs !== undefined || known.email !== email) continue;
    if (engine.switches.regrant === 'same_grant') return presentPermission(known);
    throw new Refusal(409, `the project is shared with this address already; email:${JSON.stringify(email)}`);
  }
  const permission: PermissionRecord = { id: newUuid(engine.random), projectId, email, createdMs: atMs };
  return stored(call, permission, null);
};

export const revokePermissionFromProject: Handler<'revokePermissionFromProject'> = (call, input) => {
  const { engine } = call;
  const { project_id: projectId, permission_id: permissionId } = input;
  const before = engine.live.permissions.get(permissionId);
  if (before?.projectId !== projectId || before.revokedMs !== undefined) throw notFound('permission', permissionId);
  return stored(call, { ...before, revokedMs: call.atMs }, presentPermission(before));
};

function stored(call: Call, permission: PermissionRecord, before: ReplyBody | null): ReplyBody {
  const { id, projectId } = permission;
  call.engine.put('permissions', permission);
  const after = presentPermission(permission);
  noteChange(call, { kind: 'permission', id, projectId, before, after });
  return after;
}
