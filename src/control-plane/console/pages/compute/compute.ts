// A compute's page: its facts, how psql gets there, and its last hour.
import type { Endpoint, Operation } from '../../../../api/index.ts';
import { copyBox, factsList, html, pathTo, pill, section, time, type Markup } from '../../page/parts.ts';
import { branchOf, computeOf, computeStays, operationsOn, projectView, type ProjectView } from '../../view.ts';
import type { Page, Visit } from '../../visit.ts';
import { autosuspendWords, computeStatus, doingWords, sizeFacts, typeWords } from '../../words.ts';
import { psqlLine } from '../branch/connect.ts';
import { branchCell } from '../project/computes-table.ts';
import { newestOperations } from '../project/operations-table.ts';
import { placeOf } from '../trails.ts';

export function computePage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const compute = computeOf(visit, view.project.id, visit.param('compute'));
  const branch = branchOf(visit, view.project.id, compute.branch_id ?? '');
  const psql = psqlLine(visit, branch, compute.id);
  const open = view.open.filter((operation) => operation.endpoint_id === compute.id);
  return {
    title: compute.id,
    current: 'projects',
    main: html`${placeOf(view.project).trail}
      <div class="head">
        <h1><code>${compute.id}</code></h1>
      </div>`,
    live: html`<div id="actions" class="actions">${actions(view, compute, computeStays(branch) === null)}</div>
      <div id="facts" class="panel">${facts(view, compute, open, computeStays(branch))}</div>
      <div id="connect">
        ${psql === undefined ? null : section('psql-part', 'psql', copyBox('psql', 'psql line', psql))}
      </div>
      ${newestOperations(
        view,
        operationsOn(visit, view.project.id, ({ endpoint_id: id }) => id === compute.id),
      )}`,
  };
}

function facts(view: ProjectView, compute: Endpoint, open: readonly Operation[], stays: string | null): Markup {
  return factsList([
    ['Status', html`${pill(computeStatus(compute))} <span class="faint">${doingWords(compute, open)}</span>`],
    ['Name', typeof compute.name === 'string' ? html`${compute.name}` : null],
    ['Branch', branchCell(view, compute.branch_id)],
    ['Type', html`${typeWords(compute)}`],
    ['Size', html`${sizeFacts(compute)}`],
    ['Autosuspend', html`${autosuspendWords(compute)}`],
    ['Host', html`<code>${compute.host ?? ''}</code>`],
    ['Pooler', html`${compute.pooler_enabled === true ? `On, ${compute.pooler_mode ?? ''} mode` : 'Off'}`],
    ['Last active', time(compute.last_active)],
    ['Created', time(compute.created_at)],
    ['Updated', time(compute.updated_at)],
    ['Deletion', stays === null ? null : html`${stays}`],
  ]);
}

function actions(
  { project }: ProjectView,
  { id, branch_id: branchId, disabled, current_state: state }: Endpoint,
  canGo: boolean,
): Markup {
  const link = (act: string, words: string): Markup =>
    html`<a class="button" id="${act}" href="${pathTo('projects', project.id, 'computes', id, act)}">${words}</a>`;
  // A disabled compute cannot run.
  const canRun = disabled !== true;
  const connect = `${pathTo('projects', project.id, 'branches', branchId ?? '', 'connect')}?compute=${id}`;
  return html`<a class="button primary" href="${connect}">Connect</a> ${link('edit', 'Edit')} ${link('move', 'Move')}
    ${canRun ? link('restart', 'Restart') : null}
    ${state === 'idle' ? (canRun ? link('start', 'Start') : null) : link('suspend', 'Suspend')}
    ${canGo ? link('delete', 'Delete') : null}`;
}
