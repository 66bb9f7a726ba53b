// Routes of branches: what public clients need of them.
import type { BranchCreateRequest, BranchUpdateRequest } from '../../api/index.ts';
import { presentBranch } from '../present.ts';
import { createBranch, deleteBranch, listBranches, setDefaultBranch, updateBranch } from '../services/branches.ts';
import { findBranch, findProject } from '../services/lookups.ts';
import { created, ok, okOrNothing, param } from './route.ts';
import type { Input, Route } from './route.ts';

const BASE = '/projects/{project_id}/branches';
const ONE = `${BASE}/{branch_id}`;

export const branchRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: BASE,
    id: 'listProjectBranches',
    tag: 'Branches',
    summary: 'List the branches of a project',
    query: [
      { name: 'search', type: 'string', description: 'Part of the name or id.' },
      { name: 'sort_by', type: 'string', oneOf: ['name', 'created_at', 'updated_at'], description: 'Sort field.' },
      { name: 'sort_order', type: 'string', oneOf: ['asc', 'desc'], description: 'Sort order.' },
      { name: 'cursor', type: 'string', description: 'The `next` of the page before.' },
      { name: 'limit', type: 'integer', minimum: 1, maximum: 10_000, description: 'Branches per page.' },
      { name: 'include_deleted', type: 'boolean', description: 'Accepted and ignored.' },
    ],
    replies: { 200: 'BranchList' },
    run: (call, input) => ok(listBranches(call.engine, param(input, 'project_id'), input.query)),
  },
  {
    method: 'POST',
    path: BASE,
    id: 'createProjectBranch',
    tag: 'Branches',
    summary: 'Create a branch, with computes if asked',
    body: 'BranchCreateRequest',
    bodyOptional: true,
    replies: { 201: 'BranchCreatedReply' },
    run: (call, input) => created(createBranch(call, param(input, 'project_id'), input.body as BranchCreateRequest)),
  },
  {
    method: 'GET',
    path: `${BASE}/count`,
    id: 'countProjectBranches',
    tag: 'Branches',
    summary: 'Count the branches of a project',
    replies: { 200: 'BranchCount' },
    run: (call, input) => {
      const { id } = findProject(call.engine, param(input, 'project_id'));
      return ok({ count: call.engine.state.branchesOf.count(id) });
    },
  },
  {
    method: 'GET',
    path: ONE,
    id: 'getProjectBranch',
    tag: 'Branches',
    summary: 'One branch',
    replies: { 200: 'BranchReply' },
    run: (call, input) => ok({ branch: presentBranch(findBranch(call.engine, ...idsOf(input))), annotation: {} }),
  },
  {
    method: 'PATCH',
    path: ONE,
    id: 'updateProjectBranch',
    tag: 'Branches',
    summary: 'Rename or protect a branch',
    body: 'BranchUpdateRequest',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => ok(updateBranch(call, ...idsOf(input), (input.body as BranchUpdateRequest).branch)),
  },
  {
    method: 'DELETE',
    path: ONE,
    id: 'deleteProjectBranch',
    tag: 'Branches',
    summary: 'Delete a branch with its computes',
    replies: { 200: 'BranchOperationsReply', 204: null },
    run: (call, input) => okOrNothing(deleteBranch(call, ...idsOf(input))),
  },
  {
    method: 'POST',
    path: `${ONE}/set_as_default`,
    id: 'setDefaultProjectBranch',
    tag: 'Branches',
    summary: 'Make a branch the default',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => ok(setDefaultBranch(call, ...idsOf(input))),
  },
];

export function idsOf(input: Input): [projectId: string, branchId: string] {
  return [param(input, 'project_id'), param(input, 'branch_id')];
}
