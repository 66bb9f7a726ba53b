// Sample plans for the renderers' tests.
import type { Change, Plan, Step } from '../../../src/model/outcome/plan.ts';
import type { SourceRange } from '../../../src/model/source.ts';

export const AT = Date.UTC(2026, 10, 20, 2, 0, 0);

export function rangeAt(line: number, column: number, file: string = 'trueup.yaml'): SourceRange {
  return { file, start: { line, column, offset: 0 }, end: { line, column: column + 4, offset: 4 } };
}

export function change(fields: Partial<Change> & Pick<Change, 'address' | 'action'>): Change {
  return {
    kind: 'compute',
    name: fields.address.slice(fields.address.indexOf('/') + 1),
    resourceId: null,
    projectId: 'spring-example-302709',
    matchedBy: '',
    before: null,
    after: null,
    attributes: [],
    impact: [],
    impactDetails: {},
    notes: [],
    reasons: [],
    blockedBy: [],
    held: [],
    due: false,
    origin: 'file',
    source: null,
    lastOperation: null,
    replacePaths: [],
    ...fields,
  };
}

function step(fields: Partial<Step> & Pick<Step, 'id' | 'address' | 'action'>): Step {
  return {
    kind: 'compute',
    projectId: 'spring-example-302709',
    method: 'PATCH',
    path: 'projects/spring-example-302709/endpoints/ep-cool-darkness-123456',
    body: {},
    needs: [],
    expects: {
      state: 'present',
      id: 'ep-cool-darkness-123456',
      attributes: {},
      fingerprint: { lasting: {}, passing: {}, restsOn: [] },
      joins: null,
    },
    achieves: {},
    options: {},
    ...fields,
  };
}

export function plan(changes: readonly Change[], fields: Partial<Plan> = {}): Plan {
  const free = changes.filter(({ blockedBy }) => blockedBy.length === 0);
  const count = (wanted: Change['action']): number => free.filter(({ action }) => action === wanted).length;
  return {
    baseUrl: 'https://console.example.com/api/v2',
    changes,
    steps: [],
    summary: {
      create: count('create'),
      update: count('update'),
      move: count('move'),
      replace: count('replace'),
      delete: count('delete'),
      restart: count('restart'),
      rotate: count('rotate'),
      revoke: count('revoke'),
      blocked: changes.length - free.length,
      held: changes.filter(({ held }) => held.length > 0).length,
      due: 0,
      unchanged: count('none'),
    },
    upkeep: [],
    unmanaged: [],
    unread: [],
    unplanned: [],
    limitsExceeded: [],
    windows: [],
    guards: [],
    diagnostics: [],
    options: { allow: [], due: false, target: [], exclude: [], noHistory: false },
    planHash: 'sha256:1e',
    ...fields,
  };
}

export const PRIMARY = change({
  address: 'shop/primary',
  action: 'update',
  resourceId: 'ep-cool-darkness-123456',
  matchedBy: 'the read_write one of br-wispy-meadow-118737',
  before: {
    branch_id: 'br-wispy-meadow-118737',
    type: 'read_write',
    autoscaling_limit_max_cu: 4,
    pooler_mode: 'session',
  },
  after: {
    branch_id: 'br-wispy-meadow-118737',
    type: 'read_write',
    autoscaling_limit_max_cu: 8,
    pooler_mode: 'transaction',
  },
  attributes: [
    { path: 'autoscaling_limit_max_cu', before: 4, after: 8, restarts: true },
    { path: 'pooler_mode', before: 'session', after: 'transaction', restarts: false },
  ],
  impact: ['drops_connections', 'cold_start', 'max_connections'],
  impactDetails: { max_connections: { before: 450, after: 901 }, ram_gb: { before: 4, after: 8 } },
  notes: ['no connection is open now: the compute is idle'],
  source: rangeAt(21, 7),
});

const LEGACY = change({
  address: 'shop/legacy',
  action: 'delete',
  resourceId: 'ep-old-sun-654321',
  matchedBy: 'pinned id',
  before: { branch_id: 'br-calm-sea-220011', type: 'read_only' },
  impact: ['permanent', 'drops_connections'],
  reasons: ['state: absent'],
  origin: 'absent',
  source: rangeAt(44, 7),
});

const REPORTS = change({
  address: 'shop/reports',
  action: 'create',
  after: { branch_id: 'br-wispy-meadow-118737', type: 'read_only', autoscaling_limit_max_cu: 1 },
  attributes: [
    { path: 'autoscaling_limit_max_cu', before: null, after: 1, restarts: false },
    { path: 'branch_id', before: null, after: 'br-wispy-meadow-118737', restarts: false },
    { path: 'type', before: null, after: 'read_only', restarts: false },
  ],
  impact: ['none'],
  source: rangeAt(33, 7),
});

const TUNED = change({
  address: 'wiki/primary',
  action: 'update',
  resourceId: 'ep-dry-field-000009',
  matchedBy: 'pinned id',
  before: {
    settings: { pg_settings: { work_mem: '4MB', jit: 'off', a: '1', b: '2', c: '3', statement_timeout: '0' } },
  },
  after: {
    settings: { pg_settings: { work_mem: '64MB', jit: 'on', a: '1', b: '2', c: '3', max_parallel_workers: '4' } },
  },
  attributes: [
    { path: 'settings.pg_settings.jit', before: 'off', after: 'on', restarts: false },
    { path: 'settings.pg_settings.max_parallel_workers', before: null, after: '4', restarts: false },
    { path: 'settings.pg_settings.statement_timeout', before: '0', after: null, restarts: false },
    { path: 'settings.pg_settings.work_mem', before: '4MB', after: '64MB', restarts: false },
  ],
  impact: ['none'],
});

const MOVED = change({
  address: 'shop/moved',
  action: 'move',
  resourceId: 'ep-late-moon-777777',
  matchedBy: 'moved_from br-old-river-991122',
  attributes: [{ path: 'branch_id', before: 'br-old-river-991122', after: 'br-calm-sea-220011', restarts: false }],
  impact: ['drops_connections'],
  notes: ['host and id survive'],
});

const RESTART = change({
  address: 'shop/batch',
  action: 'restart',
  resourceId: 'ep-blue-hill-111222',
  matchedBy: 'pinned id',
  impact: ['drops_connections', 'cold_start'],
  reasons: ['last started 9d ago, max_age is 7d'],
  origin: 'restart',
  due: true,
});

const PROTECTED = change({
  address: 'wiki/protected',
  action: 'replace',
  resourceId: 'ep-firm-rock-555555',
  matchedBy: 'pinned id',
  attributes: [{ path: 'type', before: 'read_only', after: 'read_write', restarts: false }],
  impact: ['permanent', 'drops_connections', 'host_changes'],
  blockedBy: ['protect', 'consent', 'window'],
  replacePaths: ['type'],
});

const HELD = change({
  address: 'wiki/held',
  action: 'none',
  resourceId: 'ep-held-lake-888888',
  held: [
    {
      path: 'autoscaling_limit_max_cu',
      wanted: 8,
      live: 16,
      untilMs: Date.UTC(2026, 11, 1),
      reason: 'INC-4211',
    },
  ],
});

const ROTATED = change({
  address: 'api_keys/ci-deploy',
  kind: 'api_key',
  action: 'rotate',
  projectId: null,
  impact: ['secret_created'],
  reasons: ['91d old, rotated every 90d'],
  origin: 'rotate',
});

const ALIKE = Array.from({ length: 12 }, (_, at) =>
  change({
    address: `fleet/reader-${String(at).padStart(2, '0')}`,
    action: 'update',
    resourceId: `ep-reader-${String(at).padStart(2, '0')}`,
    matchedBy: 'pinned id',
    attributes: [{ path: 'suspend_timeout_seconds', before: 0, after: 600, restarts: false }],
    impact: ['none'],
  }),
);

const FULL_STEPS = [
  step({ id: 'delete shop/legacy', address: 'shop/legacy', action: 'delete', method: 'DELETE', body: null }),
  step({ id: 'create shop/reports', address: 'shop/reports', action: 'create', method: 'POST' }),
  step({ id: 'update shop/primary', address: 'shop/primary', action: 'update' }),
  step({ id: 'move shop/moved', address: 'shop/moved', action: 'move', needs: ['delete shop/legacy'] }),
  step({
    id: 'rotate api_keys/ci-deploy',
    address: 'api_keys/ci-deploy',
    kind: 'api_key',
    action: 'rotate',
    method: 'POST',
    projectId: null,
    path: 'api_keys',
  }),
  step({ id: 'update wiki/primary', address: 'wiki/primary', action: 'update' }),
  ...ALIKE.map(({ address }) => step({ id: `update ${address}`, address, action: 'update' })),
];

/** Something of everything. */
export const FULL_PLAN: Plan = plan(
  [...ALIKE, ROTATED, RESTART, LEGACY, MOVED, PRIMARY, REPORTS, HELD, TUNED, PROTECTED],
  {
    steps: FULL_STEPS,
    summary: {
      ...plan([]).summary,
      create: 1,
      update: 14,
      move: 1,
      delete: 1,
      rotate: 1,
      blocked: 1,
      held: 1,
      due: 1,
      unchanged: 1,
    },
    windows: [
      {
        project: null,
        windows: [{ text: 'Sun 02:00-04:00 UTC', weekdays: [0], startMinute: 120, endMinute: 240, timeZone: 'UTC' }],
        opensAt: '2026-11-22T02:00:00.000Z',
      },
    ],
    limitsExceeded: [{ limit: 'max_deletes', project: 'wiki', allowed: 0, planned: 1, addresses: ['wiki/protected'] }],
    unmanaged: [
      {
        address: 'shop/ep-quiet-hill-000002',
        kind: 'compute',
        id: 'ep-quiet-hill-000002',
        projectId: 'spring-example-302709',
        spec: { branch_id: 'br-calm-sea-220011', type: 'read_only' },
        pruned: false,
      },
    ],
    unread: [
      {
        what: 'archive',
        projectId: 'dim-star-404040',
        reason: 'GET /projects/dim-star-404040/endpoints: 503 three times',
      },
    ],
    diagnostics: [
      {
        severity: 'warning',
        code: 'stale_pin',
        message: 'the pinned id ep-gone-river-010101 no longer exists',
        address: 'shop/reports',
        hint: 'run trueup pin --fix',
        range: rangeAt(2, 7),
      },
    ],
  },
);

export const EMPTY_PLAN: Plan = plan([change({ address: 'shop/primary', action: 'none', resourceId: 'ep-1' })]);

export const SOURCES: ReadonlyMap<string, string> = new Map([
  ['trueup.yaml', 'projects:\n  shop: {computes: {reports: {id: ep-gone-river-010101}}}\n'],
]);
