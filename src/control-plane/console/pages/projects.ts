// The projects page: the account's projects and how much goes on in each.
import { html, pathTo, pill, table, time } from '../parts.ts';
import type { Markup, Row } from '../parts.ts';
import { projectRows } from '../view.ts';
import type { Listed, ProjectQuery, ProjectRow } from '../view.ts';
import { show } from '../visit.ts';
import type { Visit } from '../visit.ts';
import { counted } from '../words.ts';

export function showProjects(visit: Visit): Response {
  const { searchParams } = visit.url;
  const search = (searchParams.get('search') ?? '').slice(0, 100).trim();
  const query = { search, cursor: searchParams.get('cursor') ?? undefined };
  return show(visit, { title: 'Projects', current: 'projects', main: projectsMain(projectRows(visit, query), query) });
}

function projectsMain(list: Listed<ProjectRow>, query: ProjectQuery): Markup {
  const headings = ['Project', 'Region', 'Postgres', 'Computes', 'Operations', 'Created'];
  return html`<div class="head">
      <h1>Projects</h1>
      <form class="search" method="get" action="/" role="search">
        <label class="unseen" for="search">Search projects by name or id</label>
        <input
          id="search"
          name="search"
          type="search"
          value="${query.search}"
          placeholder="Name or id"
          maxlength="100"
          autocomplete="off"
        />
        <button id="search-go">Search</button>
      </form>
    </div>
    <div class="panel">
      ${list.items.length === 0 ? nothing(query) : table('Projects', headings, list.items.map(rowOf))}
    </div>
    ${pager(list, query)}`;
}

function nothing({ search }: ProjectQuery): Markup {
  if (search === '') return html`<p class="empty">This account has no projects.</p>`;
  return html`<p class="empty">No project has “${search}” in its name or id. <a href="/">Show all</a></p>`;
}

function rowOf({ project, active, idle, open }: ProjectRow): Row {
  return {
    id: `project-${project.id}`,
    cells: [
      html`<a class="name" href="${pathTo('projects', project.id)}">${project.name}</a> <code>${project.id}</code>`,
      html`${project.region_id ?? ''}`,
      html`${project.pg_version ?? ''}`,
      html`<span class="pills"
        >${active > 0 ? pill({ label: `${active} Active`, tone: 'good' }) : null}
        ${idle > 0 ? pill({ label: `${idle} Idle`, tone: 'quiet' }) : null}
        ${active + idle === 0 ? html`<span class="faint">None</span>` : null}</span
      >`,
      open === 0
        ? html`<span class="faint">None</span>`
        : pill({ label: `${counted(open, 'operation')} under way`, tone: 'busy' }),
      time(project.created_at),
    ],
  };
}

function pager({ next }: Listed<ProjectRow>, { search, cursor }: ProjectQuery): Markup {
  if (next === undefined && cursor === undefined) return html``;
  const queryOf = (more: Record<string, string>): string =>
    `/?${new URLSearchParams({ ...(search === '' ? {} : { search }), ...more }).toString()}`;
  return html`<nav class="pager" aria-label="Pages of projects">
    ${cursor === undefined ? null : html`<a class="button" href="${queryOf({})}">First page</a>`}
    ${next === undefined ? null : html`<a class="button" href="${queryOf({ cursor: next })}">More projects</a>`}
  </nav>`;
}
