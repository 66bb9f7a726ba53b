// A project with a retention rule before the local server, whose lists can show more than the server does.
import { afterEach } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { World } from '../../../src/control-plane/index.ts';
import type { PlanRequest } from '../../../src/reconciler/types.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite, type Site } from '../../support/site.ts';

export const SHOP = 'calm-lake-100000';
const MAIN = 'br-main-100000';
export const [OLD, NEXT] = ['br-old-100001', 'br-next-100002'];
const RULE = 'shop/retention/previews';

function fileOf(more = ''): string {
  return `version: 1
projects:
  shop:
    id: ${SHOP}
    branches: { main: ${MAIN} }
    retention:
      previews: { match: ["preview/*"], older_than: 7d, idle_for: 24h, max: 20${more} }
`;
}

export const SEED: World = worldOf([
  {
    id: OLD,
    name: 'preview/old',
    created_at: '-30d',
    roles: ['app'],
    databases: [{ name: 'orders', owner_name: 'app' }],
  },
  { id: NEXT, name: 'preview/next', created_at: '-20d' },
]);

function worldOf(
  branches: NonNullable<World['projects']>[number]['branches'] & object,
  computes: NonNullable<World['projects']>[number]['computes'] & object = [OLD, NEXT].map((branch) => ({
    id: branch.replace('br-', 'ep-'),
    branch,
    last_active: '-3d',
  })),
): World {
  const main = { id: MAIN, name: 'main', default: true, created_at: '-90d' };
  const own = branches.map((one) => ({ parent_id: MAIN, ...one }));
  return { version: 1, projects: [{ id: SHOP, name: 'shop', created_at: '-90d', branches: [main, ...own], computes }] };
}

const open: Site[] = [];
afterEach(() => {
  for (const site of open.splice(0)) site.controlPlane.close();
});

export interface Opened extends Site {
  /** What the lists show differently, by the id of the resource. */
  readonly shown: Map<string, JsonObject>;
  /** The annotations that the list of branches shows in addition. */
  readonly noted: Map<string, JsonObject>;
}

export function openShop(seed: World): Opened {
  const [shown, noted] = [new Map<string, JsonObject>(), new Map<string, JsonObject>()];
  const site = openSite({
    seed,
    answers: (request, asItIs) => {
      const list = new URL(request.url).pathname.split('/').at(-1) ?? '';
      if (request.method !== 'GET' || !['branches', 'endpoints'].includes(list)) return null;
      return asItIs().then(async (response) => {
        const body = (await response.json()) as Record<string, JsonObject[]> & { readonly annotations?: JsonObject };
        const items = (body[list] ?? []).map((item) => ({ ...item, ...shown.get(String(item['id'])) }));
        const annotations = { ...body.annotations, ...Object.fromEntries(noted) };
        const headers = { date: response.headers.get('date') ?? '' };
        const shownBody = { ...body, [list]: items, ...(list === 'branches' ? { annotations } : {}) };
        return Response.json(shownBody, { headers });
      });
    },
  });
  open.push(site);
  return { ...site, shown, noted };
}

export const ASKED: PlanRequest = {
  desired: await desiredOf(fileOf()),
  due: true,
  allow: [{ action: 'drop', address: `${RULE}/**` }],
};

interface Ended {
  readonly deleted: readonly string[];
  readonly status: string;
  readonly requests: readonly string[];
}

export async function applied(
  site: Opened,
  asked: PlanRequest = ASKED,
  { between, isSaved = false }: { readonly between?: () => Promise<unknown> | void; readonly isSaved?: boolean } = {},
): Promise<Ended> {
  const { plan, reading, diagnostics } = await site.clock.run(site.started().plan({ consent: 'unattended', ...asked }));
  if (plan === null || reading === null) throw new Error(JSON.stringify(diagnostics));
  await between?.();
  const from = site.seen.length;
  const { desired, ...request } = asked;
  const result = await site.clock.run(
    site.started().apply({ plan, desired, reading, request, ...(isSaved ? { isSaved } : {}) }),
  );
  const requests = site.seen.slice(from);
  const deleted = requests.filter((call) => call.startsWith('DELETE')).map((call) => call.split('/').at(-1) ?? '');
  return { deleted, status: result.status, requests };
}
