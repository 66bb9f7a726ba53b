// What a key may ask for: one of an organization nothing of the user, one of a project nothing beyond it.
import { Refusal, notFound } from '../../engine/refusal.ts';
import type { Route } from '../../http/route.ts';
import type { KeyRecord } from './record.ts';

/** Routes that belong to the user, and not to an organization. */
const PERSONAL: ReadonlySet<string> = new Set(['listApiKeys', 'createApiKey', 'revokeApiKey', 'getCurrentUserInfo']);
/** What a key of one project cannot do. */
const ABOVE_PROJECTS: ReadonlySet<string> = new Set([
  'createProject',
  'deleteProject',
  'recoverProject',
  'listOrgApiKeys',
  'createOrgApiKey',
  'revokeOrgApiKey',
]);

/** Refuses what the key may not ask for. */
export function requireInScope(key: KeyRecord, route: Route, projectId: string | undefined): void {
  if (key.orgId === undefined) return;
  if (PERSONAL.has(route.id)) throw new Refusal(404, 'not allowed for organization API keys');
  if (key.projectId === undefined) return;
  if (projectId !== undefined && projectId !== key.projectId) throw notFound('project', projectId);
  if (ABOVE_PROJECTS.has(route.id)) throw new Refusal(403, 'not allowed for project-scoped API keys');
}
