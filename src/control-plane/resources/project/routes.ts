// The routes of projects.
import type { ProjectCreateRequest, ProjectUpdateRequest } from '../../../api/index.ts';
import { param, routesOf, type Route } from '../engine/route.ts';
import { findProject } from '../find.ts';
import { deleteProject, recoverProject, updateProject } from './change.ts';
import { createProject } from './create.ts';
import { PROJECT_QUERY, getProject, listProjects } from './list.ts';
import { preloadLibraries } from './settings.ts';

const route = routesOf('Projects');

export const projectRoutes: readonly Route[] = [
  route('GET', '/projects', {
    id: 'listProjects',
    scope: 'key',
    summary: 'List the projects of the account, in pages',
    query: PROJECT_QUERY,
    replies: { 200: 'ServedProjectList' },
    run: (call, input) => listProjects(call, input.query),
  }),
  route('GET', '/projects/shared', {
    id: 'listSharedProjects',
    scope: 'key',
    summary: 'List projects shared with the account: none',
    query: PROJECT_QUERY,
    replies: { 200: 'ServedProjectList' },
    run: () => ({ projects: [] }),
  }),
  route('GET', '/projects/{project_id}', {
    id: 'getProject',
    scope: 'project',
    summary: 'One project',
    replies: { 200: 'ProjectReply' },
    run: (call, input) => ({ project: getProject(call.engine, param(input, 'project_id')) }),
  }),
  route('POST', '/projects', {
    id: 'createProject',
    scope: 'organization',
    summary: 'Create a project with a default branch, a role, a database and a primary compute',
    body: 'ProjectCreateRequest',
    replies: { 201: 'ProjectCreatedReply' },
    run: (call, input) => createProject(call, (input.body as ProjectCreateRequest).project),
  }),
  route('PATCH', '/projects/{project_id}', {
    id: 'updateProject',
    scope: 'project',
    summary: 'Change the name, settings, defaults or history of a project',
    body: 'ProjectUpdateRequest',
    replies: { 200: 'ProjectOperationsReply' },
    run: (call, input) => updateProject(call, param(input, 'project_id'), (input.body as ProjectUpdateRequest).project),
  }),
  route('DELETE', '/projects/{project_id}', {
    id: 'deleteProject',
    scope: 'organization',
    summary: 'Delete a project with all it has; it can be recovered for seven days',
    replies: { 200: 'ProjectReply' },
    run: (call, input) => deleteProject(call, param(input, 'project_id')),
  }),
  route('POST', '/projects/{project_id}/recover', {
    id: 'recoverProject',
    scope: 'organization',
    summary: 'Bring a deleted project back, within seven days',
    replies: { 200: 'ProjectRecoverReply' },
    run: (call, input) => recoverProject(call, param(input, 'project_id')),
  }),
  route('GET', '/projects/{project_id}/available_preload_libraries', {
    id: 'getAvailablePreloadLibraries',
    scope: 'project',
    summary: 'Libraries that computes of the project can load when they start',
    replies: { 200: 'PreloadLibraryList' },
    run: (call, input) => {
      findProject(call.engine, param(input, 'project_id'));
      return { libraries: preloadLibraries };
    },
  }),
];
