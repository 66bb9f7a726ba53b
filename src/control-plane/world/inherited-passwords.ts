// Passwords that branches of seed data have from their parents: a seed names roles, without passwords.
import type { Engine } from '../resources/engine/engine.ts';
import type { BranchRecord } from '../resources/branch/record.ts';
import type { RoleRecord } from '../resources/contents/record.ts';

/** Gives the branches of a project the passwords of the roles that their parents have too, unless the parent is protected. */
export function shareInherited(engine: Engine, projectId: string): void {
  const { branches } = engine.live;
  // From the roots downwards: parents have theirs by then, and parents that form a cycle are never reached.
  const reached = [...branches.of.get(projectId)].filter(({ parentId }) => !branches.has(parentId ?? ''));
  for (const parent of reached)
    for (const child of branches.children.get(parent.id)) {
      const sharing = parent.isProtected ? child : { ...child, roles: sharedRoles(child, parent) };
      engine.state.put('branches', sharing);
      reached.push(sharing);
    }
}

function sharedRoles(child: BranchRecord, parent: BranchRecord): readonly RoleRecord[] {
  const above = new Map(parent.roles.map((role) => [role.name, role]));
  return child.roles.map((role) => {
    const inherited = above.get(role.name);
    if (inherited === undefined || inherited.noLogin === true || role.noLogin === true) return role;
    const { password, verifier } = inherited;
    return {
      ...role,
      ...(password === undefined ? {} : { password }),
      ...(verifier === undefined ? {} : { verifier }),
    };
  });
}
