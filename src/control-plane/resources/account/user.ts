// The routes of the account: its user, its organization, and the regions that projects can be in.
import { isoTime } from '../../../base/time/clock.ts';
import type { Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { plans } from '../engine/plans.ts';
import { param, routesOf, type ReplyBody, type Route } from '../engine/route.ts';
import { presentOrganization, regions, requireOrganization } from './organization.ts';

const LARGEST_AUTOSCALING_CU = 16;

function currentUser({ state, switches }: Engine): ReplyBody {
  const { id, name, email } = state.meta.account;
  const limits = plans[switches.plan];
  return {
    id,
    email,
    login: email,
    name,
    last_name: '',
    image: '',
    plan: switches.plan,
    projects_limit: limits.projects,
    branches_limit: limits.branches,
    max_autoscaling_limit: Math.min(limits.computeCu, LARGEST_AUTOSCALING_CU),
    active_seconds_limit: 0,
    auth_accounts: [],
  };
}

/** GET /organizations/{org_id}/members: the user of the account. */
function members(engine: Engine, orgId: string): ReplyBody {
  const { id, email } = engine.state.meta.account;
  const member = { id, user_id: id, org_id: orgId, role: 'admin', joined_at: isoTime(0) };
  return {
    members: [{ member, user: { email, has_mfa: false } }],
    pagination: { sort_by: 'joined_at', sort_order: 'DESC' },
  };
}

function authDetails({ engine, key }: Call): ReplyBody {
  const { id } = engine.state.meta.account;
  return key?.orgId === undefined
    ? { account_id: id, auth_method: 'api_key_user' }
    : { account_id: key.orgId, auth_method: 'api_key_org' };
}

const users = routesOf('Users');
const organizations = routesOf('Organizations');
const projects = routesOf('Projects');

export const accountRoutes: readonly Route[] = [
  users('GET', '/users/me', {
    id: 'getCurrentUserInfo',
    scope: 'account',
    summary: 'The user of the account',
    replies: { 200: 'CurrentUser' },
    run: ({ engine }) => currentUser(engine),
  }),
  users('GET', '/users/me/organizations', {
    id: 'getCurrentUserOrganizations',
    scope: 'key',
    summary: 'The organization of the account',
    replies: { 200: 'OrganizationList' },
    run: ({ engine }) => ({ organizations: [presentOrganization(engine)] }),
  }),
  organizations('GET', '/organizations/{org_id}', {
    id: 'getOrganization',
    scope: 'organization',
    summary: 'One organization',
    replies: { 200: 'Organization' },
    run: ({ engine }, input) => {
      requireOrganization(engine, param(input, 'org_id'), 'path');
      return presentOrganization(engine);
    },
  }),
  organizations('GET', '/organizations/{org_id}/members', {
    id: 'getOrganizationMembers',
    scope: 'organization',
    summary: 'Members of an organization',
    query: [
      { name: 'sort_by', type: 'string', oneOf: ['email', 'role', 'joined_at'], description: 'Sort field.' },
      { name: 'sort_order', type: 'string', oneOf: ['asc', 'desc'], description: 'Sort order.' },
      { name: 'cursor', type: 'string', description: 'Cursor of the page before.' },
      { name: 'limit', type: 'integer', minimum: 1, maximum: 500, description: 'Members per page; there is one.' },
    ],
    replies: { 200: 'OrganizationMembers' },
    run: ({ engine }, input) => members(engine, requireOrganization(engine, param(input, 'org_id'), 'path')),
  }),
  projects('GET', '/regions', {
    id: 'getActiveRegions',
    scope: 'key',
    summary: 'Regions that projects can be in',
    query: [{ name: 'org_id', type: 'string', description: "Organization; the account's own." }],
    replies: { 200: 'RegionList' },
    run: ({ engine }, { query }) => {
      requireOrganization(engine, query['org_id'] === undefined ? undefined : String(query['org_id']), 'member');
      return { regions };
    },
  }),
  users('GET', '/auth', {
    id: 'getAuthDetails',
    scope: 'key',
    summary: 'The account or organization that the key belongs to',
    replies: { 200: 'AuthDetails' },
    run: (call) => authDetails(call),
  }),
];
