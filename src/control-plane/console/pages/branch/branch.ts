// A branch's page: what it is, its computes, roles and databases.
import type { Branch, Database, Role } from '../../../../api/index.ts';
import { factsList, html, linkButton, pathTo, pill, section, table, time, type Markup } from '../../page/parts.ts';
import {
  branchOf,
  branchStays,
  databasesOf,
  operationsOn,
  projectView,
  roleStays,
  rolesOf,
  type ProjectView,
} from '../../view.ts';
import type { Page, Visit } from '../../visit.ts';
import { branchStatus } from '../../words.ts';
import { branchMarks } from '../project/branch-tree.ts';
import { branchCell, computesTable } from '../project/computes-table.ts';
import { newestOperations } from '../project/operations-table.ts';
import { placeOf } from '../trails.ts';

export function branchPage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const branch = branchOf(visit, view.project.id, visit.param('branch'));
  const path = pathOfBranch(branch);
  const below = (word: string): string => `${path}/${word}`;
  const compute = `${pathTo('projects', view.project.id, 'new-compute')}?branch=${branch.id}`;
  return {
    title: branch.name,
    current: 'projects',
    main: html`${placeOf(view.project).trail}
      <div class="head">
        <div>
          <h1>${branch.name}</h1>
          <p class="facts"><code>${branch.id}</code></p>
        </div>
      </div>`,
    live: html`<div id="actions" class="actions">${actions(branch, branchStays(visit, branch) === null)}</div>
      <div id="facts" class="panel">${facts(view, branch, branchStays(visit, branch))}</div>
      ${section(
        'computes',
        'Computes',
        html`<div class="panel">${computesTable(view, visit.session, branch.id)}</div>`,
        linkButton(compute, 'Create compute', { id: 'new-compute' }),
      )}
      ${section(
        'databases',
        'Databases',
        html`<div class="panel">${databasesTable(path, databasesOf(visit, branch))}</div>`,
        linkButton(below('new-database'), 'Create database', { id: 'new-database' }),
      )}
      ${section(
        'roles',
        'Roles',
        html`<div class="panel">${rolesTable(path, rolesOf(visit, branch), databasesOf(visit, branch))}</div>`,
        linkButton(below('new-role'), 'Create role', { id: 'new-role' }),
      )}
      ${newestOperations(
        view,
        operationsOn(visit, view.project.id, ({ branch_id: id }) => id === branch.id),
      )}`,
  };
}

export function pathOfBranch({ project_id: projectId, id }: Branch): string {
  return pathTo('projects', projectId, 'branches', id);
}

function actions(branch: Branch, canGo: boolean): Markup {
  const path = pathOfBranch(branch);
  const link = (word: string, words: string): Markup =>
    html`<a class="button" id="${word}" href="${path}/${word}">${words}</a>`;
  return html`<a class="button primary" href="${path}/connect">Connect</a> ${link('child', 'Create child branch')}
    ${link('edit', 'Edit')} ${branch.default ? null : link('default', 'Make default')}
    ${branch.parent_id === undefined ? null : link('reset', 'Reset from parent')}
    ${canGo ? link('delete', 'Delete') : null}`;
}

function facts(view: ProjectView, branch: Branch, stays: string | null): Markup {
  const { parent_id: parentId, parent_timestamp: from, last_reset_at: reset, expires_at: expires } = branch;
  return factsList([
    [
      'Status',
      html`<span class="pills"
        >${pill(branchStatus(branch) ?? { label: 'Ready', tone: 'good' })} ${branchMarks(branch)}</span
      >`,
    ],
    ['Parent', parentId === undefined ? html`None: a root branch` : branchCell(view, parentId)],
    ['As of', typeof from === 'string' ? time(from) : null],
    ['Last reset', typeof reset === 'string' ? time(reset) : null],
    ['Expires', typeof expires === 'string' ? time(expires) : null],
    ['Created', time(branch.created_at)],
    ['Updated', time(branch.updated_at)],
    ['Deletion', stays === null ? null : html`${stays}`],
  ]);
}

function databasesTable(path: string, databases: readonly Database[]): Markup {
  if (databases.length === 0) return html`<p class="empty">There are no databases here.</p>`;
  const rows = databases.map(({ id, name, owner_name: owner, created_at: created }) => ({
    id: `database-${id}`,
    cells: [
      html`<span class="name">${name}</span>`,
      html`${owner}`,
      time(created),
      actionsOf(`${path}/databases/${encodeURIComponent(name)}`, name, [
        ['edit', 'Edit'],
        ['delete', 'Delete'],
      ]),
    ],
  }));
  return table('Databases', ['Database', 'Owner', 'Created', 'Actions'], rows);
}

function rolesTable(path: string, roles: readonly Role[], databases: readonly Database[]): Markup {
  if (roles.length === 0) return html`<p class="empty">There are no roles here.</p>`;
  const rows = roles.map((role, at) => {
    const stays = roleStays(role, databases);
    return {
      id: `role-${at}`,
      cells: [
        html`<span class="name">${role.name}</span>
          ${role.protected === true ? pill({ label: 'Protected', tone: 'waiting' }) : null}
          ${stays === null ? null : html`<span class="line faint">${stays}</span>`}`,
        html`${role.authentication_method === 'no_login' ? 'None: it cannot log in' : 'Password'}`,
        time(role.created_at),
        actionsOf(`${path}/roles/${encodeURIComponent(role.name)}`, role.name, [
          ...(role.authentication_method === 'no_login' || role.protected === true
            ? []
            : [['reset', 'Reset password'] as const]),
          ...(stays === null ? [['delete', 'Delete'] as const] : []),
        ]),
      ],
    };
  });
  return table('Roles', ['Role', 'Login', 'Created', 'Actions'], rows);
}

function actionsOf(path: string, about: string, links: readonly (readonly [word: string, words: string])[]): Markup {
  return html`<div class="actions">
    ${links.map(([word, words]) => linkButton(`${path}/${word}`, words, { about }))}
  </div>`;
}
