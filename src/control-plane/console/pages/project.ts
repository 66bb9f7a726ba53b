// A project's page: its branches as a tree, its computes, and its operations as they go.
import { html, section, trail, type Markup } from '../page/parts.ts';
import { requestLinks } from '../request.ts';
import { branchesOf, operationsOf, projectView, type ProjectView } from '../view.ts';
import type { Page, Visit } from '../visit.ts';
import { branchTree, deletedBranches } from './branch-tree.ts';
import { computesTable } from './computes-table.ts';
import { operationsPager, operationsTable } from './operations-table.ts';

export function projectPage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const { id } = view.project;
  const cursor = visit.url.searchParams.get('cursor') ?? undefined;
  const operations = operationsOf(visit, id, cursor);
  const deleted = branchesOf(visit, id, { include_deleted: 'true' }).filter(({ recovery }) => recovery !== undefined);
  return {
    title: view.project.name,
    current: 'projects',
    main: headOf(view),
    live: html`${section(
      'branches',
      'Branches',
      html`<div class="panel">${branchTree(view)}</div>
        ${deletedBranches(id, deleted)}`,
    )}
    ${section('computes', 'Computes', html`<div class="panel">${computesTable(view, view.computes)}</div>`)}
    ${section(
      'operations',
      'Operations',
      html`<div class="panel">${operationsTable(view, operations.items)}</div>
        ${operationsPager(view, operations, cursor)}`,
    )}`,
  };
}

/** From this many branches on, the sections below them are far away. */
const MANY = 20;

function headOf({ project, branches }: ProjectView): Markup {
  return html`${trail([['/', 'Projects']])}
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
      ${requestLinks({ project_id: project.id })}
    </div>`;
}
