// The handlers of branches: lists branches in pages, and shows one branch.
import type { Handler } from '../engine/call.ts';
import { badRequest } from '../../core/refusal.ts';
import { isSought } from '../find.ts';
import { presentShelved } from '../shelf/rules.ts';
import { presentAnnotation, presentBranch } from './record.ts';

export { setDefaultProjectBranch, updateProjectBranch } from './change.ts';
export { createProjectBranch } from './create.ts';
export { deleteProjectBranch, recoverProjectBranch } from './remove.ts';
export { restoreProjectBranch } from './restore.ts';

const SORT_FIELDS = { name: 'name', created_at: 'createdMs', updated_at: 'updatedMs' } as const;

export const listProjectBranches: Handler<'listProjectBranches'> = ({ engine }, query) => {
  const { project_id: projectId, sort_by: sortBy = 'updated_at', sort_order: order = 'desc' } = query;
  const field = SORT_FIELDS[sortBy];
  const shelved = query.include_deleted === true ? engine.live.shelf.of.get(projectId) : [];
  const deleted = shelved.flatMap(({ kind, branches }) => (kind === 'branch' ? branches : []));
  const all = [...engine.live.branches.of.get(projectId), ...deleted];
  const matches = all.filter((branch) => isSought(branch, query.search));
  matches.sort((a, b) => (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : a.id < b.id ? -1 : 1));
  if (order === 'desc') matches.reverse();
  const begin = query.cursor === undefined ? 0 : offsetOf(query.cursor);
  const { branchesPageSize } = engine.switches;
  const limit = query.limit ?? (branchesPageSize === 'all' ? matches.length : branchesPageSize);
  const page = matches.slice(begin, begin + limit);
  const end = begin + page.length;
  const next = end < matches.length ? { next: Buffer.from(`offset ${end}`).toString('base64url') } : {};
  const annotated = page.filter(({ annotations }) => annotations !== undefined);
  return {
    branches: page.map((branch) => {
      const shelf = engine.live.shelf.get(branch.id);
      return shelf === undefined ? presentBranch(branch) : presentShelved(branch, shelf);
    }),
    annotations: Object.fromEntries(annotated.map((branch) => [branch.id, presentAnnotation(branch)])),
    pagination: { ...next, sort_by: sortBy, sort_order: order.toUpperCase() },
  };
};

function offsetOf(cursor: string): number {
  const match = /^offset (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString());
  if (match === null) throw badRequest('invalid cursor');
  return Number(match[1]);
}

export const countProjectBranches: Handler<'countProjectBranches'> = ({ engine, project }, { search }) => {
  return { count: engine.live.branches.of.get(project.id).filter((branch) => isSought(branch, search)).length };
};

export const getProjectBranch: Handler<'getProjectBranch'> = ({ branch }) => ({
  branch: presentBranch(branch),
  annotation: presentAnnotation(branch),
});
