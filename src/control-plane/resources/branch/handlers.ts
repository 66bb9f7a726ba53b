// The handlers of branches.
import type { Handlers } from '../engine/route.ts';
import { setDefaultBranch, updateBranch } from './change.ts';
import { createBranch } from './create.ts';
import { countBranches, listBranches, showBranch } from './list.ts';
import { deleteBranch, recoverBranch } from './remove.ts';
import { restoreBranch } from './restore.ts';

export const branchHandlers: Handlers<
  | 'listProjectBranches'
  | 'createProjectBranch'
  | 'countProjectBranches'
  | 'getProjectBranch'
  | 'updateProjectBranch'
  | 'deleteProjectBranch'
  | 'setDefaultProjectBranch'
  | 'restoreProjectBranch'
  | 'recoverProjectBranch'
> = {
  listProjectBranches: ({ engine }, query) => listBranches(engine, query),
  createProjectBranch: (call, { project_id, body }) => createBranch(call, project_id, body),
  countProjectBranches: ({ engine }, { project_id, search }) => countBranches(engine, project_id, search),
  getProjectBranch: ({ engine }, { project_id, branch_id }) => showBranch(engine, project_id, branch_id),
  updateProjectBranch: (call, { project_id, branch_id, body }) =>
    updateBranch(call, project_id, branch_id, body.branch),
  deleteProjectBranch: deleteBranch,
  setDefaultProjectBranch: (call, { project_id, branch_id }) => setDefaultBranch(call, project_id, branch_id),
  restoreProjectBranch: (call, { project_id, branch_id, body }) => restoreBranch(call, project_id, branch_id, body),
  recoverProjectBranch: (call, { project_id, branch_id }) => recoverBranch(call, project_id, branch_id),
};
