// Finds the resources that a request names, or refuses with 404. Also filters, sorts and pages lists.
import { compareText, objectOf, parseJson } from '../../base/json.ts';
import type { Found } from './engine/call.ts';
import type { Engine } from './engine/engine.ts';
import { badRequest, notFound, Refusal, quoted } from '../core/refusal.ts';
import type { BranchRecord } from './branch/record.ts';
import type { ComputeRecord } from './compute/record.ts';
import type { DatabaseRecord, RoleRecord } from './contents/record.ts';
import type { ProjectRecord } from './project/record.ts';

export function findProject(engine: Engine, projectId: string): ProjectRecord {
  const project = engine.live.projects.get(projectId);
  if (project === undefined) throw notFound('project', projectId);
  return project;
}

export function findBranch(engine: Engine, projectId: string, branchId: string): BranchRecord {
  const branch = engine.live.branches.get(branchId);
  if (branch === undefined || branch.projectId !== projectId) throw notFound('branch', branchId);
  return branch;
}

export function findCompute(engine: Engine, projectId: string, computeId: string): ComputeRecord {
  const compute = engine.live.computes.get(computeId);
  if (compute === undefined || compute.projectId !== projectId) throw notFound('endpoint', computeId);
  return compute;
}

export function findRole(branch: BranchRecord, name: string): RoleRecord {
  return itemOf(branch.roles, 'role', name, branch);
}

export function findDatabase(branch: BranchRecord, name: string): DatabaseRecord {
  return itemOf(branch.databases, 'database', name, branch);
}

function itemOf<T extends { readonly name: string }>(
  items: readonly T[],
  what: string,
  name: string,
  branch: BranchRecord,
): T {
  const item = items.find((candidate) => candidate.name === name);
  if (item !== undefined) return item;
  const asked = quoted(name);
  throw new Refusal(404, `${what} not found for branch; ${what}_name:${asked}, branch_id:"${branch.id}"`);
}

/** The resources that the path of a request names. Refuses with 404 if one is missing. */
export function foundBy(engine: Engine, params: Readonly<Record<string, string>>): Partial<Found> {
  const { project_id: projectId, branch_id: branchId, endpoint_id: computeId, role_name, database_name } = params;
  if (projectId === undefined) return {};
  const project = findProject(engine, projectId);
  if (computeId !== undefined) return { project, compute: findCompute(engine, projectId, computeId) };
  if (branchId === undefined) return { project };
  const branch = findBranch(engine, projectId, branchId);
  return {
    project,
    branch,
    ...(role_name === undefined ? {} : { role: findRole(branch, role_name) }),
    ...(database_name === undefined ? {} : { database: findDatabase(branch, database_name) }),
  };
}

export function defaultBranch(engine: Engine, projectId: string): BranchRecord | undefined {
  return engine.live.branches.of.get(projectId).find(({ isDefault }) => isDefault);
}

/** True if the name contains the search text in any case, or the id contains it. Without a search text, always true. */
export function isSought(
  { id, name }: { readonly id: string; readonly name: string },
  search: string | undefined,
): boolean {
  const wanted = search?.toLowerCase();
  return wanted === undefined || name.toLowerCase().includes(wanted) || id.includes(wanted);
}

/** Sorts by time of creation, oldest first, then by id. */
export function oldestFirst<T extends Sorted<'createdMs'>>(items: Iterable<T>): T[] {
  return [...items].sort(inOrderOf('createdMs'));
}

type Sorted<F extends string> = Readonly<Record<F, string | number>> & { readonly id: string };

function inOrderOf<F extends string>(field: F, isDescending?: boolean): (a: Sorted<F>, b: Sorted<F>) => number {
  const sign = isDescending === true ? -1 : 1;
  return (a, b) => sign * (a[field] < b[field] ? -1 : a[field] > b[field] ? 1 : compareText(a.id, b.id));
}

/** Sorts the items, and takes the page after the cursor. A cursor holds a position, because its item may be deleted. */
export function pageOf<F extends string, T extends Sorted<F>>(
  items: readonly T[],
  by: F,
  asked: { readonly isDescending?: boolean; readonly cursor: string | undefined; readonly limit: number | 'all' },
): { readonly page: readonly T[]; readonly next: string | undefined; readonly isLast: boolean } {
  const { cursor, limit } = asked;
  const order = inOrderOf(by, asked.isDescending);
  const after = cursor === undefined ? undefined : positionOf(cursor, by);
  const rest = items.filter((item) => after === undefined || order(item, after) > 0).sort(order);
  const page = limit === 'all' ? rest : rest.slice(0, limit);
  const last = page.at(-1);
  const next = last && Buffer.from(JSON.stringify({ [by]: last[by], id: last.id })).toString('base64url');
  return { page, next, isLast: page.length === rest.length };
}

function positionOf<F extends string>(cursor: string, by: F): Sorted<F> {
  try {
    const position = objectOf(parseJson(Buffer.from(cursor, 'base64url').toString()));
    if (typeof position['id'] === 'string' && /string|number/.test(typeof position[by])) return position as Sorted<F>;
  } catch {
    // Text that is not JSON is refused like JSON without a position.
  }
  throw badRequest('invalid cursor');
}
