// The handlers of branches: lists branches in pages, and shows one branch.
import type { Handler } from '../engine/call.ts';
import { isSought, pageOf } from '../find.ts';
import { presentShelved } from '../shelf/rules.ts';
import { presentAnnotation, presentBranch } from './record.ts';

export { setDefaultProjectBranch, updateProjectBranch } from './change.ts';
export { createProjectBranch } from './create.ts';
export { deleteProjectBranch, recoverProjectBranch } from './remove.ts';
export { restoreProjectBranch } from './restore.ts';

const SORT_FIELDS = { name: 'name', created_at: 'createdMs', updated_at: 'updatedMs' } as const;

export const listProjectBranches: Handler<'listProjectBranches'> = ({ engine }, query) => {
  const { project_id: projectId, sort_by: sortBy = 'updated_at', sort_order: order = 'desc' } = query;
  const shelved = query.include_deleted === true ? engine.live.shelf.of.get(projectId) : [];
  const deleted = shelved.flatMap(({ kind, branches }) => (kind === 'branch' ? branches : []));
  const all = [...engine.live.branches.of.get(projectId), ...deleted];
  const matches = all.filter((branch) => isSought(branch, query.search));
  const { cursor, limit = engine.switches.branchesPageSize } = query;
  const { page, next, isLast } = pageOf(matches, SORT_FIELDS[sortBy], {
    isDescending: order === 'desc',
    cursor,
    limit,
  });
  const annotated = page.filter(({ annotations }) => annotations !== undefined);
  return {
    branches: page.map((branch) => {
      const shelf = engine.live.shelf.get(branch.id);
      return shelf === undefined ? presentBranch(branch) : presentShelved(branch, shelf);
    }),
    annotations: Object.fromEntries(annotated.map((branch) => [branch.id, presentAnnotation(branch)])),
    pagination: { ...(isLast ? {} : { next }), sort_by: sortBy, sort_order: order.toUpperCase() },
  };
};

export const countProjectBranches: Handler<'countProjectBranches'> = ({ engine, project }, { search }) => {
  return { count: engine.live.branches.of.get(project.id).filter((branch) => isSought(branch, search)).length };
};

export const getProjectBranch: Handler<'getProjectBranch'> = ({ branch }) => ({
  branch: presentBranch(branch),
  annotation: presentAnnotation(branch),
});
