// What can be done to a compute: restart, suspend and start after a question, and the edit of its size.
import type { Operation } from '../../../api/index.ts';
import { psqlLine } from '../../resources/contents/connection-uri.ts';
import { html, pathTo } from '../parts.ts';
import { redirect } from '../respond.ts';
import { branchNamesOf, computeOf, openOperations, projectOf, refusalOf } from '../view.ts';
import { show } from '../visit.ts';
import type { FormVisit, Visit } from '../visit.ts';
import { counted, sizeWords } from '../words.ts';
import { computeMain, computeTrail, sizeMain } from './compute.ts';
import type { ComputeView, SizeForm } from './compute.ts';
import { confirmMain } from './confirm.ts';
import type { Confirmation } from './confirm.ts';

export type Act = 'restart' | 'suspend' | 'start';

const QUESTIONS: Readonly<Record<Act, { readonly verb: string; readonly done: string; readonly consequence: string }>> =
  {
    restart: {
      verb: 'Restart',
      done: 'is restarting',
      consequence: 'Its connections are dropped. Clients can connect again as soon as it has started.',
    },
    suspend: {
      verb: 'Suspend',
      done: 'is being suspended',
      consequence: 'Its connections are dropped. It becomes active again with the next connection.',
    },
    start: { verb: 'Start', done: 'is starting', consequence: 'It becomes active and accepts connections.' },
  };

export function showCompute(visit: Visit): Response {
  const view = viewOf(visit);
  return show(visit, { title: view.compute.id, current: 'projects', main: computeMain(view) });
}

/** Asks whether to do it; with `problem`, says why it was not done. */
export function askCompute(visit: Visit, act: Act, problem?: string, status?: number): Response {
  const view = viewOf(visit);
  const { verb, consequence } = QUESTIONS[act];
  const { project, compute } = view;
  const asked: Confirmation = {
    trail: computeTrail(project),
    title: html`${verb} <code>${compute.id}</code>?`,
    consequences: [consequence],
    path: pathTo('projects', project.id, 'computes', compute.id, act),
    button: `${verb} compute`,
    isFinal: false,
    cancelPath: pathTo('projects', project.id),
  };
  const main = confirmMain(asked, visit.session, problem);
  return show(visit, { title: `${verb} ${compute.id}`, current: 'projects', main }, status);
}

export function doCompute(visit: FormVisit, act: Act): Response {
  const { projectId, computeId } = idsOf(visit);
  const path = ['projects', projectId, 'endpoints', computeId, act];
  const refusal = refusalOf(() => visit.gateway(visit.keyId, { verb: 'POST', path }));
  if (refusal !== undefined) return askCompute(visit, act, refusedWords(refusal.message), refusal.status);
  visit.session.notice = { tone: 'good', text: `${computeId} ${QUESTIONS[act].done}.` };
  return redirect(pathTo('projects', projectId));
}

export function askSize(visit: Visit, chosen: Omit<SizeForm, 'session'> = {}, status?: number): Response {
  const view = viewOf(visit);
  const main = sizeMain(view, { session: visit.session, ...chosen });
  return show(visit, { title: `Edit size of ${view.compute.id}`, current: 'projects', main }, status);
}

export function setSize(visit: FormVisit): Response {
  const { projectId, computeId } = idsOf(visit);
  const min = visit.form.get('min') ?? '';
  const max = visit.form.get('max') ?? '';
  const endpoint = { autoscaling_limit_min_cu: numberOf(min), autoscaling_limit_max_cu: numberOf(max) };
  let operations: readonly Operation[] = [];
  const path = ['projects', projectId, 'endpoints', computeId];
  const refusal = refusalOf(() => {
    const question = { verb: 'PATCH', path, body: { endpoint } } as const;
    ({ operations } = visit.gateway(visit.keyId, question) as { operations: Operation[] });
  });
  if (refusal !== undefined)
    return askSize(visit, { min, max, problem: refusedWords(refusal.message) }, refusal.status);
  const started = operations.length === 0 ? '' : `; ${counted(operations.length, 'operation')} started`;
  visit.session.notice = { tone: 'good', text: `${computeId} has a size of ${sizeWords(endpoint)}${started}.` };
  return redirect(pathTo('projects', projectId));
}

/** A number as the form sends it; what is none is left to the API's own refusal. */
function numberOf(text: string): number {
  return text.trim() === '' ? NaN : Number(text);
}

function refusedWords(message: string): string {
  return `Nothing was done: ${message}.`;
}

function idsOf(visit: Visit): { readonly projectId: string; readonly computeId: string } {
  return { projectId: visit.param('project'), computeId: visit.param('compute') };
}

function viewOf(visit: Visit): ComputeView {
  const { projectId, computeId } = idsOf(visit);
  return {
    project: projectOf(visit, projectId),
    compute: computeOf(visit, projectId, computeId),
    branchNames: branchNamesOf(visit, projectId),
    open: openOperations(visit, projectId).filter((operation) => operation.endpoint_id === computeId),
    psql: psqlLine(visit.controlPlane.engine, computeId),
  };
}
