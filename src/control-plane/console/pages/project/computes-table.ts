// The computes of a project: status, what each is doing, size, and what can be done to it.
import type { Endpoint } from '../../../../api/index.ts';
import { tokenField } from '../../page/layout.ts';
import { html, linkButton, pathTo, pill, table, time, type Markup, type Row } from '../../page/parts.ts';
import type { Session } from '../../sessions.ts';
import type { ProjectView } from '../../view.ts';
import { autosuspendWords, computeStatus, doingWords, sizeWords, typeWords } from '../../words.ts';

/** The computes of a project, or those of one of its branches. */
export function computesTable(view: ProjectView, session: Session, branchId?: string): Markup {
  const computes = view.computes.filter((compute) => branchId === undefined || compute.branch_id === branchId);
  const branch = branchId === undefined ? ['Branch'] : [];
  const headings = ['Compute', ...branch, 'Status', 'Size', 'Autosuspend', 'Last active', 'Actions'];
  if (computes.length === 0) return html`<p class="empty">There are no computes here.</p>`;
  return table(
    'Computes',
    headings,
    computes.map((compute) => rowOf(view, compute, session, branchId === undefined)),
  );
}

function rowOf(view: ProjectView, compute: Endpoint, session: Session, hasBranch: boolean): Row {
  const { id } = compute;
  const status = computeStatus(compute);
  const doing = doingWords(
    compute,
    view.open.filter((operation) => operation.endpoint_id === id),
  );
  const name = typeof compute.name === 'string' ? html`<span class="name">${compute.name}</span> ` : null;
  return {
    id: `compute-${id}`,
    say: `Compute ${id}: ${status.label}`,
    cells: [
      html`${name}<a class="id" href="${pathTo('projects', view.project.id, 'computes', id)}"><code>${id}</code></a>
        <span class="faint line">${typeWords(compute)}</span>`,
      ...(hasBranch ? [branchCell(view, compute.branch_id)] : []),
      html`${pill(status)} <span class="faint line doing">${doing}</span>`,
      html`<span class="whole">${sizeWords(compute)}</span>`,
      html`${autosuspendWords(compute)}`,
      time(compute.last_active),
      actions(view.project.id, compute, session),
    ],
  };
}

/** A branch by its name, with its id. */
export function branchCell({ project, branches }: ProjectView, branchId: unknown): Markup {
  if (typeof branchId !== 'string') return html`<span class="faint">–</span>`;
  const branch = branches.find(({ id }) => id === branchId);
  if (branch === undefined) return html`<code>${branchId}</code>`;
  return html`<a class="name" href="${pathTo('projects', project.id, 'branches', branchId)}">${branch.name}</a>
    <code class="faint line">${branchId}</code>`;
}

function actions(projectId: string, { id, current_state: state, disabled }: Endpoint, session: Session): Markup {
  const path = (act: string): string => pathTo('projects', projectId, 'computes', id, act);
  const link = (act: string, words: string): Markup => linkButton(path(act), words, { id: `${act}-${id}`, about: id });
  const start = html`<form method="post" action="${path('start')}">
    ${tokenField(session)} <button class="small" id="start-${id}">Start<span class="unseen"> ${id}</span></button>
  </form>`;
  // A disabled compute cannot run.
  const restart = disabled === true ? null : link('restart', 'Restart');
  const turn = state !== 'idle' ? link('suspend', 'Suspend') : disabled === true ? null : start;
  return html`<div class="actions">${link('edit', 'Edit')} ${restart} ${turn}</div>`;
}
