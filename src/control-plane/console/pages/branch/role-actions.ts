// Actions on roles: create, reset the password, delete. A password is shown once, on the page that follows.
import { typed, unlessKept, type Action, type Done } from '../../action.ts';
import { databasesOf, roleStays, rolesOf } from '../../view.ts';
import type { FormVisit } from '../../visit.ts';
import { askBranch, backToBranch, onBranch } from './branch-actions.ts';

const ROLE = '/projects/:project/branches/:branch/roles/:role';

/** To the branch, with the password if the reply has one. */
function told(visit: FormVisit, reply: unknown, notice: string): Done {
  const { name, password } = (reply as { role: { name: string; password?: string } }).role;
  return {
    path: backToBranch(visit),
    notice,
    ...(password === undefined ? {} : { told: { title: `Password of ${name}`, value: password } }),
  };
}

const createRole: Action = {
  path: '/projects/:project/branches/:branch/new-role',
  ask: (visit) =>
    askBranch(visit, ({ name }) => ({
      title: `Create a role on ${name}`,
      text: ['It may log in to every database of the branch. Connections of an active primary compute are dropped.'],
      fields: [
        { kind: 'text', name: 'name', label: 'Name', maxLength: 63, isRequired: true },
        { kind: 'tick', name: 'no_login', label: 'Cannot log in: it has no password' },
      ],
      button: 'Create role',
    })),
  act: (visit) => {
    const role = { name: typed(visit, 'name'), ...(visit.form.has('no_login') ? { no_login: true } : {}) };
    return told(
      visit,
      onBranch(visit, 'POST', { below: ['roles'], body: { role } }),
      `Role ${role.name} is being created.`,
    );
  },
};

const resetRole: Action = {
  path: `${ROLE}/reset`,
  ask: (visit) =>
    askBranch(visit, () => ({
      title: `Reset the password of ${visit.param('role')}?`,
      text: [
        'The new password is valid as soon as its operation has finished, and the old one until then.',
        'Connections of an active primary compute are dropped. Other branches keep the password that they have.',
      ],
      button: 'Reset password',
    })),
  act: (visit) => {
    const role = visit.param('role');
    const reply = onBranch(visit, 'POST', { below: ['roles', role, 'reset_password'] });
    return told(visit, reply, `The password of ${role} is being reset.`);
  },
};

const deleteRole: Action = {
  path: `${ROLE}/delete`,
  ask: (visit) =>
    askBranch(visit, (branch) => {
      const role = rolesOf(visit, branch).find(({ name }) => name === visit.param('role'));
      return unlessKept(role === undefined ? null : roleStays(role, databasesOf(visit, branch)), {
        title: `Delete the role ${visit.param('role')}?`,
        text: ['Nobody can log in with it from then on. Connections of an active primary compute are dropped.'],
        button: 'Delete role',
        isFinal: true,
      });
    }),
  act: (visit) => {
    onBranch(visit, 'DELETE', { below: ['roles', visit.param('role')] });
    return { path: backToBranch(visit), notice: `Role ${visit.param('role')} is deleted.` };
  },
};

export const roleActions: readonly Action[] = [createRole, resetRole, deleteRole];
