// The routes of the account: its user, its organization, and the regions that projects can be in.
import { isoTime } from '../../../base/time/clock.ts';
import type { Call } from '../engine/call.ts';
import type { Engine } from '../engine/engine.ts';
import { plans } from '../engine/plans.ts';
import type { Handlers, ReplyBody } from '../engine/route.ts';
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

export const accountHandlers: Handlers<
  | 'getCurrentUserInfo'
  | 'getCurrentUserOrganizations'
  | 'getOrganization'
  | 'getOrganizationMembers'
  | 'getActiveRegions'
  | 'getAuthDetails'
> = {
  getCurrentUserInfo: ({ engine }) => currentUser(engine),
  getCurrentUserOrganizations: ({ engine }) => ({ organizations: [presentOrganization(engine)] }),
  getOrganization: ({ engine }, { org_id }) => {
    requireOrganization(engine, org_id, 'path');
    return presentOrganization(engine);
  },
  getOrganizationMembers: ({ engine }, { org_id }) => members(engine, requireOrganization(engine, org_id, 'path')),
  getActiveRegions: ({ engine }, { org_id }) => {
    requireOrganization(engine, org_id, 'member');
    return { regions };
  },
  getAuthDetails: authDetails,
};
