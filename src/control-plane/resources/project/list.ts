// Reads projects: one project, the list in pages, and the list of deleted projects.
import type { ProjectListItem } from '../../../api/index.ts';
import type { Handler } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { plans } from '../engine/switches.ts';
import { organizationId, requireOrganization } from '../account.ts';
import { findProject, isSought, pageOf } from '../find.ts';
import { recoveryOf } from '../shelf/rules.ts';
import { presentProject, type ProjectRecord } from './record.ts';
import { presentUsage } from './background.ts';

export function showProject(engine: Engine, project: ProjectRecord): ProjectListItem {
  const locked = engine.live.operations.of.count(project.id) > 0;
  const { account } = engine.meta;
  return { ...presentProject(project), locked, owner_id: account.id, org_id: organizationId(account) };
}

export const listProjects: Handler<'listProjects'> = ({ engine, key }, query) => {
  requireOrganization(engine, query.org_id, 'member');
  const { live } = engine;
  const found =
    query.recoverable === true
      ? [...live.shelf.values()].flatMap(({ project }) => project ?? [])
      : live.projects.values();
  const matches = (item: ProjectRecord): boolean =>
    isSought(item, query.search) && (key?.projectId === undefined || key.projectId === item.id);
  const { cursor, limit = engine.switches.projectsPageSize } = query;
  const { page, next, isLast } = pageOf([...found].filter(matches), 'createdMs', { cursor, limit });
  const projects = page.map((project) => {
    const shelf = live.shelf.get(project.id);
    return { ...showProject(engine, project), ...(shelf && recoveryOf(shelf)) };
  });
  const shown = next !== undefined && !(isLast && engine.switches.projectsLastCursor === 'absent');
  const pagination = shown ? { pagination: { cursor: next } } : {};
  return { projects, ...pagination, applications: {}, integrations: {} };
};

export function wholeProject(engine: Engine, projectId: string): Record<string, unknown> {
  const project = findProject(engine, projectId);
  const { name, email } = engine.meta.account;
  const plan = engine.switches.plan;
  return {
    ...showProject(engine, project),
    owner: { email, name, branches_limit: plans[plan].branches, subscription_type: plan },
    ...presentUsage(engine, project),
    data_storage_bytes_hour: 0,
  };
}

export const getProject: Handler<'getProject'> = ({ engine, project }) => ({
  project: wholeProject(engine, project.id),
});
