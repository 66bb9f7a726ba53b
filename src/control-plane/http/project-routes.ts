// Routes of projects ("Projects" of the API page, and what public clients need besides).
import type { ProjectCreateRequest, ProjectUpdateRequest } from '../../api/index.ts';
import { createProject, deleteProject, updateProject } from '../services/project-changes.ts';
import { getProject, listProjects } from '../services/projects.ts';
import { created, ok, param } from './route.ts';
import type { QueryParameter, Route } from './route.ts';

const LIST_QUERY: readonly QueryParameter[] = [
  { name: 'cursor', type: 'string', description: 'Cursor of the page before.' },
  { name: 'limit', type: 'integer', minimum: 1, maximum: 400, description: 'Projects per page.' },
  { name: 'search', type: 'string', description: 'Part of the name or id.' },
  { name: 'org_id', type: 'string', description: 'Organization; accepted and ignored, there is one account.' },
  { name: 'timeout', type: 'integer', minimum: 100, maximum: 30_000, description: 'Accepted and ignored.' },
  { name: 'recoverable', type: 'boolean', description: 'Accepted and ignored.' },
];

export const projectRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/projects',
    id: 'listProjects',
    tag: 'Projects',
    summary: 'List the projects of the account, in pages',
    query: LIST_QUERY,
    replies: { 200: 'ServedProjectList' },
    run: (call, input) => ok(listProjects(call.engine, input.query)),
  },
  {
    method: 'GET',
    path: '/projects/shared',
    id: 'listSharedProjects',
    tag: 'Projects',
    summary: 'List projects shared with the account: none',
    query: LIST_QUERY,
    replies: { 200: 'ServedProjectList' },
    run: () => ok({ projects: [] }),
  },
  {
    method: 'GET',
    path: '/projects/{project_id}',
    id: 'getProject',
    tag: 'Projects',
    summary: 'One project',
    replies: { 200: 'ProjectReply' },
    run: (call, input) => ok({ project: getProject(call.engine, param(input, 'project_id')) }),
  },
  {
    method: 'POST',
    path: '/projects',
    id: 'createProject',
    tag: 'Projects',
    summary: 'Create a project with a default branch and its primary compute',
    body: 'ProjectCreateRequest',
    replies: { 201: 'ProjectCreatedReply' },
    run: (call, input) => created(createProject(call, (input.body as ProjectCreateRequest).project)),
  },
  {
    method: 'PATCH',
    path: '/projects/{project_id}',
    id: 'updateProject',
    tag: 'Projects',
    summary: 'Rename a project or change its history retention',
    body: 'ProjectUpdateRequest',
    replies: { 200: 'ProjectOperationsReply' },
    run: (call, input) =>
      ok(updateProject(call, param(input, 'project_id'), (input.body as ProjectUpdateRequest).project)),
  },
  {
    method: 'DELETE',
    path: '/projects/{project_id}',
    id: 'deleteProject',
    tag: 'Projects',
    summary: 'Delete a project with all it has',
    replies: { 200: 'ProjectReply' },
    run: (call, input) => ok(deleteProject(call, param(input, 'project_id'))),
  },
];
