// Keys of an organization, also such that open one project alone; and their routes.
import type { OrgApiKeyCreateRequest } from '../../../api/index.ts';
import type { Call } from '../engine/call.ts';
import type { Handlers, ReplyBody } from '../engine/route.ts';
import { requireOrganization } from '../account/organization.ts';
import { findProject } from '../find.ts';
import { issueKey, listKeys, madeKey, revokeKey } from './key.ts';

function organizationOf({ engine }: Call, orgId: string): string {
  return requireOrganization(engine, orgId, 'path');
}

function createOrganizationKey(call: Call, orgId: string, asked: OrgApiKeyCreateRequest): ReplyBody {
  const { project_id: projectId } = asked;
  if (projectId !== undefined) findProject(call.engine, projectId);
  const made = issueKey(call, asked.key_name, { orgId, ...(projectId === undefined ? {} : { projectId }) });
  return { ...madeKey(call, made), ...(projectId === undefined ? {} : { project_id: projectId }) };
}

export const organizationKeyHandlers: Handlers<'listOrgApiKeys' | 'createOrgApiKey' | 'revokeOrgApiKey'> = {
  listOrgApiKeys: (call, { org_id }) => listKeys(call, organizationOf(call, org_id)),
  createOrgApiKey: (call, { org_id, body }) => createOrganizationKey(call, organizationOf(call, org_id), body),
  revokeOrgApiKey: (call, { org_id, key_id }) => revokeKey(call, key_id, organizationOf(call, org_id)),
};
