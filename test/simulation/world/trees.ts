// The reference workloads of branches, roles and databases: each kind of change once, beside branches that belong to somebody else.
import type { World } from '../../../src/control-plane/index.ts';
import type { Workload } from './workload.ts';

type Project = NonNullable<World['projects']>[number];
type Branch = NonNullable<Project['branches']>[number];

const SHOP = 'shop-project-000001';
const MAIN = {
  id: 'br-main-000001',
  name: 'main',
  default: true,
  created_at: '-40d',
  roles: ['app', 'report'],
  databases: [
    { name: 'orders', owner_name: 'app' },
    { name: 'stock', owner_name: 'report' },
  ],
} satisfies Branch;
const child = (name: string, more: Partial<Branch> = {}): Branch => ({
  ...MAIN,
  default: false,
  id: `br-${name}-000001`,
  name,
  parent_id: MAIN.id,
  created_at: '-20d',
  ...more,
});
/** In no file. */
const THEIRS = child('theirs');
const OLD = { created_at: '-20d', last_active: '-2h' } as const;

function world(branches: readonly Branch[], computes: NonNullable<Project['computes']> = []): World {
  const shop: Project = {
    name: 'shop',
    id: SHOP,
    created_at: '-40d',
    last_request_at: '-2h',
    branches: [MAIN, ...branches, THEIRS],
    computes: [{ id: 'ep-main-primary-01', branch: MAIN.id, current_state: 'active', ...OLD }, ...computes],
  };
  return { version: 1, projects: [shop] };
}

const shop = (branches: string, computes: string = ''): string => `version: 1
projects:
  shop:
    id: ${SHOP}
    branches:
${branches}${computes === '' ? '' : `    computes:\n${computes}`}`;
const main = (more: string = ''): string => `      main: { ${more} }\n`;
/** What an earlier run left of a role's password, in a place. */
const recordOf = (role: string, updatedAt: string): string =>
  `${JSON.stringify({ project: SHOP, branch: MAIN.id, role, password: 'npg_0123456789abcdef', updated_at: updatedAt }, null, 2)}\n`;
const drop = (address: string): NonNullable<Workload['allow']>[number] => ({ action: 'drop', address });

export const treeWorkloads: readonly Workload[] = [
  {
    name: 'T1 grow a tree',
    yaml: shop(
      `      main:
        roles: { app: {}, report: {}, audit: {} }
        databases: { orders: { owner: app }, stock: { owner: report }, log: { owner: audit } }
      staging:
        from: main
        roles: { qa: {} }
        databases: { tests: { owner: qa } }
      scratch: { from: main, ttl: 14d, disposable: true }
`,
      '      staging: { branch: staging }\n      scratch: { branch: scratch }\n',
    ),
    world: world([]),
  },
  {
    name: 'T2 a branch below a new branch',
    yaml: shop(
      '      main: {}\n      staging: { from: main, roles: { qa: {} } }\n      deep: { from: staging, protected: true, databases: { mine: { owner: qa } } }\n',
    ),
    world: world([]),
  },
  {
    name: 'T3 rename and hand over',
    yaml: shop(
      `${main('databases: { orders: { owner: report }, goods: { owner: report, renamed_from: stock } }')}      next: { renamed_from: staging }\n`,
    ),
    world: world([child('staging')]),
  },
  {
    name: 'T4 another default, protected',
    yaml: shop('      main: { protected: false }\n      staging: { default: true, protected: true }\n'),
    world: world([child('staging')]),
  },
  {
    name: 'T5 drop by consent',
    yaml: shop(
      `${main('roles: { report: { state: absent } }, databases: { stock: { state: absent } }')}      staging: { state: absent }\n`,
    ),
    world: world([child('staging')], [{ id: 'ep-staging-primary', branch: 'br-staging-000001', ...OLD }]),
    allow: [
      drop('shop/branches/staging'),
      drop('shop/branches/main/roles/report'),
      drop('shop/branches/main/databases/stock'),
    ],
  },
  {
    name: 'T6 drop without consent',
    yaml: shop(
      `${main('roles: { audit: {} }, databases: { stock: { state: absent } }')}      staging: { state: absent }\n      guarded: { state: absent }\n`,
    ),
    world: world([child('staging'), child('guarded', { protected: true })]),
    allow: [{ action: '*', address: '*' }, drop('shop/branches/guarded')],
    holds: ['shop/branches/main/databases/stock', 'shop/branches/staging', 'shop/branches/guarded'],
  },
  {
    name: 'T7 drop a branch that others rest on',
    yaml: shop(`${main()}      staging: { state: absent }\n      leaf: { state: absent }\n`),
    world: world([
      child('staging'),
      child('leaf', { parent_id: 'br-staging-000001' }),
      child('other', { parent_id: 'br-staging-000001' }),
    ]),
    allow: [drop('shop/branches/staging'), drop('shop/branches/leaf')],
    holds: ['shop/branches/staging'],
  },
  {
    name: 'T8 drop a tree, leaf first',
    yaml: shop(`${main()}      staging: { state: absent }\n      leaf: { state: absent }\n`),
    world: world([child('staging'), child('leaf', { parent_id: 'br-staging-000001' })]),
    allow: [drop('shop/branches/staging'), drop('shop/branches/leaf')],
  },
  {
    name: 'T9 computes on new branches',
    yaml: shop(
      '      main: {}\n      a: { from: main }\n      b: { from: main, ttl: 7d }\n',
      '      one: { branch: a }\n      two: { branch: a, type: read_only }\n      three: { branch: b }\n',
    ),
    world: world([]),
  },
  {
    name: 'T10 adopt a tree',
    yaml: shop(
      `      main:
        default: true
        roles: { app: {}, report: {} }
        databases: { orders: { owner: app }, stock: { owner: report } }
      staging: { from: main, roles: { app: {} }, databases: { orders: { owner: app } } }
`,
    ),
    world: world([child('staging')]),
  },
  {
    name: 'T11 a lease on a branch that had none',
    yaml: shop(`${main()}      staging: { ttl: 7d }\n      other: { ttl: 7d }\n`),
    world: world([child('staging'), child('other')]),
    allow: [{ action: 'expire', address: 'shop/branches/staging' }],
    holds: ['shop/branches/other'],
  },
  {
    name: 'T12 passwords and connections kept',
    yaml: shop(
      `      main:
        roles:
          app: { password: { file: app.json } }
          report: { password: { file: report.json } }
          audit: { password: [{ file: audit.json }, { exec: vault }] }
        connections: { app: { role: app, database: orders, pooled: true, secret: { file: orders.json } } }
      staging:
        from: main
        roles: { app: { password: { file: staging.json } } }
        connections: { app: { role: app, database: orders, secret: { file: staging-orders.json } } }
`,
      '      primary: { branch: main }\n      staging: { branch: staging }\n',
    ),
    world: world([]),
    secrets: { 'report.json': recordOf('report', '2020-01-01T00:00:00Z') },
  },
  {
    name: 'T13 passwords rotated',
    yaml: shop(
      main(
        'roles: { app: { password: { file: app.json }, rotate: { not_before: 2025-12-31 } }, report: { password: { exec: vault }, rotate: { every: 30d } } }, connections: { app: { role: app, database: orders, secret: { file: orders.json } } }',
      ),
      '      primary: { branch: main }\n',
    ),
    world: world([]),
    due: true,
    secrets: { 'app.json': recordOf('app', '2020-01-01T00:00:00Z') },
  },
  {
    name: 'T14 change what comes with a branch',
    yaml: shop(
      `      main: {}
      copy:
        from: main
        roles: { qa: {} }
        databases: { orders: { owner: qa }, goods: { owner: app, renamed_from: stock } }
      leaf: { from: copy, databases: { goods: { owner: report } } }
      bare: { from: main, databases: { stock: { state: absent } } }
`,
    ),
    world: world([]),
    allow: [drop('shop/branches/bare/databases/stock')],
  },
];
