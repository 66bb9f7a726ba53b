// Actions on databases: create, rename, give to another owner, delete.
import type { Branch } from '../../../../api/index.ts';
import { Refusal } from '../../../core/refusal.ts';
import { typed, unlessKept, type Action } from '../../action.ts';
import type { Field } from '../../page/fields.ts';
import { databasesOf, rolesOf } from '../../view.ts';
import type { Visit } from '../../visit.ts';
import { askBranch, backToBranch, onBranch, subjectOf } from './branch-actions.ts';

const DATABASE = '/projects/:project/branches/:branch/databases/:database';

function fields(visit: Visit, branch: Branch, name: string, owner: string): readonly Field[] {
  return [
    { kind: 'text', name: 'name', label: 'Name', maxLength: 63, isRequired: true, value: name },
    {
      kind: 'choice',
      name: 'owner',
      label: 'Owner',
      value: owner,
      options: rolesOf(visit, branch).map((role) => [role.name, role.name] as const),
    },
  ];
}

const createDatabase: Action = {
  path: '/projects/:project/branches/:branch/new-database',
  ask: (visit) =>
    askBranch(visit, (branch) =>
      unlessKept(
        rolesOf(visit, branch).length > 0 ? null : 'A database needs a role that owns it: create a role first.',
        {
          title: `Create a database on ${branch.name}`,
          fields: fields(visit, branch, '', ''),
          button: 'Create database',
        },
      ),
    ),
  act: (visit) => {
    const database = { name: typed(visit, 'name'), owner_name: visit.form.get('owner') ?? '' };
    onBranch(visit, 'POST', { below: ['databases'], body: { database } });
    return { path: backToBranch(visit), notice: `Database ${database.name} is being created.` };
  },
};

function ownerOf(visit: Visit, branch: Branch): string {
  const database = databasesOf(visit, branch).find(({ name }) => name === visit.param('database'));
  if (database === undefined) throw new Refusal(404, 'there is no database with this name');
  return database.owner_name;
}

const editDatabase: Action = {
  path: `${DATABASE}/edit`,
  ask: (visit) =>
    askBranch(visit, (branch) => ({
      title: `Edit the database ${visit.param('database')}`,
      text: ['Another name drops connections to it: clients come back under the new one.'],
      fields: fields(visit, branch, visit.param('database'), ownerOf(visit, branch)),
      button: 'Save database',
    })),
  act: (visit) => {
    const name = typed(visit, 'name');
    const owner = visit.form.get('owner') ?? '';
    const isKept = owner === ownerOf(visit, subjectOf(visit).branch);
    const database = { name, ...(isKept ? {} : { owner_name: owner }) };
    onBranch(visit, 'PATCH', { below: ['databases', visit.param('database')], body: { database } });
    return { path: backToBranch(visit), notice: `Database ${name} is saved.` };
  },
};

const deleteDatabase: Action = {
  path: `${DATABASE}/delete`,
  ask: (visit) =>
    askBranch(visit, () => ({
      title: `Delete the database ${visit.param('database')}?`,
      text: ['Its data is lost. Only a restore of the whole branch to an earlier moment brings it back.'],
      button: 'Delete database',
      isFinal: true,
    })),
  act: (visit) => {
    onBranch(visit, 'DELETE', { below: ['databases', visit.param('database')] });
    return { path: backToBranch(visit), notice: `Database ${visit.param('database')} is deleted.` };
  },
};

export const databaseActions: readonly Action[] = [createDatabase, editDatabase, deleteDatabase];
