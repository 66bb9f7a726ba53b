// Keys of an organization, also such that open one project alone; and their routes.
import type { OrgApiKeyCreateRequest } from '../../../api/index.ts';
import type { Call } from '../engine/call.ts';
import { param, routesOf, type Input, type ReplyBody, type Route } from '../engine/route.ts';
import { requireOrganization } from '../account/organization.ts';
import { findProject } from '../find.ts';
import { issueKey, listKeys, madeKey, revokeKey } from './key.ts';

function organizationOf({ engine }: Call, input: Input): string {
  return requireOrganization(engine, param(input, 'org_id'), 'path');
}

function createOrganizationKey(call: Call, orgId: string, asked: OrgApiKeyCreateRequest): ReplyBody {
  const { project_id: projectId } = asked;
  if (projectId !== undefined) findProject(call.engine, projectId);
  const made = issueKey(call, asked.key_name, { orgId, ...(projectId === undefined ? {} : { projectId }) });
  return { ...madeKey(call, made), ...(projectId === undefined ? {} : { project_id: projectId }) };
}

const BASE = '/organizations/{org_id}/api_keys';

const route = routesOf('API keys');

export const organizationKeyRoutes: readonly Route[] = [
  route('GET', BASE, {
    id: 'listOrgApiKeys',
    scope: 'organization',
    summary: 'List the valid keys of an organization',
    replies: { 200: 'ServedApiKeyList' },
    run: (call, input) => listKeys(call, organizationOf(call, input)),
  }),
  route('POST', BASE, {
    id: 'createOrgApiKey',
    scope: 'organization',
    perSecond: 10,
    summary: 'Create a key of an organization, or of one of its projects; its value is shown only in this reply',
    body: 'OrgApiKeyCreateRequest',
    replies: { 200: 'ApiKeyCreated' },
    run: (call, input) =>
      createOrganizationKey(call, organizationOf(call, input), input.body as OrgApiKeyCreateRequest),
  }),
  route('DELETE', `${BASE}/{key_id}`, {
    id: 'revokeOrgApiKey',
    scope: 'organization',
    summary: 'Revoke a key of an organization',
    replies: { 200: 'ServedApiKeyRevoked' },
    run: (call, input) => revokeKey(call, param(input, 'key_id'), organizationOf(call, input)),
  }),
];
