// A project's page: its computes and its operations, and the part of it that a script keeps fresh.
import { html, pathTo, trail } from '../parts.ts';
import type { Markup } from '../parts.ts';
import { page } from '../respond.ts';
import type { Session } from '../sessions.ts';
import { projectView } from '../view.ts';
import type { ProjectView } from '../view.ts';
import { show } from '../visit.ts';
import type { Visit } from '../visit.ts';
import { computesTable } from './computes-table.ts';
import { operationsPager, operationsTable } from './operations-table.ts';

export function showProject(visit: Visit): Response {
  const shown = projectPage(visit);
  return show(visit, { title: shown.view.project.name, current: 'projects', main: projectMain(shown) });
}

export function showProjectLive(visit: Visit): Response {
  return page(projectLive(projectPage(visit)));
}

function projectPage(visit: Visit): ProjectPage {
  const cursor = visit.url.searchParams.get('cursor') ?? undefined;
  return { view: projectView(visit, visit.param('project'), cursor), cursor, session: visit.session };
}

export interface ProjectPage {
  readonly view: ProjectView;
  readonly cursor: string | undefined;
  readonly session: Session;
}

function projectMain(shown: ProjectPage): Markup {
  const { project } = shown.view;
  return html`${trail([['/', 'Projects']])}
    <div class="head">
      <div>
        <h1>${project.name}</h1>
        <p class="facts">
          <code>${project.id}</code> <span>${project.region_id ?? ''}</span>
          <span>Postgres ${project.pg_version ?? ''}</span>
        </p>
      </div>
      <div class="live-control">
        <noscript><a class="button" href="${pathTo('projects', project.id)}">Refresh</a></noscript>
        <button type="button" id="live-toggle" aria-pressed="true" hidden>
          <span class="dot" aria-hidden="true"></span>Live updates
        </button>
      </div>
    </div>
    <p class="unseen" role="status" id="said"></p>
    <p class="notice bad" id="lost" hidden>The server does not answer; what you see may be old. Trying again.</p>
    ${projectLive(shown)}`;
}

/** The part that changes while operations run. */
function projectLive(shown: ProjectPage): Markup {
  const { view, cursor, session } = shown;
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`;
  return html`<div
    id="live"
    data-url="${pathTo('projects', view.project.id, 'live') + query}"
    data-open="${view.open.length}"
  >
    <section id="computes" aria-labelledby="computes-title">
      <h2 id="computes-title">Computes</h2>
      <div class="panel">${computesTable(view, session)}</div>
    </section>
    <section id="operations" aria-labelledby="operations-title">
      <h2 id="operations-title">Operations</h2>
      <div class="panel">${operationsTable(view)}</div>
      ${operationsPager(view, cursor)}
    </section>
  </div> `;
}
