// The pages of a project: the whole, and the part that the script fetches again and again.
import { projectLive, projectMain } from './project-page.ts';
import type { ProjectPage } from './project-page.ts';
import { page } from './respond.ts';
import { projectView } from './view.ts';
import { show } from './visit.ts';
import type { Visit } from './visit.ts';

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
