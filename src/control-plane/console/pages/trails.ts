// The way down to a page: projects, a project, a branch of it.
import type { Branch, ProjectListItem } from '../../../api/index.ts';
import type { Place } from '../action.ts';
import { pathTo, trail } from '../page/parts.ts';

/** The list of projects, a project, or a branch of it; a question there leads back to it. */
export function placeOf(project?: ProjectListItem, branch?: Branch): Place {
  const path = project === undefined ? '/' : pathTo('projects', project.id);
  const branchPath = branch === undefined ? path : pathTo('projects', branch.project_id, 'branches', branch.id);
  const steps = [
    ['/', 'Projects'] as const,
    ...(project === undefined ? [] : [[path, project.name] as const]),
    ...(branch === undefined ? [] : [[branchPath, branch.name] as const]),
  ];
  return { current: 'projects', trail: trail(steps), cancelPath: branchPath };
}
