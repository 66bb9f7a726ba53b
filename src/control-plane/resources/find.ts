// Finds the resource that a path names, or refuses with 404; and sorts every list.
import type { Engine } from './engine/engine.ts';
import { notFound } from '../core/refusal.ts';
import type { BranchRecord } from './branch/record.ts';
import type { ComputeRecord } from './compute/record.ts';
import type { ProjectRecord } from './project/record.ts';

export function findProject(engine: Engine, projectId: string): ProjectRecord {
  const project = engine.live.projects.get(projectId);
  if (project === undefined) throw notFound('project', projectId);
  return project;
}

export function findBranch(engine: Engine, projectId: string, branchId: string): BranchRecord {
  findProject(engine, projectId);
  const branch = engine.live.branches.get(branchId);
  if (branch === undefined || branch.projectId !== projectId) throw notFound('branch', branchId);
  return branch;
}

export function findCompute(engine: Engine, projectId: string, computeId: string): ComputeRecord {
  findProject(engine, projectId);
  const compute = engine.live.computes.get(computeId);
  if (compute === undefined || compute.projectId !== projectId) throw notFound('endpoint', computeId);
  return compute;
}

export function defaultBranch(engine: Engine, projectId: string): BranchRecord | undefined {
  for (const branch of engine.live.branches.of.get(projectId)) if (branch.isDefault) return branch;
  return undefined;
}

/** True when a search text is part of the name, in any case, or of the id. */
export function isSought(
  { id, name }: { readonly id: string; readonly name: string },
  search: string | undefined,
): boolean {
  const wanted = search?.toLowerCase();
  return wanted === undefined || name.toLowerCase().includes(wanted) || id.includes(wanted);
}

/** Oldest first, then by id: the order of every list here. */
export function oldestFirst<T extends { readonly createdMs: number; readonly id: string }>(items: Iterable<T>): T[] {
  return [...items].sort((a, b) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1));
}
