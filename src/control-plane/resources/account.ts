// The account: its user, its one organization, the regions for projects, and the kind of key that a request carries.
import { isoTime } from '../../base/time/clock.ts';
import type { Handler, ReplyBody } from './engine/call.ts';
import type { Engine } from './engine/engine.ts';
import { plans } from './engine/switches.ts';
import { seededRandom } from '../../base/random.ts';
import { newId } from './engine/naming.ts';
import { badRequest, notFound, quoted } from '../core/refusal.ts';
import type { AccountRecord } from '../core/store.ts';

const LARGEST_AUTOSCALING_CU = 16;

export const getCurrentUserInfo: Handler<'getCurrentUserInfo'> = ({ engine: { meta, switches } }) => {
  const { id, name, email } = meta.account;
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
};

export const getCurrentUserOrganizations: Handler<'getCurrentUserOrganizations'> = ({ engine }) => ({
  organizations: [presentOrganization(engine)],
});

export const getOrganization: Handler<'getOrganization'> = ({ engine }) => presentOrganization(engine);

export const getActiveRegions: Handler<'getActiveRegions'> = ({ engine }, { org_id: asked }) => {
  requireOrganization(engine, asked, 'member');
  return { regions };
};

export const getAuthDetails: Handler<'getAuthDetails'> = ({ engine, key }) =>
  key?.orgId === undefined
    ? { account_id: engine.meta.account.id, auth_method: 'api_key_user' }
    : { account_id: key.orgId, auth_method: 'api_key_org' };

/** The id of the account's organization, derived from the account's id, so that it never changes. */
export function organizationId({ id }: AccountRecord): string {
  return newId(seededRandom(Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) || 1), 'org-', new Set());
}

/** Refuses any organization except the account's own: in the path with 404, in a query or body with 400. */
export function requireOrganization(engine: Engine, asked: string | undefined, where: 'path' | 'member'): string {
  const id = organizationId(engine.meta.account);
  if (asked === undefined || asked === id) return id;
  if (where === 'path') throw notFound('organization', asked);
  throw badRequest(`organization not found; org_id:${quoted(asked)}`);
}

function presentOrganization(engine: Engine): ReplyBody {
  const { account } = engine.meta;
  const { plan } = engine.switches;
  return {
    id: organizationId(account),
    name: account.name,
    handle: account.name,
    plan,
    managed_by: 'console',
    created_at: isoTime(0),
    updated_at: isoTime(0),
  };
}

const REGIONS = [
  ['aws-us-east-2', 'AWS US East 2 (Ohio)', '39.96', '-83'],
  ['aws-us-east-1', 'AWS US East 1 (N. Virginia)', '38.13', '-78.45'],
  ['aws-us-west-2', 'AWS US West 2 (Oregon)', '46.15', '-123.88'],
  ['aws-eu-central-1', 'AWS Europe Central 1 (Frankfurt)', '50', '8'],
  ['aws-eu-west-2', 'AWS Europe West 2 (London)', '51.51', '-0.13'],
  ['aws-ap-southeast-1', 'AWS Asia Pacific 1 (Singapore)', '1.37', '103.8'],
  ['aws-ap-southeast-2', 'AWS Asia Pacific 2 (Sydney)', '-33.86', '151.2'],
  ['aws-sa-east-1', 'AWS South America East 1 (Sao Paulo)', '-23.53', '-46.63'],
  ['azure-eastus2', 'Azure East US 2 (Virginia)', '36.66', '-78.39'],
  ['azure-westus3', 'Azure West US 3 (Arizona)', '33.45', '-112.07'],
  ['azure-gwc', 'Azure Germany West Central (Frankfurt)', '50.11', '8.68'],
] as const;
export const DEFAULT_REGION = 'aws-us-east-2';

const regions: readonly ReplyBody[] = REGIONS.map(([id, name, latitude, longitude]) => ({
  region_id: id,
  name,
  default: id === DEFAULT_REGION,
  geo_lat: latitude,
  geo_long: longitude,
}));

export function requireRegion(id: string): string {
  if (REGIONS.some(([known]) => known === id)) return id;
  throw badRequest(`unknown region; region_id:${quoted(id)}`);
}
