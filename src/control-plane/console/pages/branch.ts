// The pages of a branch and of a compute: facts, connection strings, newest operations, roles and databases.
import type { Branch, Database, Endpoint, Role, Operation } from '../../../api/index.ts';
import { copyBox, factsList, head, html, pill, section, table, time, trail, type Markup } from '../page/parts.ts';
import { formPath, requestLinks } from '../request.ts';
import { ask, operationsOn, pathOfProject, projectView, type ProjectView, type Values, type Viewer } from '../view.ts';
import type { Page, Visit } from '../visit.ts';
import { branchStatus, typeWords, autosuspendWords, computeStatus, doingWords, sizeFacts } from '../words.ts';
import { branchMarks } from './project.ts';
import { branchCell, computesTable, operationsTable } from './tables.ts';

export function branchPage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const values = { project_id: view.project.id, branch_id: visit.param('branch') };
  const { branch } = ask(visit, 'getProjectBranch', values);
  const { databases } = ask(visit, 'listProjectBranchDatabases', values);
  const { roles } = ask(visit, 'listProjectBranchRoles', values);
  const computes = view.computes.filter((compute) => compute.branch_id === branch.id);
  return {
    title: branch.name,
    current: 'projects',
    main: html`${placeOf(view)} ${head(branch.name, html`<p class="facts"><code>${branch.id}</code></p>`)}`,
    live: html`<div id="actions">${requestLinks(values)}</div>
      <div id="facts" class="panel">${facts(view, branch)}</div>
      ${section('computes', 'Computes', computesTable(view, computes))}
      ${section('connect', 'Connect', connections(visit, view, computes, databases))}
      ${section('databases', 'Databases', databasesTable(values, databases))}
      ${section('roles', 'Roles', rolesTable(values, roles))}
      ${newestOperations(visit, view, ({ branch_id: id }) => id === branch.id)}`,
  };
}

function placeOf({ project }: ProjectView): Markup {
  return trail([
    ['/', 'Projects'],
    [pathOfProject(project.id), project.name],
  ]);
}

function facts(view: ProjectView, branch: Branch): Markup {
  const { parent_id: parentId, parent_timestamp: from, last_reset_at: reset, expires_at: expires } = branch;
  return factsList({
    Status: html`<span class="pills"
      >${pill(branchStatus(branch) ?? { label: 'Ready', tone: 'good' })} ${branchMarks(branch)}</span
    >`,
    Parent: parentId === undefined ? html`None: a root branch` : branchCell(view, parentId),
    'As of': typeof from === 'string' ? time(from) : null,
    'Last reset': typeof reset === 'string' ? time(reset) : null,
    Expires: typeof expires === 'string' ? time(expires) : null,
    Created: time(branch.created_at),
    Updated: time(branch.updated_at),
  });
}

function databasesTable(values: Values, databases: readonly Database[]): Markup {
  const rows = databases.map(({ id, name, owner_name: owner, created_at: created }) => ({
    id: `database-${id}`,
    cells: {
      Database: html`<span class="name">${name}</span>`,
      Owner: html`${owner}`,
      Created: time(created),
      Actions: requestLinks({ ...values, database_name: name }, { about: name }),
    },
  }));
  return table('Databases', rows);
}

function rolesTable(values: Values, roles: readonly Role[]): Markup {
  const rows = roles.map((role, at) => ({
    id: `role-${at}`,
    cells: {
      Role: html`<span class="name">${role.name}</span>
        ${role.protected === true ? pill({ label: 'Protected', tone: 'waiting' }) : null}`,
      Login: html`${role.authentication_method === 'no_login' ? 'None: it cannot log in' : 'Password'}`,
      Created: time(role.created_at),
      Actions: requestLinks({ ...values, role_name: role.name }, { about: role.name }),
    },
  }));
  return table('Roles', rows);
}

const MAX_SHOWN = 4;

/** Connection strings without passwords for MAX_SHOWN computes at most, to the first database as its owner. */
function connections(
  viewer: Viewer,
  { project }: ProjectView,
  computes: readonly Endpoint[],
  [database]: readonly Database[],
): Markup {
  if (computes.length === 0 || database === undefined)
    return html`<p class="panel empty">A connection needs a compute and a database with a role.</p>`;
  const hasPostgres = viewer.controlPlane.engine.works !== undefined;
  const primaryFirst = [...computes].sort((a, b) => Number(b.type === 'read_write') - Number(a.type === 'read_write'));
  return html`<div class="panel padded">
    ${primaryFirst.slice(0, MAX_SHOWN).map((compute, at) => {
      const names = { endpoint_id: compute.id, database_name: database.name, role_name: database.owner_name };
      const values = { project_id: project.id, ...names };
      const { uri } = ask(viewer, 'getConnectionUri', values);
      const shown = withoutPassword(uri);
      return html`<h3>${typeWords(compute)} <code>${compute.id}</code></h3>
        ${copyBox(`uri-${at}`, 'Connection string', shown)}
        ${hasPostgres ? copyBox(`psql-${at}`, 'psql line', `psql '${shown.replaceAll("'", '%27')}'`) : null}
        <p>
          <a href="${formPath('getConnectionUri', values)}"
            >With the password, or for another database or role<span class="unseen"> of ${compute.id}</span></a
          >
        </p>`;
    })}
    <p class="faint">
      ${
        hasPostgres
          ? 'psql asks for the password.'
          : html`No Postgres runs behind these computes: start the server with <code class="whole">--postgres</code>,
              and the strings lead to one.`
      }
    </p>
  </div>`;
}

/** The newest operations of the project for which `isOn` is true. */
function newestOperations(viewer: Viewer, view: ProjectView, isOn: (operation: Operation) => boolean): Markup {
  const { id } = view.project;
  const link = html`<a class="button small" id="all-operations" href="${pathOfProject(id)}#operations"
    >All of the project</a
  >`;
  return section('operations', 'Newest operations', operationsTable(view, operationsOn(viewer, id, isOn)), link);
}

function withoutPassword(uri: string): string {
  return uri.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@');
}

export function computePage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const values = { project_id: view.project.id, endpoint_id: visit.param('compute') };
  const { endpoint: compute } = ask(visit, 'getProjectEndpoint', values);
  const { databases } = ask(visit, 'listProjectBranchDatabases', { ...values, branch_id: compute.branch_id });
  return {
    title: compute.id,
    current: 'projects',
    main: html`${placeOf(view)} ${head(html`<code>${compute.id}</code>`)}`,
    live: html`<div id="actions">${requestLinks(values)}</div>
      <div id="facts" class="panel">${computeFacts(view, compute)}</div>
      ${section('connect', 'Connect', connections(visit, view, [compute], databases))}
      ${newestOperations(visit, view, ({ endpoint_id: id }) => id === compute.id)}`,
  };
}

function computeFacts(view: ProjectView, compute: Endpoint): Markup {
  return factsList({
    Status: html`${pill(computeStatus(compute))} <span class="faint">${doingWords(compute, view.open)}</span>`,
    Name: typeof compute.name === 'string' ? html`${compute.name}` : null,
    Branch: branchCell(view, compute.branch_id),
    Type: html`${typeWords(compute)}`,
    Size: html`${sizeFacts(compute)}`,
    Autosuspend: html`${autosuspendWords(compute)}`,
    Host: html`<code>${compute.host ?? ''}</code>`,
    Pooler: html`${compute.pooler_enabled === true ? `On, ${compute.pooler_mode ?? ''} mode` : 'Off'}`,
    'Last active': time(compute.last_active),
    Created: time(compute.created_at),
    Updated: time(compute.updated_at),
  });
}
