// The routes of branches.
import type { BranchCreateRequest, BranchRestoreRequest, BranchUpdateRequest } from '../../../api/index.ts';
import { param, routesOf, type Route } from '../engine/route.ts';
import { idsOf } from '../contents/contents.ts';
import { setDefaultBranch, updateBranch } from './change.ts';
import { createBranch } from './create.ts';
import { BRANCH_QUERY, countBranches, listBranches, showBranch } from './list.ts';
import { deleteBranch, recoverBranch } from './remove.ts';
import { restoreBranch } from './restore.ts';

const BASE = '/projects/{project_id}/branches';
const ONE = `${BASE}/{branch_id}`;

const route = routesOf('Branches');

export const branchRoutes: readonly Route[] = [
  route('GET', BASE, {
    id: 'listProjectBranches',
    scope: 'project',
    summary: 'List the branches of a project',
    query: BRANCH_QUERY,
    replies: { 200: 'BranchList' },
    run: (call, input) => listBranches(call.engine, param(input, 'project_id'), input.query),
  }),
  route('POST', BASE, {
    id: 'createProjectBranch',
    scope: 'project',
    summary: 'Create a branch, with computes if asked',
    body: 'BranchCreateRequest',
    bodyOptional: true,
    replies: { 201: 'BranchCreatedReply' },
    run: (call, input) => createBranch(call, param(input, 'project_id'), input.body as BranchCreateRequest),
  }),
  route('GET', `${BASE}/count`, {
    id: 'countProjectBranches',
    scope: 'project',
    summary: 'Count the branches of a project',
    query: [{ name: 'search', type: 'string', description: 'Part of the name or id.' }],
    replies: { 200: 'BranchCount' },
    run: (call, input) => {
      const { search } = input.query;
      return countBranches(call.engine, param(input, 'project_id'), search === undefined ? search : String(search));
    },
  }),
  route('GET', ONE, {
    id: 'getProjectBranch',
    scope: 'project',
    summary: 'One branch',
    replies: { 200: 'BranchReply' },
    run: (call, input) => showBranch(call.engine, ...idsOf(input)),
  }),
  route('PATCH', ONE, {
    id: 'updateProjectBranch',
    scope: 'project',
    summary: 'Rename or protect a branch, or set when it expires',
    body: 'BranchUpdateRequest',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => updateBranch(call, ...idsOf(input), (input.body as BranchUpdateRequest).branch),
  }),
  route('DELETE', ONE, {
    id: 'deleteProjectBranch',
    scope: 'project',
    summary: 'Delete a branch with its computes',
    query: [{ name: 'hard_delete', type: 'boolean', description: 'Not modelled.' }],
    replies: { 200: 'BranchOperationsReply', 204: null },
    run: (call, input) => deleteBranch(call, ...idsOf(input), input.query),
  }),
  route('POST', `${ONE}/set_as_default`, {
    id: 'setDefaultProjectBranch',
    scope: 'project',
    summary: 'Make a branch the default',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => setDefaultBranch(call, ...idsOf(input)),
  }),
  route('POST', `${ONE}/restore`, {
    id: 'restoreProjectBranch',
    scope: 'project',
    summary: 'Give a branch the state of another one, or an earlier one of its own',
    body: 'BranchRestoreRequest',
    replies: { 200: 'BranchOperationsReply' },
    run: (call, input) => restoreBranch(call, ...idsOf(input), input.body as BranchRestoreRequest),
  }),
  route('POST', `${ONE}/recover`, {
    id: 'recoverProjectBranch',
    scope: 'project',
    summary: 'Bring a deleted branch back, within seven days',
    replies: { 200: 'BranchRecoverReply' },
    run: (call, input) => recoverBranch(call, ...idsOf(input)),
  }),
];
