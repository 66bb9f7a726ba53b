// A change that failed is seen however busy the log was since, and what could not be read of it hides nothing else.
import { describe, expect, it } from 'vitest';
import { fails, refuses, shows } from '../../support/faults.ts';
import { COMPUTE, ID, inShop, MAIN, MAIN_BRANCH, shopWorld, STAGING } from '../../support/shop.ts';
import { openSite, type Site } from '../../support/site.ts';

const PRIMARY = { id: COMPUTE, branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 } as const;
const OTHER = 'ep-warm-hill-000002';

type Recorded = NonNullable<Parameters<typeof shopWorld>[0]>['operations'] & object;

/** What failed a day ago. */
const failedOn = (action: string, of: Partial<Recorded[number]>): Recorded[number] => ({
  action,
  status: 'failed',
  ...of,
  created_at: '-1d',
  updated_at: '-1d',
});
const CHANGE = failedOn('apply_config', { endpoint_id: COMPUTE, branch_id: MAIN });

/** Operations of another compute since. */
const checks = (count: number): Recorded =>
  Array.from({ length: count }, (_, at) => {
    const ago = `-${count - at}s`;
    const of = { endpoint_id: OTHER, branch_id: MAIN };
    return { action: 'check_availability', ...of, created_at: ago, updated_at: ago };
  });

/** A primary that is forty days old and has this past; the file may want another pooler of it. */
function open(operations: Recorded, pooler = false): Site {
  const old = { created_at: '-40d', updated_at: '-40d' };
  return openSite({
    file: `version: 1\nprojects: { shop: { computes: { primary: { branch_id: ${MAIN}, pooler_enabled: ${pooler} } } } }\n`,
    seed: shopWorld({
      created_at: '-40d',
      branches: [{ ...MAIN_BRANCH, created_at: '-40d' }],
      computes: [
        { ...PRIMARY, ...old },
        { id: OTHER, branch: 'main', type: 'read_only', ...old },
      ],
      operations,
    }),
  });
}

const LOG = `/projects/${ID}/operations`;
const logs = (requests: readonly string[]): number => requests.filter((one) => one.endsWith('/operations')).length;

describe('a change that failed', () => {
  it('is drift behind more operations than the newest page holds', async () => {
    const { drift, seen } = open([CHANGE, ...checks(1130)]);
    const { report } = await drift();
    expect(report.changed.map(({ origin }) => origin)).toEqual(['last_operation_failed']);
    expect(logs(seen)).toBe(2);
  });

  it('is not said to be mended where the service takes what is sent and does nothing', async () => {
    const { controlPlane, apply, drift } = open([CHANGE]);
    const body = JSON.stringify({ endpoint: { id: COMPUTE, branch_id: MAIN, type: 'read_write' }, operations: [] });
    controlPlane.setFaults({ rules: [refuses({ method: 'PATCH' }, 200, body)] });
    const { result } = await apply();
    expect(result).toMatchObject({ status: 'incomplete', steps: [{ outcome: 'done' }] });
    const { report } = await drift();
    expect(report.status).toBe('drifted');
  });
});

describe('the newest change of a compute', () => {
  /** The log, with its `apply_config` of another status. */
  function ended(status: string, at = '2025-12-31T00:00:00Z'): Site {
    const account = open([CHANGE]);
    const of = { project_id: ID, endpoint_id: COMPUTE, branch_id: MAIN };
    const change = { id: 'a-change', ...of, action: 'apply_config', status, created_at: at, updated_at: at };
    account.controlPlane.setFaults({ rules: [shows(LOG, 'operations', [change])] });
    return account;
  }

  it.each(['failed', 'error', 'cancelled'])('that ended as %s is a difference', async (status) => {
    const account = ended(status);
    expect((await account.plan()).changes.map(({ origin }) => origin)).toEqual(['last_operation_failed']);
    const { report } = await account.drift();
    expect(report.status).toBe('drifted');
  });

  it.each(['finished', 'skipped'])('that ended as %s is none', async (status) => {
    const account = ended(status);
    expect(await account.plan()).toMatchObject({ steps: [], unread: [] });
  });

  it.each(['cancelling', 'constructing'])('that is %s is not known to take, and that is said', async (status) => {
    const account = ended(status, '2025-12-31T23:55:00Z');
    expect((await account.plan()).unread).toMatchObject([
      { what: 'shop/primary', reason: expect.stringContaining(`is ${status}, so the outcome is not known`) as string },
    ]);
    const { report } = await account.drift();
    expect(report.status).toBe('incomplete');
    expect((await account.apply()).result.status).toBe('incomplete');
  });
});

describe('the newest operation of a branch or a project', () => {
  const QA = 'branches: { main: {}, qa: { from: main } }';

  function after(entry: string, operations: Recorded, changed = '-40d'): Site {
    const qa = { id: STAGING, name: 'qa', parent_id: MAIN, created_at: '-40d', updated_at: changed };
    return openSite({
      file: inShop(entry),
      seed: shopWorld({
        created_at: '-40d',
        updated_at: changed,
        branches: [{ ...MAIN_BRANCH, created_at: '-40d' }, qa],
        computes: [PRIMARY],
        operations,
      }),
    });
  }

  it.each([
    ['branch', QA, failedOn('create_branch', { branch_id: STAGING })],
    ['branch', QA, failedOn('apply_config', { branch_id: STAGING })],
    ['project', 'branches: {}\n    history_retention_seconds: 1d', failedOn('apply_storage_config', {})],
  ])('stays a difference of a %s that changed later without an operation', async (_what, entry, operation) => {
    const { plan, drift } = after(entry, [operation], '-1h');
    const [change] = (await plan()).changes.filter(({ action }) => action !== 'none');
    expect(change?.origin).toBe('last_operation_failed');
    const { report } = await drift();
    expect(report.status).toBe('drifted');
  });

  it('is no difference once a compute of the branch has started', async () => {
    const started = { action: 'start_compute', status: 'finished', branch_id: STAGING, endpoint_id: OTHER };
    const times = { created_at: '-2h', updated_at: '-2h' };
    const { plan } = after(QA, [failedOn('create_branch', { branch_id: STAGING }), { ...started, ...times }]);
    expect((await plan()).changes.map(({ action }) => action)).toEqual(['none', 'none']);
  });

  it('is a blocked difference where the file has no attribute to send', async () => {
    const account = after(QA, [failedOn('create_branch', { branch_id: STAGING })]);
    const [, qa] = (await account.plan()).changes;
    expect(qa).toMatchObject({ action: 'update', attributes: [], blockedBy: ['refused'] });
    expect((await account.apply()).result.status).toBe('blocked');
  });

  it('never repeats a reset', async () => {
    const entry = 'branches: { main: {}, qa: { from: main, reset: { not_before: 2025-12-30 } } }';
    const { apply, controlPlane, plan } = after(entry, []);
    controlPlane.setFaults({ rules: [fails('create_branch')] });
    const { result } = await apply({ allow: ['drop:shop/branches/qa'] });
    expect(result.steps).toMatchObject([{ outcome: 'failed' }]);
    expect(await plan()).toMatchObject({ steps: [], summary: { blocked: 1 } });
  });
});

describe('a log that is read to its bound and does not tell', () => {
  it('is said of the compute, in the plan and in the drift report, and keeps nothing from being compared', async () => {
    const account = open(checks(130), true);
    const page = (at: number): string =>
      JSON.stringify({
        operations: Array.from({ length: 1000 }, (_, of) => ({
          id: `op-${at}-${of}`,
          project_id: ID,
          action: 'check_availability',
          status: 'finished',
          created_at: '2025-12-31T00:00:00Z',
        })),
        pagination: { cursor: `c${at}` },
      });
    const rules = Array.from({ length: 6 }, (_, at) => refuses({ path: LOG, nth: at + 1 }, 200, page(at)));
    account.controlPlane.setFaults({ rules });
    const { report, diagnostics } = await account.drift();
    expect(diagnostics).toEqual([]);
    expect(report).toMatchObject({
      status: 'drifted',
      unread: [],
      changed: [{ address: 'shop/primary' }],
      notCompared: [{ address: 'shop/primary', paths: ['last_operation'] }],
    });
    expect(report.changed[0]?.notes).toEqual([expect.stringMatching(/is not known whether the last change failed/)]);
  });
});

describe('a log that cannot be read', () => {
  const refuse = ({ controlPlane }: Site): void => controlPlane.setFaults({ rules: [refuses({ path: LOG }, 403)] });
  const UNREAD = { what: 'shop', projectId: ID, part: 'operation_log' };

  it('stands in drift beside the differences that were read', async () => {
    const account = open([], true);
    refuse(account);
    const { report, matching } = await account.drift();
    expect(report).toMatchObject({ status: 'incomplete', unread: [UNREAD] });
    expect(report.unread[0]?.reason).toMatch(/^its operation log: GET /);
    expect(report.changed.map(({ attributes }) => attributes.map(({ path }) => path))).toEqual([['pooler_enabled']]);
    expect(matching).toEqual([]);
  });

  it('holds up no change, and is in the plan', async () => {
    const account = open([], true);
    refuse(account);
    expect(await account.plan()).toMatchObject({
      steps: [{ action: 'update' }],
      unread: [UNREAD],
      changes: [{ blockedBy: [] }],
    });
  });

  it('leaves a change in doubt whose operation cannot be followed', async () => {
    const account = open([], true);
    refuse(account);
    const { result, writes } = await account.apply();
    expect(result.status).toBe('incomplete');
    expect(result.steps).toMatchObject([{ outcome: 'unknown' }]);
    expect(writes).toHaveLength(1);
  });
});
