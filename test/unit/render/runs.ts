// Sample events and results for the renderers' tests.
import type { ApplyEvent, OutcomeCounts } from '../../../src/model/outcome/event.ts';
import type { RunResult, StepResult } from '../../../src/model/outcome/result.ts';
import { AT, FULL_PLAN, PRIMARY } from './worlds.ts';

function counts(fields: Partial<OutcomeCounts> = {}): OutcomeCounts {
  return {
    done: 0,
    satisfied: 0,
    failed: 0,
    unknown: 0,
    timedOut: 0,
    skipped: 0,
    notStarted: 0,
    blocked: 0,
    added: 0,
    changed: 0,
    destroyed: 0,
    ...fields,
  };
}

const APPLY_CONFIG = {
  id: '7f3a6c1e-0000-4000-8000-000000000001',
  action: 'apply_config',
  status: 'running',
  failuresCount: 1,
};
const PRIMARY_STEP = { step: 'update shop/primary', address: 'shop/primary', action: 'update' } as const;
const REPORTS_STEP = { step: 'create shop/reports', address: 'shop/reports', action: 'create' } as const;
const KEY_STEP = { step: 'rotate api_keys/ci-deploy', address: 'api_keys/ci-deploy', action: 'rotate' } as const;

/** One of every event, in an order in which they could happen. */
export const EVENTS: readonly ApplyEvent[] = [
  { atMs: AT, type: 'planned_change', change: PRIMARY },
  { atMs: AT, type: 'change_summary', summary: { ...FULL_PLAN.summary, create: 1, update: 2, replace: 1 } },
  { atMs: AT + 100, type: 'apply_start', resourceId: 'ep-cool-darkness-123456', ...PRIMARY_STEP },
  { atMs: AT + 200, type: 'apply_start', resourceId: null, ...REPORTS_STEP },
  { atMs: AT + 300, type: 'apply_start', resourceId: null, ...KEY_STEP },
  {
    atMs: AT + 400,
    type: 'retry',
    step: REPORTS_STEP.step,
    address: REPORTS_STEP.address,
    method: 'POST',
    path: 'projects/spring-example-302709/endpoints',
    attempt: 1,
    delayMs: 4000,
    cause: '423: the project has running operations',
  },
  {
    atMs: AT + 900,
    type: 'secret_stored',
    address: 'api_keys/ci-deploy',
    sink: 'file:ci-deploy.json',
    path: '.trueup/secrets/ci-deploy.json',
  },
  { atMs: AT + 1000, type: 'apply_complete', resourceId: '9007199254740993', elapsedMs: 700, ...KEY_STEP },
  {
    atMs: AT + 6000,
    type: 'apply_progress',
    elapsedMs: 5900,
    operation: APPLY_CONFIG,
    progress: { done: 1, total: 4 },
    waitingFor: null,
    ...PRIMARY_STEP,
  },
  {
    atMs: AT + 12_000,
    type: 'apply_progress',
    elapsedMs: 11_800,
    operation: null,
    progress: { done: 1, total: 4 },
    waitingFor: 'the open operations of spring-example-302709',
    ...REPORTS_STEP,
  },
  {
    atMs: AT + 13_000,
    type: 'apply_complete',
    resourceId: 'ep-cool-darkness-123456',
    elapsedMs: 12_900,
    ...PRIMARY_STEP,
  },
  {
    atMs: AT + 14_000,
    type: 'step_unknown',
    elapsedMs: 13_800,
    reason: 'the connection broke after the request was sent, and nothing proves the outcome',
    timedOut: false,
    ...REPORTS_STEP,
  },
  {
    atMs: AT + 14_100,
    type: 'apply_errored',
    elapsedMs: 300,
    diagnostic: {
      severity: 'error',
      code: 'operation_failed',
      message: 'suspend_compute failed twice',
      hint: 'look at trueup operations --project shop',
    },
    step: 'move shop/moved',
    address: 'shop/moved',
    action: 'move',
  },
  {
    atMs: AT + 14_200,
    type: 'step_skipped',
    reason: 'move shop/moved failed',
    step: 'create shop/next',
    address: 'shop/next',
    action: 'create',
  },
  { atMs: AT + 15_000, type: 'verify', converged: false, blocked: 0, remaining: ['shop/moved', 'shop/next'] },
  {
    atMs: AT + 15_100,
    type: 'diagnostic',
    diagnostic: {
      severity: 'warning',
      code: 'ci_file_sink',
      message: 'this machine may vanish with the stored secret',
    },
  },
  {
    atMs: AT + 15_200,
    type: 'run_finished',
    status: 'incomplete',
    counts: counts({ done: 2, failed: 1, unknown: 1, skipped: 1, added: 1, changed: 1 }),
    requests: 31,
    seconds: 15.2,
  },
];

function stepResult(
  fields: Partial<StepResult> & Pick<StepResult, 'id' | 'address' | 'action' | 'outcome'>,
): StepResult {
  return { resourceId: null, operations: [], startedAtMs: AT, elapsedMs: 1000, attempts: 1, message: null, ...fields };
}

export const RESULT: RunResult = {
  status: 'incomplete',
  planHash: 'sha256:1e',
  upkeep: [],
  steps: [
    stepResult({
      id: 'update shop/primary',
      address: 'shop/primary',
      action: 'update',
      outcome: 'done',
      resourceId: 'ep-cool-darkness-123456',
      elapsedMs: 12_900,
      operations: [{ ...APPLY_CONFIG, status: 'finished' }],
    }),
    stepResult({
      id: 'create shop/reports',
      address: 'shop/reports',
      action: 'create',
      outcome: 'unknown',
      startedAtMs: AT + 200,
      elapsedMs: 13_800,
      attempts: 2,
      message: 'the connection broke after the request was sent, and nothing proves the outcome',
    }),
    stepResult({
      id: 'move shop/moved',
      address: 'shop/moved',
      action: 'move',
      outcome: 'failed',
      resourceId: 'ep-late-moon-777777',
      startedAtMs: AT + 13_800,
      elapsedMs: 300,
      message: 'suspend_compute failed twice',
      operations: [
        { id: '7f3a6c1e-0000-4000-8000-000000000002', action: 'suspend_compute', status: 'failed', failuresCount: 2 },
      ],
    }),
    stepResult({
      id: 'create shop/next',
      address: 'shop/next',
      action: 'create',
      outcome: 'skipped',
      startedAtMs: null,
      elapsedMs: null,
      attempts: 0,
      message: 'move shop/moved failed',
    }),
    stepResult({
      id: 'restart wiki/primary',
      address: 'wiki/primary',
      action: 'restart',
      outcome: 'timed_out',
      resourceId: 'ep-dry-field-000009',
      elapsedMs: 600_000,
      message: 'not finished within 10m',
    }),
  ],
  resources: {
    'shop/primary': {
      id: 'ep-cool-darkness-123456',
      columns: {
        branch_id: 'br-wispy-meadow-118737',
        state: 'active',
        host: 'ep-cool-darkness-123456.example.com',
      },
      pinned: true,
    },
    'wiki/primary': {
      id: 'ep-dry-field-000009',
      columns: { branch_id: null, state: null, host: null },
      pinned: true,
    },
  },
  counts: counts({ done: 1, failed: 1, unknown: 1, timedOut: 1, skipped: 1, changed: 1 }),
  diagnostics: [],
  requests: 31,
  seconds: 15.2,
  secretsAtRisk: [],
  vacated: [],
};

export const CONVERGED: RunResult = {
  ...RESULT,
  status: 'converged',
  steps: RESULT.steps.slice(0, 1),
  counts: counts({ done: 1, changed: 1 }),
};
