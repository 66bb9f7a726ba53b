// Sample drift, keys and operations for the renderers' tests.
import type { DriftReport } from '../../../src/model/outcome/drift.ts';
import type { OperationRecord } from '../../../src/model/live.ts';
import type { Change } from '../../../src/model/outcome/plan.ts';
import type { KeyRow } from '../../../src/render/tables/keys.ts';
import { AT, FULL_PLAN } from './worlds.ts';

const DAY_MS = 86_400_000;

function changeOf(address: string): Change {
  const found = FULL_PLAN.changes.find((change) => change.address === address);
  if (found === undefined) throw new Error(`no sample change ${address}`);
  return found;
}

export const DRIFT: DriftReport = {
  status: 'drifted',
  selection: { target: [], exclude: ['lab/*'] },
  changed: [
    {
      ...changeOf('shop/primary'),
      lastOperation: { id: '7f3a6c1e-0000-4000-8000-000000000009', action: 'apply_config', at: '2026-11-19T17:03:11Z' },
    },
    changeOf('wiki/primary'),
  ],
  missing: [changeOf('shop/reports')],
  unmanaged: FULL_PLAN.unmanaged,
  held: [changeOf('wiki/held')],
  notCompared: [{ address: 'shop/odd', paths: ['pooler_mode'], reason: 'left to others by lifecycle.ignore' }],
  unread: [],
  unplanned: [],
  due: [changeOf('shop/batch')],
};

export const IN_SYNC: DriftReport = {
  status: 'in_sync',
  selection: { target: [], exclude: [] },
  changed: [],
  missing: [],
  unmanaged: [],
  held: [],
  notCompared: [],
  unread: [],
  unplanned: [],
  due: [],
};

export const KEYS: readonly KeyRow[] = [
  {
    address: 'api_keys/ci-deploy',
    id: '9007199254740993',
    name: 'ci-deploy',
    orgId: null,
    createdAtMs: AT - 91 * DAY_MS,
    lastUsedAtMs: AT - 3_600_000,
    lastUsedFrom: '192.0.2.7',
    sink: 'file ci-deploy.json',
    replacedBy: null,
    rotation: 'due since 1d',
  },
  {
    address: 'api_keys/ci-deploy',
    id: '9007199254740992',
    name: 'ci-deploy',
    orgId: null,
    createdAtMs: AT - 181 * DAY_MS,
    lastUsedAtMs: AT - 3_600_000,
    lastUsedFrom: '192.0.2.7',
    sink: null,
    replacedBy: '9007199254740993',
    rotation: 'retiring, still in use',
  },
  {
    address: null,
    id: '17',
    name: 'old laptop',
    orgId: 'org-spring-garden-12345',
    createdAtMs: null,
    lastUsedAtMs: null,
    lastUsedFrom: null,
    sink: null,
    replacedBy: null,
    rotation: null,
  },
];

export const OPERATIONS: readonly OperationRecord[] = [
  {
    id: '7f3a6c1e-0000-4000-8000-000000000001',
    action: 'apply_config',
    status: 'running',
    projectId: 'spring-example-302709',
    branchId: 'br-wispy-meadow-118737',
    resourceId: 'ep-cool-darkness-123456',
    failuresCount: 1,
    error: 'could not reach the node',
    retryAtMs: AT + 5000,
    createdAtMs: AT - 12_000,
    updatedAtMs: AT - 2000,
  },
  {
    id: '7f3a6c1e-0000-4000-8000-000000000002',
    action: 'create_branch',
    status: 'finished',
    projectId: 'spring-example-302709',
    branchId: null,
    resourceId: null,
    failuresCount: 0,
    error: null,
    retryAtMs: null,
    createdAtMs: AT - 60_000,
    updatedAtMs: AT - 58_500,
  },
];
