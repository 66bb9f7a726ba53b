// What a reply tells besides what is used is never judged: a service may add members, leave them out, or write them in other types.
import { expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../../src/base/json.ts';
import { openSite, type Site } from '../../support/site.ts';
import { COMPUTE, CONTENTS, MAIN_BRANCH, shopWorld } from '../../support/shop.ts';

const WORLD = shopWorld({
  branches: [{ ...MAIN_BRANCH, ...CONTENTS }],
  computes: [{ id: COMPUTE, branch: 'main' }],
  permissions: [{ email: 'dana@example.com' }],
});

const FILE = `version: 1
projects:
  shop:
    create: {}
    settings: { enable_logical_replication: false }
    permissions: { dana@example.com: {}, lee@example.com: {} }
    branches:
      main: { roles: { app: {} }, databases: { orders: { owner: app } } }
      next: { from: main, roles: { writer: {} } }
    computes:
      primary: { branch: main, autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 2 }
`;

/** Members that nobody looks at, of whatever a reply is about. */
const UNUSED = `
  cpu_used_sec total_duration_ms granted_at active_time_seconds compute_time_seconds written_data_bytes
  data_transfer_bytes platform_id provisioner proxy_host locked branch_logical_size_limit creation_source
  compute_release_version state_changed_at created_by owner effective_project_permission slug hosts group
  init_source last_reset_at
`
  .trim()
  .split(/\s+/);

function rewritten(body: Json, value: Json | undefined): Json {
  if (Array.isArray(body)) return body.map((one: Json) => rewritten(one, value));
  if (!isJsonObject(body)) return body;
  const members = Object.entries(body).map(([name, inner]) => [name, rewritten(inner, value)] as const);
  const isResource = 'id' in body || 'branch_id' in body;
  const odd = isResource ? UNUSED.map((name) => [name, value] as const) : [];
  return Object.fromEntries([...members, ...odd].filter(([, inner]) => inner !== undefined)) as Json;
}

/** Every reply of the service with these members as they never were. */
function siteWith(value: Json | undefined): Site {
  return openSite({
    seed: structuredClone(WORLD),
    answers: (_request, asItIs) =>
      asItIs().then(async (response) => {
        const text = await response.text();
        if (text === '') return new Response(null, { status: response.status, headers: response.headers });
        return new Response(JSON.stringify(rewritten(JSON.parse(text) as Json, value)), response);
      }),
  });
}

it.each<[string, Json | undefined]>([
  ['fractions', 1.5],
  ['negative', -1],
  ['texts', 'x'],
  ['empty texts', ''],
  ['null', null],
  ['objects', { a: [1] }],
  ['lists', [1]],
  ['true', true],
  ['left out', undefined],
])('members that nobody uses are %s, and everything is read and applied', async (_, value) => {
  const site = siteWith(value);
  const { plan, result } = await site.apply(FILE);
  expect([
    plan.unread.map(({ reason }) => reason),
    plan.unplanned,
    plan.diagnostics.filter(({ severity }) => severity === 'error'),
  ]).toEqual([[], [], []]);
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(result.status).toBe('converged');
  expect((await site.plan(FILE)).steps).toEqual([]);
});

it('an id beyond 2^53 is an id like others', async () => {
  const site = openSite({
    seed: structuredClone(WORLD),
    answers: (request, asItIs) =>
      request.url.endsWith('/databases') && request.method === 'GET'
        ? asItIs().then(async (response) => {
            const text = await response.text();
            return new Response(text.replaceAll(/"id":\s*\d+/g, '"id":9223372036854775807'), response);
          })
        : null,
  });
  const plan = await site.plan(FILE.replace('owner: app', 'owner: app, state: absent'), [
    'drop:shop/branches/main/databases/orders',
  ]);
  expect(plan.unread).toEqual([]);
  const drop = plan.steps.find(({ kind }) => kind === 'database');
  expect(drop?.expects).toMatchObject({ id: 'br-wispy-meadow-118737/9223372036854775807' });
});
