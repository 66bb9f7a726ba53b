// Tables that several pages share: computes, operations and soft-deleted resources.
import type { Branch, Endpoint, Operation } from '../../../api/index.ts';
import { html, pill, section, table, time, type Markup, type Row } from '../page/parts.ts';
import { requestLinks } from '../request.ts';
import { pathOfBranch, pathOfCompute, type ProjectView, type Values } from '../view.ts';
import {
  autosuspendWords,
  computeStatus,
  doingWords,
  sizeWords,
  typeWords,
  actionWords,
  durationWords,
  statusDetail,
  statusOf,
} from '../words.ts';

export function computesTable(view: ProjectView, computes: readonly Endpoint[]): Markup {
  const rows = computes.map((compute) => computeRow(view, compute));
  return table('Computes', rows);
}

function computeRow(view: ProjectView, compute: Endpoint): Row {
  const { id } = compute;
  const status = computeStatus(compute);
  const name = typeof compute.name === 'string' ? html`<span class="name">${compute.name}</span> ` : null;
  return {
    id: `compute-${id}`,
    say: `Compute ${id}: ${status.label}`,
    cells: {
      Compute: html`${name}${computeLink(view, id)} <span class="faint line">${typeWords(compute)}</span>`,
      Branch: branchCell(view, compute.branch_id),
      Status: html`${pill(status)} <span class="faint line">${doingWords(compute, view.open)}</span>`,
      Size: html`<span class="whole">${sizeWords(compute)}</span>`,
      Autosuspend: html`${autosuspendWords(compute)}`,
      'Last active': time(compute.last_active),
      Actions: requestLinks({ project_id: view.project.id, endpoint_id: id }, { about: id }),
    },
  };
}

type Deleted = Pick<Branch, 'id' | 'name'> & NonNullable<Branch['recovery']>;

/** The part of a page with soft-deleted resources, each with the forms that recover it. */
export function deletedPart(title: string, items: readonly Deleted[], paramsOf: (id: string) => Values): Markup {
  if (items.length === 0) return html`<div id="deleted"></div>`;
  const rows = items.map(({ id, name, deletion_method: method, ...times }) => ({
    id: `deleted-${id}`,
    cells: {
      Name: html`<span class="name">${name}</span> <code>${id}</code>`,
      Deleted: html`${time(times.deleted_at)}
      ${method === 'ttl' ? html`<span class="faint line">It had expired</span>` : null}`,
      'Recoverable until': time(times.recoverable_until),
      Actions: requestLinks(paramsOf(id), { about: name, ofDeleted: true }),
    },
  }));
  return section('deleted', title, table(title, rows));
}

/** The cell of a resource `among` others: made by `show`, or the bare id if it is not there, or a dash without an id. */
function cellOf<T extends { readonly id: string }>(id: unknown, among: readonly T[], show: (one: T) => Markup): Markup {
  if (typeof id !== 'string') return html`<span class="faint">–</span>`;
  const found = among.find((one) => one.id === id);
  return found === undefined ? html`<code>${id}</code>` : show(found);
}

export function branchCell({ branches }: ProjectView, branchId: unknown): Markup {
  return cellOf(
    branchId,
    branches,
    (branch) =>
      html`<a class="name" href="${pathOfBranch(branch)}">${branch.name}</a>
        <code class="faint line">${branch.id}</code>`,
  );
}

function computeLink({ project }: ProjectView, id: string): Markup {
  return html`<a class="id" href="${pathOfCompute({ project_id: project.id, id })}"><code>${id}</code></a>`;
}

export function operationsTable(view: ProjectView, items: readonly Operation[]): Markup {
  const rows = items.map((operation) => operationRow(view, operation));
  return table('Operations', rows);
}

function operationRow(view: ProjectView, operation: Operation): Row {
  const status = statusOf(operation);
  const detail = statusDetail(operation);
  const words = actionWords(operation.action);
  return {
    id: `operation-${operation.id}`,
    say: `${words}: ${status.label}`,
    cells: {
      Operation: html`<span class="name">${words}</span>`,
      Status: html`${pill(status)}${detail === '' ? null : html` <span class="faint line">${detail}</span>`}`,
      Branch: cellOf(operation.branch_id, view.branches, ({ name }) => html`${name}`),
      Compute: cellOf(operation.endpoint_id, view.computes, ({ id }) => computeLink(view, id)),
      Duration: html`${durationOf(view, operation)}`,
      Date: time(operation.created_at),
    },
  };
}

function durationOf(view: ProjectView, operation: Operation): string {
  if (!view.open.some(({ id }) => id === operation.id)) return durationWords(Number(operation.total_duration_ms ?? 0));
  return durationWords(view.atMs - Date.parse(operation.created_at ?? ''));
}
