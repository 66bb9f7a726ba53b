// The projects page: the account's projects, each with its numbers of computes and operations.
import { plural } from '../../../base/text/words.ts';
import type { ProjectListItem } from '../../../api/index.ts';
import { head, html, pager, pill, table, time, type Markup, type Row } from '../page/parts.ts';
import { requestLinks } from '../request.ts';
import { ask, openOperations, pageOf, pathOfProject, type Viewer } from '../view.ts';
import type { Page, Visit } from '../visit.ts';
import { deletedPart } from './tables.ts';

export function projectsPage(visit: Visit): Page {
  const { searchParams } = visit.url;
  const search = (searchParams.get('search') ?? '').slice(0, 100).trim();
  const values = { search, cursor: searchParams.get('cursor') ?? '' };
  const list = pageOf(visit, 'listProjects', values, ({ projects }) => projects);
  const rows = list.items.map((project) => rowOf(visit, project));
  const { projects: deleted } = ask(visit, 'listProjects', { recoverable: 'true', limit: '400', search });
  const empty = search === '' ? 'This account has no projects.' : `No project has “${search}” in its name or id.`;
  return {
    title: 'Projects',
    current: 'projects',
    main: head('Projects'),
    live: html`<div id="actions" class="actions">${actions(search)}</div>
      <div id="projects">${table('Projects', rows, empty)} ${pager('projects', visit.url, list.next)}</div>
      ${deletedPart('Deleted projects', deleted.toReversed(), (id) => ({ project_id: id }))}`,
  };
}

function actions(search: string): Markup {
  return html`${requestLinks({}, { tag: 'Projects' })}
    <form class="search" method="get" action="/" role="search">
      <label class="unseen" for="search">Search projects by name or id</label>
      <input
        id="search"
        name="search"
        type="search"
        value="${search}"
        placeholder="Name or id"
        maxlength="100"
        autocomplete="off"
      />
      <button id="search-go">Search</button>
    </form>`;
}

function rowOf(viewer: Viewer, project: ProjectListItem): Row {
  const { endpoints } = ask(viewer, 'listProjectEndpoints', { project_id: project.id });
  const active = endpoints.filter(({ current_state: state }) => state === 'active').length;
  const idle = endpoints.length - active;
  const open = openOperations(viewer, project.id).length;
  return {
    id: `project-${project.id}`,
    cells: {
      Project: html`<a class="name" href="${pathOfProject(project.id)}">${project.name}</a> <code>${project.id}</code>`,
      Region: html`${project.region_id ?? ''}`,
      Postgres: html`${project.pg_version ?? ''}`,
      Computes: html`<span class="pills"
        >${active > 0 ? pill({ label: `${active} Active`, tone: 'good' }) : null}
        ${idle > 0 ? pill({ label: `${idle} Idle`, tone: 'quiet' }) : null}
        ${active + idle === 0 ? html`<span class="faint">None</span>` : null}</span
      >`,
      Operations:
        open === 0
          ? html`<span class="faint">None</span>`
          : pill({ label: `${plural(open, 'operation')} under way`, tone: 'busy' }),
      Created: time(project.created_at),
    },
  };
}
