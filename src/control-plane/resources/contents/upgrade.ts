// Brings the roles of a store of the first format up to date: it kept no passwords.
import type { Engine } from '../../engine/engine.ts';
import { newPassword } from './role.ts';

/** Gives every role a password that should have one and has none. */
export function giveMissingPasswords(engine: Engine): void {
  for (const branch of engine.live.branches.values()) {
    const isComplete = branch.roles.every((role) => role.password !== undefined || role.noLogin === true);
    if (isComplete || engine.live.projects.get(branch.projectId)?.storePasswords === false) continue;
    const roles = branch.roles.map((role) =>
      role.password !== undefined || role.noLogin === true ? role : { ...role, password: newPassword(engine) },
    );
    engine.transact(() => engine.state.put('branches', { ...branch, roles }));
  }
}
