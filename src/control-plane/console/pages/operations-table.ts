// The operations of a project as the vendor's console shows them: status, operation, branch, compute, duration, date.
import type { Operation } from '../../../api/index.ts';
import { html, pager, pill, section, table, time, type Markup, type Row } from '../page/parts.ts';
import { pathOfCompute, pathOfProject, type Listed, type ProjectView } from '../view.ts';
import { actionWords, durationWords, statusDetail, statusOf } from '../words.ts';

export function operationsTable(view: ProjectView, items: readonly Operation[]): Markup {
  if (items.length === 0) return html`<p class="empty">There are no operations here.</p>`;
  return table(
    'Operations',
    ['Operation', 'Status', 'Branch', 'Compute', 'Duration', 'Date'],
    items.map((operation) => rowOf(view, operation)),
  );
}

/** The newest operations on one branch or compute, with the way to all of its project. */
export function newestOperations(view: ProjectView, items: readonly Operation[]): Markup {
  const all = `${pathOfProject(view.project.id)}#operations`;
  return section(
    'operations',
    'Newest operations',
    html`<div class="panel">${operationsTable(view, items)}</div>`,
    html`<a class="button small" id="all-operations" href="${all}">All of the project</a>`,
  );
}

function rowOf(view: ProjectView, operation: Operation): Row {
  const status = statusOf(operation);
  const detail = statusDetail(operation);
  const words = actionWords(operation.action);
  return {
    id: `operation-${operation.id}`,
    say: `${words}: ${status.label}`,
    cells: [
      html`<span class="name">${words}</span>`,
      html`${pill(status)}${detail === '' ? null : html` <span class="faint line">${detail}</span>`}`,
      branchCell(view, operation.branch_id),
      computeCell(view, operation.endpoint_id),
      html`${durationOf(view, operation)}`,
      time(operation.created_at),
    ],
  };
}

/** The branch by its name; one that is gone by its id. */
function branchCell(view: ProjectView, branchId: unknown): Markup {
  if (typeof branchId !== 'string') return html`<span class="faint">–</span>`;
  const branch = view.branches.find(({ id }) => id === branchId);
  return branch === undefined ? html`<code>${branchId}</code>` : html`${branch.name}`;
}

function computeCell(view: ProjectView, computeId: unknown): Markup {
  if (typeof computeId !== 'string') return html`<span class="faint">–</span>`;
  if (!view.computes.some(({ id }) => id === computeId)) return html`<code>${computeId}</code>`;
  return html`<a class="id" href="${pathOfCompute({ project_id: view.project.id, id: computeId })}"
    ><code>${computeId}</code></a
  >`;
}

/** Duration, or time since the start. */
function durationOf(view: ProjectView, operation: Operation): string {
  if (!view.open.some(({ id }) => id === operation.id)) return durationWords(Number(operation.total_duration_ms ?? 0));
  return durationWords(view.atMs - Date.parse(operation.created_at ?? ''));
}

/** The way to older operations and back. */
export function operationsPager(view: ProjectView, { next }: Listed<Operation>, cursor: string | undefined): Markup {
  const path = pathOfProject(view.project.id);
  const older = `${path}?${new URLSearchParams({ cursor: next ?? '' }).toString()}#operations`;
  return pager('Pages of operations', [
    ...(cursor === undefined ? [] : [[`${path}#operations`, 'Newest', 'newest'] as const]),
    ...(next === undefined ? [] : [[older, 'Older', 'older'] as const]),
  ]);
}
