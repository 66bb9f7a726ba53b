// A plan that holds every kind of resource and every sort of change, saved as the program saves it.
import { parseJson, stringifyJson, type JsonObject } from '../../../../src/base/json.ts';
import { isoTime } from '../../../../src/base/time/clock.ts';
import { kinds } from '../../../../src/kinds/index.ts';
import type { KindRules } from '../../../../src/plan/kind-rules.ts';
import { planToJson } from '../../../../src/plan/json/plan-json.ts';

import { openSite } from '../../../support/site.ts';

const MAIN = 'br-main-100000';

const FILE = `version: 1
expect: { base_url: http://localhost/api/v2 }
safety: { protect: ["*/kept"], max_deletes: 5, windows: ["Mon-Sun 00:00-23:59 UTC"] }
api_keys:
  ci: { secret: { file: ci.json }, rotate: { every: 30d, overlap: 1d, revoke: when_unused } }
  fresh: { secret: { file: fresh.json } }
  old: { state: absent }
projects:
  new:
    create: { region_id: aws-us-east-2 }
    branches: { first: { default: true, roles: { writer: {} }, databases: { posts: { owner: writer } } } }
    computes: { primary: { branch: first } }
  shop:
    settings: { enable_logical_replication: true }
    permissions: { dana@example.com: {}, eve@example.com: { state: absent } }
    prune: { types: [read_only] }
    unmanaged_ok: [ep-known-100000]
    branches:
      main:
        default: true
        roles: { app: { password: { file: app.json } }, more: {}, idle: { state: absent } }
        databases: { orders: { owner: app, renamed_from: log }, stock: { owner: more }, gone: { state: absent } }
        connections: { app: { role: app, database: orders, secret: { file: url.json } } }
      used: { protected: true }
      dev: { from: main, ttl: 14d }
      away: { state: absent }
    computes:
      primary: { branch: main, autoscaling_limit_max_cu: 2, restart: { not_before: 2020-01-01 } }
      kept: { branch: used, suspend_timeout_seconds: 600, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 8, until: 2099-01-01, reason: launch }] }, autoscaling_limit_max_cu: 1 }
      made: { branch: dev }
      gone: { id: ep-gone-100000, state: absent }
`;

const AWAKE = { current_state: 'active', suspend_timeout_seconds: -1 } as const;

const SEED = {
  version: 1,
  api_keys: [
    { name: 'ci', id: 900, created_at: '-90d', last_used_at: '-80d' },
    { name: 'old', id: 901, created_at: '-90d', last_used_at: '-80d' },
  ],
  projects: [
    {
      id: 'calm-lake-100000',
      name: 'shop',
      created_at: '-90d',
      permissions: [{ email: 'eve@example.com' }],
      branches: [
        {
          id: MAIN,
          name: 'main',
          default: true,
          roles: ['app', 'idle'],
          databases: [
            { name: 'log', owner_name: 'app' },
            { name: 'gone', owner_name: 'app' },
          ],
        },
        { id: 'br-used-100000', name: 'used', parent_id: MAIN },
        { id: 'br-away-100000', name: 'away', parent_id: MAIN },
      ],
      computes: [
        { id: 'ep-main-100000', branch: 'main', ...AWAKE, created_at: '-90d' },
        { id: 'ep-used-100000', branch: 'used', autoscaling_limit_max_cu: 8 },
        { id: 'ep-gone-100000', branch: 'away', type: 'read_only' },
        { id: 'ep-known-100000', branch: 'used', type: 'read_only' },
        { id: 'ep-pruned-100000', branch: 'used', type: 'read_only' },
      ],
    },
  ],
} as const;

const ALLOW = [
  'create:new',
  'drop:shop/branches/away',
  'drop:shop/branches/main/roles/idle',
  'drop:shop/branches/main/databases/gone',
  'access:shop/permissions/eve@example.com',
  'oneway:shop',
] as const;

export const ALL_RULES: readonly KindRules[] = kinds;

/** As it stands in the file. */
export async function savedPlanOfAllKinds(): Promise<JsonObject> {
  const { outcome, clock } = openSite({ file: FILE, seed: SEED as never });
  const { plan, record, diagnostics } = await outcome({ allow: ALLOW, due: true });
  if (plan === null) throw new Error(JSON.stringify(diagnostics));
  const json = planToJson(plan, {
    timestamp: isoTime(clock.nowMs()),
    toolVersion: '0.1.0',
    expiresInMs: 3_600_000,
    files: { paths: ['trueup.yaml'], digest: `sha256:${'0'.repeat(64)}` },
    record,
  });
  return parseJson(stringifyJson(json)) as JsonObject;
}
