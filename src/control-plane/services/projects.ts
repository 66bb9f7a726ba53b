// Projects: the list in pages, one, create, update and delete.
import type { ProjectListItem } from '../../api/index.ts';
import type { Engine } from '../engine/engine.ts';
import { presentProject } from '../present.ts';
import type { ProjectRecord } from '../records.ts';
import { badRequest } from '../engine/refusal.ts';
import { findProject, oldestFirst } from './lookups.ts';

export interface ProjectQuery {
  readonly limit?: number;
  readonly cursor?: string;
  readonly search?: string;
}

/** A project as lists show it; locked while operations of it are open. */
export function showProject(engine: Engine, project: ProjectRecord): ProjectListItem {
  const locked = engine.state.operationsOf.count(project.id) > 0;
  return presentProject(project, locked, engine.state.meta.account.id);
}

/** GET /projects: in pages, oldest first. */
export function listProjects(engine: Engine, query: ProjectQuery): Record<string, unknown> {
  const wanted = query.search?.toLowerCase();
  const matches = (item: ProjectRecord): boolean =>
    wanted === undefined || item.name.toLowerCase().includes(wanted) || item.id.includes(wanted);
  const all = oldestFirst(engine.state.projects.values()).filter(matches);
  const pageSize = engine.switches.projectsPageSize;
  const limit = query.limit ?? (pageSize === 'all' ? all.length : pageSize);
  const begin = query.cursor === undefined ? 0 : indexAfter(all, query.cursor);
  const page = all.slice(begin, begin + limit);
  const last = page.at(-1);
  const isLast = begin + limit >= all.length;
  const projects = page.map((project) => showProject(engine, project));
  const shown = last !== undefined && !(isLast && engine.switches.projectsLastCursor === 'absent');
  return { projects, ...(shown ? { pagination: { cursor: cursorOf(last) } } : {}) };
}

function cursorOf(project: ProjectRecord): string {
  return Buffer.from(`${project.createdMs} ${project.id}`).toString('base64url');
}

/** Index of the first project after the cursor's, which may be gone by now. */
function indexAfter(all: readonly ProjectRecord[], cursor: string): number {
  const [createdText = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const createdMs = Number(createdText);
  if (id === '' || !Number.isFinite(createdMs)) throw badRequest('invalid cursor');
  const at = all.findIndex((item) => item.createdMs > createdMs || (item.createdMs === createdMs && item.id > id));
  return at === -1 ? all.length : at;
}

/** GET /projects/{project_id}. */
export function getProject(engine: Engine, projectId: string): Record<string, unknown> {
  const project = findProject(engine, projectId);
  return { ...showProject(engine, project), history_retention_seconds: project.historyRetentionSeconds };
}
