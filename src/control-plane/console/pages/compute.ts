// A compute's page: its facts, its connection string, and its newest operations.
import type { Endpoint, Operation } from '../../../api/index.ts';
import { factsList, html, pill, section, time, type Markup } from '../page/parts.ts';
import { requestLinks } from '../request.ts';
import { branchOf, computeOf, databasesOf, operationsOn, projectView, type ProjectView } from '../view.ts';
import type { Page, Visit } from '../visit.ts';
import { autosuspendWords, computeStatus, doingWords, sizeFacts, typeWords } from '../words.ts';
import { connections, placeOf } from './branch.ts';
import { branchCell } from './computes-table.ts';
import { newestOperations } from './operations-table.ts';

export function computePage(visit: Visit): Page {
  const view = projectView(visit, visit.param('project'));
  const compute = computeOf(visit, view.project.id, visit.param('compute'));
  const branch = branchOf(visit, view.project.id, compute.branch_id ?? '');
  const isOn = ({ endpoint_id: id }: { readonly endpoint_id?: unknown }): boolean => id === compute.id;
  return {
    title: compute.id,
    current: 'projects',
    main: html`${placeOf(view)}
      <div class="head">
        <h1><code>${compute.id}</code></h1>
      </div>`,
    live: html`<div id="actions">${requestLinks({ project_id: view.project.id, endpoint_id: compute.id })}</div>
      <div id="facts" class="panel">${facts(view, compute, view.open.filter(isOn))}</div>
      ${section('connect', 'Connect', connections(visit, branch, [compute], databasesOf(visit, branch)))}
      ${newestOperations(view, operationsOn(visit, view.project.id, isOn))}`,
  };
}

function facts(view: ProjectView, compute: Endpoint, open: readonly Operation[]): Markup {
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
  ]);
}
