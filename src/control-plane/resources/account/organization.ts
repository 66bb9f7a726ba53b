// The organization of the account: every account has one, and its projects belong to it. And the regions that these can be in.
import { seededRandom } from '../../../base/random.ts';
import { isoTime } from '../../../base/time/clock.ts';
import type { Engine } from '../engine/engine.ts';
import { newId } from '../engine/naming.ts';
import { badRequest, notFound } from '../../core/refusal.ts';
import type { ReplyBody } from '../engine/route.ts';
import type { AccountRecord } from '../../core/store.ts';

/** The id of the account's organization: the same for the same account. */
export function organizationId({ id }: AccountRecord): string {
  return newId(seededRandom(Number.parseInt(id.replaceAll('-', '').slice(0, 8), 16) || 1), 'org-', new Set());
}

/** Refuses an organization that is not the account's: in the path with 404, in a query or body with 400. */
export function requireOrganization(engine: Engine, asked: string | undefined, where: 'path' | 'member'): string {
  const id = organizationId(engine.state.meta.account);
  if (asked === undefined || asked === id) return id;
  if (where === 'path') throw notFound('organization', asked);
  throw badRequest(`organization not found; org_id:${JSON.stringify(asked.slice(0, 80))}`);
}

export function presentOrganization(engine: Engine): ReplyBody {
  const { account } = engine.state.meta;
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

/** Id, name, latitude and longitude. */
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

/** GET /regions. */
export const regions: readonly ReplyBody[] = REGIONS.map(([id, name, latitude, longitude]) => ({
  region_id: id,
  name,
  default: id === DEFAULT_REGION,
  geo_lat: latitude,
  geo_long: longitude,
}));

export function requireRegion(id: string): string {
  if (REGIONS.some(([known]) => known === id)) return id;
  throw badRequest(`unknown region; region_id:${JSON.stringify(id.slice(0, 80))}`);
}
