// Collections of the published API that nothing here can fill: their lists are empty, so that clients that look at them go on.
import { param, type Route } from '../engine/route.ts';
import { findBranch, findProject } from '../find.ts';
import { requireOrganization } from './organization.ts';

/** Path, the member that holds the list, and the id and summary of the route. */
const LISTS: readonly (readonly [path: string, member: string, id: string, summary: string])[] = [
  ['/projects/{project_id}/snapshots', 'snapshots', 'listSnapshots', 'List snapshots'],
  ['/projects/{project_id}/jwks', 'jwks', 'getProjectJWKS', 'List JWKS URLs'],
  ['/projects/{project_id}/vpc_endpoints', 'endpoints', 'listProjectVPCEndpoints', 'List VPC endpoint restrictions'],
  ['/projects/{project_id}/auth/integrations', 'data', 'listAuthIntegrations', 'List auth integrations'],
  ['/projects/{project_id}/branches/{branch_id}/backup_schedule', 'schedule', 'getSchedule', 'Backup schedule'],
  ['/projects/{project_id}/branches/{branch_id}/buckets', 'buckets', 'listBuckets', 'List buckets'],
  ['/projects/{project_id}/branches/{branch_id}/functions', 'functions', 'listFunctions', 'List functions'],
  ['/projects/{project_id}/branches/{branch_id}/credentials', 'credentials', 'listCredentials', 'List credentials'],
  ['/organizations/{org_id}/invitations', 'invitations', 'listInvitations', 'List invitations'],
  ['/organizations/{org_id}/vpc/vpc_endpoints', 'endpoints', 'listOrgVPCEndpoints', 'List VPC endpoints'],
  [
    '/organizations/{org_id}/vpc/region/{region_id}/vpc_endpoints',
    'endpoints',
    'listRegionVPCEndpoints',
    'List VPC endpoints of a region',
  ],
];

/** Whose list it is has to be there. */
export const emptyListRoutes: readonly Route[] = LISTS.map(([path, member, id, summary]) => ({
  method: 'GET',
  path,
  id,
  scope: path.startsWith('/organizations') ? 'organization' : 'project',
  tag: path.startsWith('/organizations') ? 'Organizations' : path.includes('{branch_id}') ? 'Branches' : 'Projects',
  summary: `${summary}: none`,
  replies: { 200: 'EmptyList' },
  run: ({ engine }, input) => {
    const has = (name: string): boolean => input.params[name] !== undefined;
    if (has('branch_id')) findBranch(engine, param(input, 'project_id'), param(input, 'branch_id'));
    else if (has('project_id')) findProject(engine, param(input, 'project_id'));
    else requireOrganization(engine, param(input, 'org_id'), 'path');
    return { [member]: [] };
  },
}));
