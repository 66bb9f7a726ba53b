// The reference workloads: each kind of change once, always beside resources that belong to somebody else.
import type { World } from '../../../src/control-plane/index.ts';
import { treeWorkloads } from './trees.ts';
import type { Workload } from './workload.ts';

type Computes = NonNullable<NonNullable<World['projects']>[number]['computes']>;
type Keys = NonNullable<World['api_keys']>;

const SHOP = 'shop-project-000001';
const MAIN = 'br-main-000001';
const STAGING = 'br-staging-000002';
const DEV = 'br-dev-000003';
const OLD = { created_at: '-20d', last_active: '-2h' } as const;

const MAIN_PRIMARY = {
  id: 'ep-main-primary-01',
  branch: MAIN,
  autoscaling_limit_min_cu: 1,
  autoscaling_limit_max_cu: 2,
  current_state: 'active',
  started_at: '-10d',
  ...OLD,
} as const;
const FOREIGN: Computes = [
  { id: 'ep-foreign-reader-09', branch: STAGING, type: 'read_only', ...OLD },
  { id: 'ep-foreign-reader-10', branch: STAGING, type: 'read_only', current_state: 'active', ...OLD },
];
const replica = (number: number, branch: string, size: number): Computes[number] => ({
  id: `ep-reader-0${number}`,
  branch,
  type: 'read_only',
  autoscaling_limit_min_cu: size,
  autoscaling_limit_max_cu: size,
  ...OLD,
  created_at: `-${20 - number}d`,
});

function project(name: string, id: string, computes: Computes, suffix = ''): NonNullable<World['projects']>[number] {
  const rename = (branch: string): string => branch + suffix;
  return {
    name,
    id,
    created_at: '-40d',
    last_request_at: '-2h',
    branches: [
      { id: rename(MAIN), name: 'main', created_at: '-40d' },
      { id: rename(STAGING), name: 'staging', created_at: '-40d' },
      { id: rename(DEV), name: 'dev', created_at: '-40d' },
    ],
    computes: computes.map((compute) => ({ ...compute, branch: rename(compute.branch) })),
  };
}

const FOREIGN_KEY: Keys[number] = {
  id: 77,
  name: 'somebody',
  key: 'napi_somebodyssecretvalue00000000000000000000000000000000000000001',
  created_at: '-90d',
  last_used_at: '-1h',
  last_used_from_addr: '192.0.2.9',
};
const OLD_KEY: Keys[number] = {
  id: '9007199254740993',
  name: 'ci',
  key: 'napi_theoldvalueoftheci0000000000000000000000000000000000000000002',
  created_at: '-100d',
  last_used_at: '-95d',
  last_used_from_addr: '192.0.2.7',
};
const OLD_RECORD: string = `${JSON.stringify({ name: 'ci', id: 'ID', key: OLD_KEY.key, created_at: '2025-09-23T00:00:00Z' }).replace('"ID"', '9007199254740993')}\n`;

function world(computes: Computes, keys: Keys = []): World {
  return { version: 1, api_keys: [FOREIGN_KEY, ...keys], projects: [project('shop', SHOP, [...computes, ...FOREIGN])] };
}

const HEAD = 'version: 1\n';
const shop = (computes: string, more: string = ''): string => `${HEAD}projects:
  shop:
    id: ${SHOP}
    branches: { main: ${MAIN}, staging: ${STAGING}, dev: ${DEV} }
    unmanaged_ok: [ep-foreign-reader-09, ep-foreign-reader-10]
${more}    computes:
${computes}`;
const primary = (attributes: string, branch: string = 'main'): string =>
  `      primary: { branch: ${branch}, ${attributes} }\n`;
const reader = (name: string, branch: string, size: number, more: string = ''): string =>
  `      ${name}: { branch: ${branch}, type: read_only, ${more}autoscaling_limit_min_cu: ${size}, autoscaling_limit_max_cu: ${size} }\n`;
const PRUNE = '    prune: { branches: [dev], types: [read_only] }\n';
const THREE_REPLICAS: Computes = [replica(1, DEV, 1), replica(2, DEV, 1), replica(3, DEV, 1)];
const SAME = 'autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2';
const keys = (entry: string): string => `${HEAD}api_keys:\n  ci: ${entry}\n`;
const ROTATE = 'rotate: { not_before: 2025-12-31T00:00:00Z, overlap: 1h }';

/** W13 in the catalogue's numbering: everything at once in one project. */
const ALL_KINDS = `${shop(
  primary('autoscaling_limit_min_cu: 2, autoscaling_limit_max_cu: 4') +
    reader('one', 'dev', 1) +
    reader('two', 'dev', 1) +
    '      canary: { branch: staging }\n',
)}api_keys:\n  ci: { secret: { file: ci.json } }\n`;

const THREE_PROJECTS: string =
  HEAD +
  'projects:\n' +
  [
    ['a', 'primary: { branch: main, suspend_timeout_seconds: 600 }'],
    ['b', 'reader: { branch: dev, type: read_only }'],
    ['c', 'other: { branch: dev }'],
  ]
    .map(
      ([name, change]) => `  ${name}:
    branches: { main: ${MAIN}${name} , dev: ${DEV}${name} }
    computes:
      ${change}
`,
    )
    .join('');

export const referenceWorkloads: readonly Workload[] = [
  { name: 'W1 create a primary', yaml: shop(primary(SAME)), world: world([]) },
  {
    name: 'W2 create three replicas',
    yaml: shop(reader('a', 'dev', 1) + reader('b', 'dev', 1) + reader('c', 'dev', 1)),
    world: world([MAIN_PRIMARY]),
  },
  {
    name: 'W3 fixed size',
    yaml: shop(primary('autoscaling_limit_min_cu: 4, autoscaling_limit_max_cu: 4')),
    world: world([MAIN_PRIMARY]),
  },
  { name: 'W4 autoscaling bounds', yaml: shop(primary('autoscaling_limit_max_cu: 4')), world: world([MAIN_PRIMARY]) },
  { name: 'W5 autosuspend', yaml: shop(primary('suspend_timeout_seconds: 600')), world: world([MAIN_PRIMARY]) },
  {
    name: 'W6 move',
    yaml: shop(`      primary: { branch: dev, id: ${MAIN_PRIMARY.id} }\n`),
    world: world([MAIN_PRIMARY]),
  },
  {
    name: 'W7 swap two primaries',
    yaml: shop(
      `      primary: { branch: dev, id: ${MAIN_PRIMARY.id}, lifecycle: { via: ${STAGING} } }\n      other: { branch: main, id: ep-dev-primary-02 }\n`,
    ),
    world: world([MAIN_PRIMARY, { id: 'ep-dev-primary-02', branch: DEV, ...OLD }]),
  },
  { name: 'W8 scale in', yaml: shop(reader('a', 'dev', 1, 'id: ep-reader-01, '), PRUNE), world: world(THREE_REPLICAS) },
  {
    name: 'W9 replace a primary',
    yaml: shop(
      `      primary: { branch: main, type: read_only, id: ${MAIN_PRIMARY.id}, ${SAME} }\n      next: { branch: main, ${SAME} }\n`,
    ),
    world: world([MAIN_PRIMARY]),
  },
  { name: 'W10 create a key', yaml: keys('{ secret: { file: ci.json } }'), world: world([]) },
  {
    name: 'W11 rotate a key',
    yaml: keys(`{ secret: { file: ci.json }, ${ROTATE} }`),
    world: world([], [OLD_KEY]),
    secrets: { 'ci.json': OLD_RECORD },
  },
  { name: 'W12 revoke a key', yaml: keys('{ state: absent }'), world: world([], [OLD_KEY]) },
  { name: 'W13 all kinds at once', yaml: ALL_KINDS, world: world([MAIN_PRIMARY]) },
  {
    name: 'W14 three projects',
    yaml: THREE_PROJECTS,
    world: {
      version: 1,
      api_keys: [FOREIGN_KEY],
      projects: ['a', 'b', 'c'].map((name) =>
        project(name, `project-${name}`, [{ ...MAIN_PRIMARY, id: `ep-primary-${name}` }], name),
      ),
    },
  },
  { name: 'W15 nothing to do', yaml: shop(primary(SAME)), world: world([MAIN_PRIMARY]) },
  {
    name: 'W16 adopt what exists',
    yaml: shop(primary(SAME) + reader('a', 'dev', 1)),
    world: world([MAIN_PRIMARY, replica(1, DEV, 1)]),
  },
  {
    name: 'W17 repair drift',
    yaml: shop(
      primary(
        `${SAME}, suspend_timeout_seconds: 300, pooler_enabled: true, settings: { pg_settings: { work_mem: 64MB } }`,
      ) + reader('a', 'dev', 1),
    ),
    world: world([
      { ...MAIN_PRIMARY, autoscaling_limit_max_cu: 1, suspend_timeout_seconds: 600, pooler_enabled: false },
      replica(1, DEV, 2),
    ]),
  },
  {
    name: 'W18 restart',
    yaml: shop(primary('restart: { not_before: 2025-12-31T00:00:00Z }')),
    world: world([MAIN_PRIMARY]),
  },
  {
    name: 'W19 replicas of two sizes',
    yaml: shop(reader('big', 'dev', 2) + reader('small', 'dev', 0.25) + reader('more', 'dev', 2)),
    world: world([replica(1, DEV, 2)]),
  },
  { name: 'W20 create a key in a secret store', yaml: keys('{ secret: { exec: vault } }'), world: world([]) },
  {
    name: 'W21 create a key in two places',
    yaml: keys('{ secret: [{ file: ci.json }, { exec: vault }] }'),
    world: world([]),
  },
  {
    name: 'W22 make a lost key anew',
    yaml: keys('{ secret: { file: ci.json } }'),
    world: world([], [OLD_KEY]),
    allow: [{ action: 'replace', address: 'api_keys/ci' }],
  },
  {
    name: 'W23 retire a rotated key',
    yaml: keys(`{ secret: { file: ci.json }, ${ROTATE} }`),
    world: world(
      [],
      [
        OLD_KEY,
        {
          id: 500,
          name: 'ci',
          key: 'napi_thenewvalueoftheci0000000000000000000000000000000000000000003',
          created_at: '-2h',
          last_used_at: '-1h',
          last_used_from_addr: '192.0.2.7',
        },
      ],
    ),
    secrets: {
      'ci.json': `${JSON.stringify({ name: 'ci', id: 500, key: 'napi_thenewvalueoftheci0000000000000000000000000000000000000000003', created_at: '2025-12-31T22:00:00Z' })}\n`,
    },
  },
  {
    name: 'W24 scale in what a label does not name',
    yaml: shop(reader('a', 'dev', 1), PRUNE),
    world: world(THREE_REPLICAS),
  },
  {
    name: 'W25 an id that is allowed does not say which of several is meant',
    yaml: shop(reader('a', 'dev', 1), PRUNE),
    world: world(THREE_REPLICAS),
    allow: ['ep-reader-02', 'ep-reader-03'].map((id) => ({ action: 'delete', address: `shop/${id}` }) as const),
  },
  {
    name: 'W26 resize one of two that are equal',
    yaml: shop(reader('big', 'dev', 2) + reader('small', 'dev', 1)),
    world: world([{ ...replica(1, DEV, 1), current_state: 'active' }, replica(2, DEV, 1)]),
  },
  {
    name: 'W27 two projects of one name',
    yaml: `${shop(primary('suspend_timeout_seconds: 600') + reader('a', 'dev', 1), PRUNE).replace(`    id: ${SHOP}\n`, '')}  other:
    branches: { main: ${MAIN}o }
    computes:
      primary: { branch: main, suspend_timeout_seconds: 600 }
`,
    world: {
      version: 1,
      api_keys: [FOREIGN_KEY],
      projects: [
        project('shop', SHOP, [MAIN_PRIMARY, ...THREE_REPLICAS, ...FOREIGN]),
        project('between', 'between-project-01', [], 'b'),
        project('other', 'other-project-0002', [{ ...MAIN_PRIMARY, id: 'ep-primary-other' }], 'o'),
        project('shop', 'shop-project-000009', [{ ...MAIN_PRIMARY, id: 'ep-primary-twin' }], 't'),
      ],
    },
    twins: ['shop'],
  },
  {
    name: 'W28 rotate a key for a time some hours ago',
    yaml: keys(`{ secret: { file: ci.json }, ${ROTATE.replace('2025-12-31T00:00', '2025-12-31T21:00')} }`),
    world: world([], [OLD_KEY]),
    secrets: { 'ci.json': OLD_RECORD },
  },
  ...treeWorkloads,
];

/** The workload with this number, such as `W1`. */
export function workloadOf(number: string): Workload {
  const found = referenceWorkloads.find(({ name }) => name.startsWith(`${number} `));
  if (found === undefined) throw new Error(`no workload ${number}`);
  return found;
}
