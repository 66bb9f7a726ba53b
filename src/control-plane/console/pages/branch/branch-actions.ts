// Actions on branches: create, edit, make default, reset, delete, recover.
import type { Branch, ProjectListItem } from '../../../../api/index.ts';
import { plural } from '../../../../base/text/words.ts';
import { parseDurationMs } from '../../../../base/time/duration.ts';
import { isoTime } from '../../../../base/time/clock.ts';
import { Refusal, badRequest } from '../../../core/refusal.ts';
import { given, typed, unlessKept, type Action, type Asked, type Question } from '../../action.ts';
import { choiceOf, type Field } from '../../page/fields.ts';
import { pathTo } from '../../page/parts.ts';
import { branchOf, branchStays, branchesOf, computesOf, projectOf, send } from '../../view.ts';
import type { FormVisit, Visit } from '../../visit.ts';
import { dateWords } from '../../words.ts';
import { placeOf } from '../trails.ts';
import { pathOfBranch } from './branch.ts';

const ONE = '/projects/:project/branches/:branch';
const NAME = { kind: 'text', name: 'name', label: 'Name', maxLength: 256 } as const;
const EXPIRES: Field = {
  kind: 'text',
  name: 'expires',
  label: 'Expires in',
  maxLength: 20,
  placeholder: 'Never',
  help: 'A duration such as 2h or 7d, at most 30d. The branch is deleted then, with its computes.',
};

const FROM: Field = {
  kind: 'text',
  name: 'from',
  label: 'As of',
  maxLength: 40,
  placeholder: 'Now',
  help: 'An earlier moment within the history, such as 2026-07-24T10:30:00Z.',
};

/** The branch that the path names, with its project. */
export function subjectOf(visit: Visit): { readonly project: ProjectListItem; readonly branch: Branch } {
  const project = projectOf(visit, visit.param('project'));
  return { project, branch: branchOf(visit, project.id, visit.param('branch')) };
}

/** The page that asks about the branch that the path names. */
export function askBranch(visit: Visit, ask: (branch: Branch) => Question): Asked {
  const { project, branch } = subjectOf(visit);
  return { ...placeOf(project, branch), ...ask(branch) };
}

/** Asks the API about the branch that the path names; the reply's body. */
export function onBranch(
  visit: FormVisit,
  verb: 'POST' | 'PATCH' | 'DELETE',
  { below = [], body }: { readonly below?: readonly string[]; readonly body?: unknown } = {},
): unknown {
  const path = ['projects', visit.param('project'), 'branches', visit.param('branch'), ...below];
  return send(visit, verb, path, body);
}

export function backToBranch(visit: Visit): string {
  return pathTo('projects', visit.param('project'), 'branches', visit.param('branch'));
}

function newBranchFields(branches: readonly Branch[], parentId: string, hasPast: boolean): readonly Field[] {
  return [
    { ...NAME, placeholder: 'Its id, unless named' },
    choiceOf('parent', 'Parent', parentId, branches),
    // A real Postgres keeps no data of the past.
    ...(hasPast ? [FROM] : []),
    EXPIRES,
    { kind: 'tick', name: 'compute', label: 'With a read-write compute', value: true },
  ];
}

function askNew(visit: Visit, parent: Branch | undefined): Asked {
  const project = projectOf(visit, visit.param('project'));
  const branches = branchesOf(visit, project.id);
  const parentId = parent?.id ?? branches.find((branch) => branch.default)?.id ?? '';
  return {
    ...placeOf(project),
    cancelPath: placeOf(project, parent).cancelPath,
    title: parent === undefined ? 'Create a branch' : `Create a child branch of ${parent.name}`,
    text: ['It has the data, roles and databases that its parent has at that moment, and goes its own way from there.'],
    fields: newBranchFields(branches, parentId, visit.controlPlane.engine.works === undefined),
    button: 'Create branch',
  };
}

function create(visit: FormVisit): { readonly path: string; readonly notice: string } {
  const projectId = visit.param('project');
  const expiry = expiryOf(visit);
  const body = {
    branch: {
      ...given(visit, 'name'),
      ...given(visit, 'parent', 'parent_id'),
      ...given(visit, 'from', 'parent_timestamp'),
      ...(expiry === undefined ? {} : { expires_at: expiry }),
    },
    endpoints: visit.form.has('compute') ? [{ type: 'read_write' }] : [],
  };
  const path = ['projects', projectId, 'branches'];
  const { branch } = send(visit, 'POST', path, body) as { branch: Branch };
  return { path: pathOfBranch(branch), notice: `Branch ${branch.name} is being created.` };
}

/** The time that a duration from now leads to; undefined where the field is empty. */
function expiryOf(visit: FormVisit): string | undefined {
  const text = typed(visit, 'expires');
  if (text === '') return undefined;
  const ms = parseDurationMs(text);
  if (ms === undefined) throw badRequest('the expiry is a duration such as 90m, 24h or 7d');
  return isoTime(visit.controlPlane.engine.atMs + ms);
}

const createBranch: Action = {
  path: '/projects/:project/new-branch',
  ask: (visit) => askNew(visit, undefined),
  act: create,
};

const createChild: Action = {
  path: `${ONE}/child`,
  ask: (visit) => askNew(visit, subjectOf(visit).branch),
  act: create,
};

const editBranch: Action = {
  path: `${ONE}/edit`,
  ask: (visit) =>
    askBranch(visit, (branch) => {
      const { expires_at: expires } = branch;
      const remains = typeof expires === 'string' ? [`It expires ${dateWords(expires)}.`] : [];
      return {
        title: `Edit ${branch.name}`,
        text: remains,
        fields: [
          { ...NAME, value: branch.name, isRequired: true },
          {
            kind: 'tick',
            name: 'protected',
            label: 'Protected: it cannot be deleted or reset',
            value: branch.protected,
          },
          { ...EXPIRES, placeholder: remains.length > 0 ? 'As it is' : 'Never' },
          ...(remains.length > 0 ? [{ kind: 'tick', name: 'stays', label: 'Let it never expire' } as const] : []),
        ],
        button: 'Save branch',
      };
    }),
  act: (visit) => {
    const { branch } = subjectOf(visit);
    const name = typed(visit, 'name');
    const expiry = visit.form.has('stays') ? null : expiryOf(visit);
    const changes = {
      ...(name === branch.name ? {} : { name }),
      ...(visit.form.has('protected') === branch.protected ? {} : { protected: !branch.protected }),
      ...(expiry === undefined ? {} : { expires_at: expiry }),
    };
    if (Object.keys(changes).length > 0) onBranch(visit, 'PATCH', { body: { branch: changes } });
    return { path: backToBranch(visit), notice: `Branch ${name} is saved.` };
  },
};

const makeDefault: Action = {
  path: `${ONE}/default`,
  ask: (visit) =>
    askBranch(visit, ({ name }) => ({
      title: `Make ${name} the default branch?`,
      text: ['The present default branch loses that mark; nothing else changes, and no connection is dropped.'],
      button: 'Make default',
    })),
  act: (visit) => {
    onBranch(visit, 'POST', { below: ['set_as_default'] });
    return { path: backToBranch(visit), notice: 'This is the default branch now.' };
  },
};

const resetBranch: Action = {
  path: `${ONE}/reset`,
  ask: (visit) =>
    askBranch(visit, (branch) => {
      if (branch.parent_id === undefined) throw new Refusal(422, 'a root branch has no parent to be reset from');
      return {
        title: `Reset ${branch.name} from its parent?`,
        text: [
          'It gets the state that its parent has now: what was written to it since is lost, unless its old state is kept as another branch.',
          'Its connections are dropped. Its id, its hosts and the passwords of its roles stay.',
        ],
        fields: [
          {
            kind: 'text',
            name: 'preserve',
            label: 'Keep the old state as branch',
            maxLength: 256,
            placeholder: 'Not kept',
            help: 'Needed where the branch has children: they stay with the old state.',
          },
        ],
        button: 'Reset branch',
        isFinal: true,
      };
    }),
  act: (visit) => {
    const { branch } = subjectOf(visit);
    const body = { source_branch_id: branch.parent_id, ...given(visit, 'preserve', 'preserve_under_name') };
    onBranch(visit, 'POST', { below: ['restore'], body });
    return { path: backToBranch(visit), notice: `Branch ${branch.name} is being reset.` };
  },
};

const deleteBranch: Action = {
  path: `${ONE}/delete`,
  ask: (visit) =>
    askBranch(visit, (branch) => {
      const { id, name } = branch;
      const computes = computesOf(visit, visit.param('project')).filter(({ branch_id: branchId }) => branchId === id);
      const also =
        computes.length === 0
          ? ''
          : `, and so ${computes.length === 1 ? 'is' : 'are'} its ${plural(computes.length, 'compute')}`;
      return unlessKept(branchStays(visit, branch), {
        title: `Delete ${name}?`,
        text: [`The branch with its data is deleted${also}.`, 'For seven days it can be recovered.'],
        button: 'Delete branch',
        isFinal: true,
      });
    }),
  act: (visit) => {
    onBranch(visit, 'DELETE');
    const notice = `Branch ${visit.param('branch')} is deleted. It can be recovered for seven days.`;
    return { path: pathTo('projects', visit.param('project')), notice };
  },
};

const recoverBranch: Action = {
  path: `${ONE}/recover`,
  ask: (visit) => {
    const project = projectOf(visit, visit.param('project'));
    const all = branchesOf(visit, project.id, { include_deleted: 'true' });
    const branch = all.find(({ id, recovery }) => recovery !== undefined && id === visit.param('branch'));
    if (branch === undefined) throw new Refusal(404, 'there is no deleted branch with this id');
    return {
      ...placeOf(project),
      title: `Recover ${branch.name}?`,
      text: ['It comes back with its data and its computes, which are idle, and without an expiry.'],
      button: 'Recover branch',
    };
  },
  act: (visit) => {
    onBranch(visit, 'POST', { below: ['recover'] });
    return { path: backToBranch(visit), notice: 'The branch is recovered.' };
  },
};

export const branchActions: readonly Action[] = [
  createBranch,
  createChild,
  editBranch,
  makeDefault,
  resetBranch,
  deleteBranch,
  recoverBranch,
];
