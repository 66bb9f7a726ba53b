// The handlers of a branch's roles and their passwords.
import { Secret } from '../../../base/secret.ts';
import type { Call, Handler, ReplyBody } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { newSecretText } from '../engine/naming.ts';
import { Refusal } from '../../core/refusal.ts';
import type { BranchRecord } from '../branch/record.ts';
import { changeContents, exchanged, requireFree, requireName, requireRoom, type ItemChange } from './contents.ts';
import { presentRole, type RoleRecord, newVerifier } from './record.ts';

const PASSWORD_LENGTH = 16;
const RESERVED: ReadonlySet<string> = new Set([
  'neon_superuser',
  'cloud_admin',
  'cloud_pooler',
  'zenith_admin',
  'public',
  'none',
]);

export function newPassword(engine: Engine): Secret {
  return new Secret(newSecretText(engine.random, 'npg_', PASSWORD_LENGTH));
}

export function keptOf(
  engine: Engine,
  password: Secret,
  keepsPassword: boolean,
): Pick<RoleRecord, 'password' | 'verifier'> {
  if (keepsPassword) return { password };
  return engine.works === undefined ? {} : { verifier: newVerifier(password.reveal(), engine.random) };
}

export function requireRoleName(name: string): void {
  requireName('role', name, name.startsWith('pg') || RESERVED.has(name));
}

export function newRole(
  engine: Engine,
  asked: { readonly name: string; readonly noLogin?: boolean; readonly keepsPassword: boolean; readonly atMs: number },
): { readonly role: RoleRecord; readonly password: Secret | undefined } {
  const { name, noLogin = false, atMs } = asked;
  const password = noLogin ? undefined : newPassword(engine);
  const role: RoleRecord = {
    name,
    isProtected: false,
    ...(password === undefined ? {} : keptOf(engine, password, asked.keepsPassword)),
    ...(noLogin ? { noLogin } : {}),
    createdMs: atMs,
    updatedMs: atMs,
  };
  return { role, password };
}

export const createProjectBranchRole: Handler<'createProjectBranchRole'> = (call, input) => {
  const { engine, atMs, project, branch } = call;
  const asked = input.body.role;
  requireRoleName(asked.name);
  requireFree(engine, 'role', asked.name, branch.roles);
  requireRoom('role', branch.roles);
  const kept = { noLogin: asked.no_login === true, keepsPassword: project.storePasswords !== false };
  const { role, password } = newRole(engine, { name: asked.name, ...kept, atMs });
  return withRole(call, branch, { after: role }, password);
};

/** POST …/roles/{role_name}/reset_password: child branches keep the old password. */
export const resetProjectBranchRolePassword: Handler<'resetProjectBranchRolePassword'> = (call) => {
  const { engine, project, branch, role: before } = call;
  requireUnprotected(call, before, branch, 'the password of this role cannot be reset: it is protected');
  if (before.noLogin === true)
    throw new Refusal(422, `the role cannot log in; role_name:${JSON.stringify(before.name)}`);
  const password = newPassword(engine);
  const { sinceMs: _since, ...rest } = before;
  const kept = keptOf(engine, password, project.storePasswords !== false);
  const after = { ...rest, ...kept, updatedMs: call.atMs };
  return withRole(call, branch, { before, after }, password);
};

export const deleteProjectBranchRole: Handler<'deleteProjectBranchRole'> = (call) => {
  const { branch, role: before } = call;
  requireUnprotected(call, before, branch, 'a protected role cannot be deleted');
  const owned = branch.databases.filter(({ ownerName }) => ownerName === before.name);
  if (owned.length > 0)
    throw new Refusal(
      call.engine.switches.refusedDelete,
      `the role owns databases of this branch; database_name:${JSON.stringify(owned[0]?.name)}`,
    );
  return withRole(call, branch, { before });
};

function requireUnprotected({ engine }: Call, role: RoleRecord, branch: BranchRecord, why: string): void {
  if (!role.isProtected) return;
  const place = `; role_name:${JSON.stringify(role.name)}, branch_id:"${branch.id}"`;
  throw new Refusal(engine.switches.protectedRole, `${why}${place}`, { code: 'ROLE_PROTECTED' });
}

/** Stores the change of a role. The change ends the connections of the branch's primary if the primary is active. */
function withRole(call: Call, branch: BranchRecord, change: ItemChange<RoleRecord>, password?: Secret): ReplyBody {
  const contents = { roles: exchanged(branch.roles, change.before, change.after), databases: branch.databases };
  const reply = changeContents(call, branch, { ...change, kind: 'role', contents, present: presentRole, drops: true });
  if (password === undefined) return reply;
  return { ...reply, role: { ...(reply['role'] as ReplyBody), password: password.reveal() } };
}

export const getProjectBranchRolePassword: Handler<'getProjectBranchRolePassword'> = ({ project, branch, role }) => {
  const { name, password, noLogin } = role;
  const place = `; role_name:${JSON.stringify(name)}, branch_id:"${branch.id}"`;
  if (project.storePasswords === false) throw new Refusal(412, `the project does not store passwords${place}`);
  if (noLogin === true || password === undefined) throw new Refusal(404, `the role has no password${place}`);
  return { password: password.reveal() };
};

export const listProjectBranchRoles: Handler<'listProjectBranchRoles'> = ({ branch }) => ({
  roles: branch.roles.map((role) => presentRole(role, branch.id)),
});

export const getProjectBranchRole: Handler<'getProjectBranchRole'> = ({ branch, role }) => ({
  role: presentRole(role, branch.id),
});
