// The way down to a page: projects, a project, a branch or a compute of it.
import type { Branch, ProjectListItem } from '../../../api/index.ts';
import { pathTo, trail } from '../page/parts.ts';
import type { Markup } from '../page/parts.ts';

export const projectsTrail: Markup = trail([['/', 'Projects']]);

export function projectTrail(project: ProjectListItem): Markup {
  return trail([
    ['/', 'Projects'],
    [pathTo('projects', project.id), project.name],
  ]);
}

export function branchTrail(project: ProjectListItem, branch: Branch): Markup {
  return trail([
    ['/', 'Projects'],
    [pathTo('projects', project.id), project.name],
    [pathTo('projects', project.id, 'branches', branch.id), branch.name],
  ]);
}
