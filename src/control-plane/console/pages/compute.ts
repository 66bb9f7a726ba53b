// A compute's pages: its facts, and the form that edits its size.
import type { Endpoint, Operation, ProjectListItem } from '../../../api/index.ts';
import { tableSizes } from '../../../api/size-table.ts';
import { tokenField } from '../layout.ts';
import { html, noticeBox, pathTo, pill, time, trail } from '../parts.ts';
import type { Markup } from '../parts.ts';
import type { Session } from '../sessions.ts';
import {
  autosuspendWords,
  capacityWords,
  computeStatus,
  connectionWords,
  doingWords,
  sizeWords,
  typeWords,
} from '../words.ts';
import { branchCell } from './computes-table.ts';

export interface ComputeView {
  readonly project: ProjectListItem;
  readonly compute: Endpoint;
  readonly branchNames: ReadonlyMap<string, string>;
  /** Its operations under way, oldest first. */
  readonly open: readonly Operation[];
  /** How psql connects to it, where it is a real Postgres. */
  readonly psql: string | undefined;
}

export function computeMain(view: ComputeView): Markup {
  const { project, compute } = view;
  const path = (act: string): string => pathTo('projects', project.id, 'computes', compute.id, act);
  const { autoscaling_limit_min_cu: min = 0, autoscaling_limit_max_cu: max = 0 } = compute;
  const connections = connectionWords(min);
  const facts: readonly (readonly [name: string, value: Markup])[] = [
    ['Status', html`${pill(computeStatus(compute))} <span class="faint">${doingWords(compute, view.open)}</span>`],
    ...(typeof compute.name === 'string' ? [['Name', html`${compute.name}`] as const] : []),
    ['Branch', branchCell(view, compute.branch_id)],
    ['Type', html`${typeWords(compute)}`],
    ['Size', html`${sizeWords(compute)}: up to ${capacityWords(max)}${connections === '' ? '' : `, ${connections}`}`],
    ['Autosuspend', html`${autosuspendWords(compute)}`],
    ['Host', html`<code>${compute.host ?? ''}</code>`],
    ...(view.psql === undefined ? [] : [['Connect', html`<code>${view.psql}</code>`] as const]),
    ['Pooler', html`${compute.pooler_enabled === true ? `On, ${compute.pooler_mode ?? ''} mode` : 'Off'}`],
    ['Last active', time(compute.last_active)],
    ['Created', time(compute.created_at)],
    ['Updated', time(compute.updated_at)],
  ];
  const link = (act: string, words: string): Markup => html`<a class="button" href="${path(act)}">${words}</a>`;
  // A disabled compute cannot run.
  const canRun = compute.disabled !== true;
  const start = canRun ? link('start', 'Start') : null;
  return html`${computeTrail(project)}
    <div class="head">
      <h1><code>${compute.id}</code></h1>
      <div class="actions">
        ${link('size', 'Edit size')} ${canRun ? link('restart', 'Restart') : null}
        ${compute.current_state === 'idle' ? start : link('suspend', 'Suspend')}
      </div>
    </div>
    <div class="panel">
      <dl class="facts-list">
        ${facts.map(
          ([name, value]) =>
            html`<div>
              <dt>${name}</dt>
              <dd>${value}</dd>
            </div>`,
        )}
      </dl>
    </div>`;
}

/** The way from the front page to a project. */
export function computeTrail(project: ProjectListItem): Markup {
  return trail([
    ['/', 'Projects'],
    [pathTo('projects', project.id), project.name],
  ]);
}

export interface SizeForm {
  readonly session: Session;
  /** What was chosen before it was refused. */
  readonly min?: string;
  readonly max?: string;
  readonly problem?: string;
}

export function sizeMain({ project, compute }: ComputeView, form: SizeForm): Markup {
  const min = form.min ?? String(compute.autoscaling_limit_min_cu ?? '');
  const max = form.max ?? String(compute.autoscaling_limit_max_cu ?? '');
  const effect =
    compute.current_state === 'idle'
      ? 'The compute is idle: the new size counts from its next start.'
      : 'Changing the size restarts the compute and drops its connections. It takes effect immediately.';
  return html`${computeTrail(project)}
    <div class="narrow panel">
      <h1>Edit size of <code>${compute.id}</code></h1>
      <p id="size-effect">${effect}</p>
      ${form.problem === undefined ? null : noticeBox({ tone: 'bad', text: form.problem })}
      <form
        method="post"
        action="${pathTo('projects', project.id, 'computes', compute.id, 'size')}"
        aria-describedby="size-effect size-help"
      >
        ${tokenField(form.session)}
        <label for="min">Minimum size</label>
        <select id="min" name="min">
          ${sizeOptions(min, minimumWords)}
        </select>
        <label for="max">Maximum size</label>
        <select id="max" name="max">
          ${sizeOptions(max, capacityWords)}
        </select>
        <p class="faint" id="size-help">
          With the same minimum and maximum the size is fixed; otherwise the compute scales between them. The number of
          connections follows the minimum.
        </p>
        <div class="buttons">
          <button class="primary" id="save-size">Save size</button>
          <a class="button" href="${pathTo('projects', project.id)}">Cancel</a>
        </div>
      </form>
    </div>`;
}

function sizeOptions(chosen: string, wordsOf: (units: number) => string): readonly Markup[] {
  const number = Number(chosen);
  const sizes = tableSizes.includes(number) || !(number > 0) ? tableSizes : [...tableSizes, number];
  return [...sizes]
    .sort((a, b) => a - b)
    .map((size) => {
      const isChosen = size === number ? html` selected` : null;
      return html`<option value="${size}" ${isChosen}>${size} CU: ${wordsOf(size)}</option>`;
    });
}

function minimumWords(units: number): string {
  const connections = connectionWords(units);
  return `${units * 4} GB RAM${connections === '' ? '' : `, ${connections}`}`;
}
