// The computes of a project: status, what each is doing, size, and what can be done to it.
import type { Endpoint } from '../../../api/index.ts';
import { html, pill, table, time, type Markup, type Row } from '../page/parts.ts';
import { requestLinks } from '../request.ts';
import { pathOfBranch, pathOfCompute, type ProjectView } from '../view.ts';
import { autosuspendWords, computeStatus, doingWords, sizeWords, typeWords } from '../words.ts';

export function computesTable(view: ProjectView, computes: readonly Endpoint[]): Markup {
  if (computes.length === 0) return html`<p class="empty">There are no computes here.</p>`;
  return table(
    'Computes',
    ['Compute', 'Branch', 'Status', 'Size', 'Autosuspend', 'Last active', 'Actions'],
    computes.map((compute) => rowOf(view, compute)),
  );
}

function rowOf(view: ProjectView, compute: Endpoint): Row {
  const { id } = compute;
  const status = computeStatus(compute);
  const open = view.open.filter((operation) => operation.endpoint_id === id);
  const name = typeof compute.name === 'string' ? html`<span class="name">${compute.name}</span> ` : null;
  return {
    id: `compute-${id}`,
    say: `Compute ${id}: ${status.label}`,
    cells: [
      html`${name}<a class="id" href="${pathOfCompute({ project_id: view.project.id, id })}"><code>${id}</code></a>
        <span class="faint line">${typeWords(compute)}</span>`,
      branchCell(view, compute.branch_id),
      html`${pill(status)} <span class="faint line doing">${doingWords(compute, open)}</span>`,
      html`<span class="whole">${sizeWords(compute)}</span>`,
      html`${autosuspendWords(compute)}`,
      time(compute.last_active),
      requestLinks({ project_id: view.project.id, endpoint_id: id }, { about: id }),
    ],
  };
}

/** A branch by its name, with its id. */
export function branchCell({ project, branches }: ProjectView, branchId: unknown): Markup {
  if (typeof branchId !== 'string') return html`<span class="faint">–</span>`;
  const branch = branches.find(({ id }) => id === branchId);
  if (branch === undefined) return html`<code>${branchId}</code>`;
  return html`<a class="name" href="${pathOfBranch({ project_id: project.id, id: branchId })}">${branch.name}</a>
    <code class="faint line">${branchId}</code>`;
}
