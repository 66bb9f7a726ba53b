// The handlers of projects.
import type { Handlers } from '../engine/route.ts';
import { findProject } from '../find.ts';
import { deleteProject, recoverProject, updateProject } from './change.ts';
import { createProject } from './create.ts';
import { getProject, listProjects } from './list.ts';
import { preloadLibraries } from './settings.ts';

export const projectHandlers: Handlers<
  | 'listProjects'
  | 'listSharedProjects'
  | 'getProject'
  | 'createProject'
  | 'updateProject'
  | 'deleteProject'
  | 'recoverProject'
  | 'getAvailablePreloadLibraries'
> = {
  listProjects,
  listSharedProjects: () => ({ projects: [] }),
  getProject: ({ engine }, { project_id }) => ({ project: getProject(engine, project_id) }),
  createProject: (call, { body }) => createProject(call, body.project),
  updateProject: (call, { project_id, body }) => updateProject(call, project_id, body.project),
  deleteProject: (call, { project_id }) => deleteProject(call, project_id),
  recoverProject: (call, { project_id }) => recoverProject(call, project_id),
  getAvailablePreloadLibraries: ({ engine }, { project_id }) => {
    findProject(engine, project_id);
    return { libraries: preloadLibraries };
  },
};
