// Actions on projects: create, edit, delete, recover.
import { plural } from '../../../../base/text/words.ts';
import type { ProjectListItem } from '../../../../api/index.ts';
import { numberOf, given, typed, unlessKept, type Action } from '../../action.ts';
import { pathTo } from '../../page/parts.ts';
import { branchesOf, computesOf, deletedProjects, get, projectOf, projectStays, send } from '../../view.ts';
import type { Visit } from '../../visit.ts';
import { Refusal } from '../../../core/refusal.ts';
import { placeOf } from '../trails.ts';

const NAME = { kind: 'text', name: 'name', label: 'Name', maxLength: 256 } as const;
const PG_VERSIONS = ['14', '15', '16', '17', '18'];
const HISTORY = { kind: 'text', name: 'history', label: 'History, in seconds', maxLength: 9 } as const;

function regionsOf(visit: Visit): readonly (readonly [string, string])[] {
  const { regions } = get(visit, ['regions']) as { regions: { region_id: string; name: string }[] };
  return regions.map(({ region_id: id, name }) => [id, `${id} (${name})`] as const);
}

const createProject: Action = {
  path: '/new-project',
  ask: (visit) => ({
    ...placeOf(),
    title: 'Create a project',
    text: ['It begins with a default branch, a role, a database that the role owns, and a compute.'],
    fields: [
      { ...NAME, placeholder: 'Its id, unless named' },
      { kind: 'choice', name: 'region', label: 'Region', value: '', options: [['', 'Default'], ...regionsOf(visit)] },
      {
        kind: 'choice',
        name: 'version',
        label: 'Postgres version',
        value: '',
        options: [['', 'Default'], ...PG_VERSIONS.map((version) => [version, version] as const)],
      },
      { kind: 'text', name: 'branch', label: 'Default branch', maxLength: 256, placeholder: 'main' },
      { kind: 'text', name: 'database', label: 'Database', maxLength: 63, placeholder: 'neondb' },
      { kind: 'text', name: 'role', label: 'Role', maxLength: 63, placeholder: 'The database, with _owner' },
    ],
    button: 'Create project',
  }),
  act: (visit) => {
    const branch = {
      ...given(visit, 'branch', 'name'),
      ...given(visit, 'database', 'database_name'),
      ...given(visit, 'role', 'role_name'),
    };
    const version = typed(visit, 'version');
    const project = {
      ...given(visit, 'name'),
      ...given(visit, 'region', 'region_id'),
      ...(version === '' ? {} : { pg_version: numberOf(version) }),
      branch,
    };
    const reply = send(visit, 'POST', ['projects'], { project }) as {
      project: ProjectListItem;
      connection_uris?: { connection_uri: string }[];
    };
    const uri = reply.connection_uris?.[0]?.connection_uri;
    return {
      path: pathTo('projects', reply.project.id),
      notice: `Project ${reply.project.name} is being created.`,
      ...(uri === undefined ? {} : { told: { title: 'Connection string', value: uri } }),
    };
  },
};

const editProject: Action = {
  path: '/projects/:project/edit',
  ask: (visit) => {
    const project = projectOf(visit, visit.param('project'));
    return {
      ...placeOf(project),
      title: `Edit ${project.name}`,
      fields: [
        { ...NAME, value: project.name, isRequired: true },
        {
          ...HISTORY,
          value: String(project['history_retention_seconds'] ?? ''),
          help: 'How far back a branch can be made or restored. A shorter history discards the rest at once.',
        },
      ],
      button: 'Save project',
    };
  },
  act: (visit) => {
    const id = visit.param('project');
    const before = projectOf(visit, id);
    const history = numberOf(typed(visit, 'history'));
    const isChanged = history !== before['history_retention_seconds'];
    const project = { name: typed(visit, 'name'), ...(isChanged ? { history_retention_seconds: history } : {}) };
    send(visit, 'PATCH', ['projects', id], { project });
    return { path: pathTo('projects', id), notice: `Project ${project.name} is saved.` };
  },
};

const deleteProject: Action = {
  path: '/projects/:project/delete',
  ask: (visit) => {
    const project = projectOf(visit, visit.param('project'));
    const branches = plural(branchesOf(visit, project.id).length, 'branch', 'branches');
    const computes = plural(computesOf(visit, project.id).length, 'compute');
    const question = unlessKept(projectStays(branchesOf(visit, project.id)), {
      title: `Delete ${project.name}?`,
      text: [
        `Its ${branches} with all data and its ${computes} are deleted, and connections are dropped.`,
        'For seven days the project can be recovered.',
      ],
      button: 'Delete project',
      isFinal: true,
    });
    return { ...placeOf(project), ...question };
  },
  act: (visit) => {
    const id = visit.param('project');
    send(visit, 'DELETE', ['projects', id]);
    return { path: '/', notice: `Project ${id} is deleted. It can be recovered for seven days.` };
  },
};

const recoverProject: Action = {
  path: '/projects/:project/recover',
  ask: (visit) => {
    const project = deletedProjects(visit).find(({ id }) => id === visit.param('project'));
    if (project === undefined) throw new Refusal(404, 'there is no deleted project with this id');
    return {
      ...placeOf(),
      title: `Recover ${project.name}?`,
      text: ['It comes back with its branches, settings and computes; the computes are idle.'],
      button: 'Recover project',
    };
  },
  act: (visit) => {
    const id = visit.param('project');
    send(visit, 'POST', ['projects', id, 'recover']);
    return { path: pathTo('projects', id), notice: `Project ${id} is recovered.` };
  },
};

export const projectActions: readonly Action[] = [createProject, editProject, deleteProject, recoverProject];
