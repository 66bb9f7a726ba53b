// A project's page: its branches as a tree, its computes, and its operations as they go.
import { html, linkButton, pathTo, section, type Markup } from '../../page/parts.ts';
import { branchesOf, operationsOf, projectStays, projectView, type ProjectView } from '../../view.ts';
import type { Page, Visit } from '../../visit.ts';
import { placeOf } from '../trails.ts';
import { branchTree, deletedBranches } from './branch-tree.ts';
import { computesTable } from './computes-table.ts';
import { operationsPager, operationsTable } from './operations-table.ts';

export function projectPage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const { id } = view.project;
  const cursor = visit.url.searchParams.get('cursor') ?? undefined;
  const operations = operationsOf(visit, id, cursor);
  const deleted = branchesOf(visit, id, { include_deleted: 'true' }).filter(({ recovery }) => recovery !== undefined);
  const path = (word: string): string => pathTo('projects', id, word);
  return {
    title: view.project.name,
    current: 'projects',
    main: headOf(view),
    live: html`${section(
      'branches',
      'Branches',
      html`<div class="panel">${branchTree(view)}</div>
        ${deletedBranches(id, deleted)}`,
      linkButton(path('new-branch'), 'Create branch', { id: 'new-branch' }),
    )}
    ${section(
      'computes',
      'Computes',
      html`<div class="panel">${computesTable(view, visit.session)}</div>`,
      linkButton(path('new-compute'), 'Create compute', { id: 'new-compute' }),
    )}
    ${section(
      'operations',
      'Operations',
      html`<div class="panel">${operationsTable(view, operations.items)}</div>
        ${operationsPager(view, operations, cursor)}`,
    )}`,
  };
}

/** From so many branches on, what stands below them is far away. */
const MANY = 20;

function headOf({ project, branches }: ProjectView): Markup {
  const stays = projectStays(branches);
  return html`${placeOf().trail}
    <div class="head">
      <div>
        <h1>${project.name}</h1>
        <p class="facts">
          <code>${project.id}</code> <span>${project.region_id ?? ''}</span>
          <span>Postgres ${project.pg_version ?? ''}</span>
          ${
            branches.length > MANY
              ? html`<a href="#computes">To the computes</a> <a href="#operations">To the operations</a>`
              : null
          }
        </p>
      </div>
      <div class="actions">
        <a class="button" href="${pathTo('projects', project.id, 'edit')}">Edit project</a>
        ${
          stays === null
            ? html`<a class="button" href="${pathTo('projects', project.id, 'delete')}">Delete project</a>`
            : html`<span class="faint">${stays}</span>`
        }
      </div>
    </div>`;
}
