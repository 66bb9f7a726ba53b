// A change that failed is seen however busy the log was since, and what could not be read of it hides nothing else.
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/control-plane/index.ts';
import { refuses } from '../../support/faults.ts';
import { openSite, type Site } from '../../support/site.ts';

const SHOP = 'spring-example-302709';
const MAIN = 'br-wispy-meadow-118737';
const PRIMARY = {
  id: 'ep-cool-darkness-123456',
  branch: 'main',
  current_state: 'active',
  suspend_timeout_seconds: -1,
} as const;

function fileOf(pooler: boolean): string {
  return `version: 1\nprojects: { shop: { computes: { primary: { branch_id: ${MAIN}, pooler_enabled: ${pooler} } } } }\n`;
}

interface Past {
  /** When the primary was made. */
  readonly made?: string;
  /** A change of the primary that failed, a day ago. */
  readonly failed?: boolean;
  /** Operations of another compute since. */
  readonly since?: number;
}

function open(past: Past, pooler = false): Site {
  const { made = '-40d', failed = false, since = 0 } = past;
  const of = (id: string): object => ({ endpoint_id: id, branch_id: MAIN });
  const day = { created_at: '-1d', updated_at: '-1d' };
  const seed: World = {
    version: 1,
    projects: [
      {
        name: 'shop',
        id: SHOP,
        created_at: '-40d',
        branches: [{ id: MAIN, name: 'main', default: true, created_at: '-40d' }],
        computes: [
          { ...PRIMARY, created_at: made, updated_at: made },
          { id: 'ep-warm-hill-000002', branch: 'main', type: 'read_only', created_at: '-40d', updated_at: '-40d' },
        ],
        operations: [
          ...(failed ? [{ action: 'apply_config', status: 'failed', ...of(PRIMARY.id), ...day }] : []),
          ...Array.from({ length: since }, (_, at) => {
            const ago = `-${since - at}s`;
            return { action: 'check_availability', ...of('ep-warm-hill-000002'), created_at: ago, updated_at: ago };
          }),
        ],
      },
    ],
  };
  return openSite({ file: fileOf(pooler), seed });
}

const logs = (requests: readonly string[]): number => requests.filter((one) => one.endsWith('/operations')).length;

describe('a change that failed', () => {
  it('is drift behind more operations than the newest page holds', async () => {
    const { drift, seen } = open({ failed: true, since: 1130 });
    const { report } = await drift();
    expect(report.changed.map(({ origin }) => origin)).toEqual(['last_operation_failed']);
    expect(logs(seen)).toBe(2);
  });

  it('is not said to be mended where the service takes what is sent and does nothing', async () => {
    const account = open({ failed: true });
    const { controlPlane, apply, drift } = account;
    const body = JSON.stringify({ endpoint: { id: PRIMARY.id, branch_id: MAIN, type: 'read_write' }, operations: [] });
    const fault = { kind: 'reply', commit: false, status: 200, body } as const;
    controlPlane.setFaults({ rules: [{ when: { method: 'PATCH' }, times: 'always', fault }] });
    const { result } = await apply();
    expect(result).toMatchObject({ status: 'incomplete', steps: [{ outcome: 'done' }] });
    const { report } = await drift();
    expect(report.status).toBe('drifted');
  });
});

describe('the newest change of a compute', () => {
  /** The log, with its `apply_config` of another status. */
  function ended(status: string, at = '2025-12-31T00:00:00Z'): Site {
    const account = open({ failed: true });
    const operation = {
      id: 'a-change',
      project_id: SHOP,
      endpoint_id: PRIMARY.id,
      branch_id: MAIN,
      action: 'apply_config',
    };
    const body = JSON.stringify({ operations: [{ ...operation, status, created_at: at, updated_at: at }] });
    const when = { method: 'GET', path: `/projects/${SHOP}/operations` };
    const fault = { kind: 'reply', commit: false, status: 200, body } as const;
    account.controlPlane.setFaults({ rules: [{ when, times: 'always', fault }] });
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
  const BRANCH = 'br-calm-sea-220011';
  type Recorded = NonNullable<NonNullable<World['projects']>[number]['operations']>[number];
  const failedOn = (action: string, of: Partial<Recorded>): Recorded => ({
    action,
    status: 'failed',
    ...of,
    created_at: '-1d',
    updated_at: '-1d',
  });

  function after(entry: string, operations: readonly Recorded[], changed = '-40d'): Site {
    const branches = [
      { id: MAIN, name: 'main', default: true, created_at: '-40d' },
      { id: BRANCH, name: 'qa', parent_id: MAIN, created_at: '-40d', updated_at: changed },
    ];
    return openSite({
      file: `version: 1\nprojects:\n  shop:\n    id: ${SHOP}\n${entry}`,
      seed: {
        version: 1,
        projects: [
          {
            name: 'shop',
            id: SHOP,
            created_at: '-40d',
            updated_at: changed,
            branches,
            computes: [{ ...PRIMARY }],
            operations: [...operations],
          },
        ],
      },
    });
  }

  it.each([
    ['branch', '    branches: { main: {}, qa: { from: main } }\n', failedOn('create_branch', { branch_id: BRANCH })],
    ['branch', '    branches: { main: {}, qa: { from: main } }\n', failedOn('apply_config', { branch_id: BRANCH })],
    ['project', '    branches: {}\n    history_retention_seconds: 1d\n', failedOn('apply_storage_config', {})],
  ])('stays a difference of a %s that changed later without an operation', async (_what, entry, operation) => {
    const { plan, drift } = after(entry, [operation], '-1h');
    const [change] = (await plan()).changes.filter(({ action }) => action !== 'none');
    expect(change?.origin).toBe('last_operation_failed');
    const { report } = await drift();
    expect(report.status).toBe('drifted');
  });

  it('is no difference once a compute of the branch has started', async () => {
    const started = {
      action: 'start_compute',
      status: 'finished',
      branch_id: BRANCH,
      endpoint_id: 'ep-warm-hill-000002',
    };
    const times = { created_at: '-2h', updated_at: '-2h' };
    const entry = '    branches: { main: {}, qa: { from: main } }\n';
    const { plan } = after(entry, [failedOn('create_branch', { branch_id: BRANCH }), { ...started, ...times }]);
    expect((await plan()).changes.map(({ action }) => action)).toEqual(['none', 'none']);
  });

  it('is a blocked difference where the file has no attribute to send', async () => {
    const entry = '    branches: { main: {}, qa: { from: main } }\n';
    const account = after(entry, [failedOn('create_branch', { branch_id: BRANCH })]);
    expect((await account.plan()).changes[1]).toMatchObject({
      action: 'update',
      attributes: [],
      blockedBy: ['refused'],
    });
    expect((await account.apply()).result.status).toBe('blocked');
  });

  it('never repeats a reset', async () => {
    const entry = `    branches: { main: {}, qa: { from: main, reset: { not_before: 2025-12-30 } } }\n`;
    const { apply, controlPlane, plan } = after(entry, []);
    const fault = { on: 'operation', kind: 'fail', applied: true } as const;
    controlPlane.setFaults({ rules: [{ when: { action: 'create_branch' }, times: 'always', fault }] });
    const { result } = await apply({ allow: ['drop:shop/branches/qa'] });
    expect(result.steps).toMatchObject([{ outcome: 'failed' }]);
    expect(await plan()).toMatchObject({ steps: [], summary: { blocked: 1 } });
  });
});

describe('a log that is read to its bound and does not tell', () => {
  it('is said of the compute, in the plan and in the drift report, and keeps nothing from being compared', async () => {
    const account = open({ since: 130 }, true);
    const page = (at: number): string =>
      JSON.stringify({
        operations: Array.from({ length: 1000 }, (_, of) => ({
          id: `op-${at}-${of}`,
          project_id: SHOP,
          action: 'check_availability',
          status: 'finished',
          created_at: '2025-12-31T00:00:00Z',
        })),
        pagination: { cursor: `c${at}` },
      });
    const path = `/projects/${SHOP}/operations`;
    account.controlPlane.setFaults({
      rules: Array.from({ length: 6 }, (_, at) => ({
        when: { path, nth: at + 1 },
        times: 1,
        fault: { kind: 'reply' as const, commit: false, status: 200, body: page(at) },
      })),
    });
    const { report, diagnostics } = await account.drift();
    expect(diagnostics).toEqual([]);
    expect(report).toMatchObject({
      status: 'drifted',
      unread: [],
      changed: [{ address: 'shop/primary' }],
      notCompared: [{ address: 'shop/primary', paths: ['last_operation'] }],
    });
    expect(report.changed[0]?.notes).toEqual([
      expect.stringMatching(/^it is not known whether the last change failed/),
    ]);
  });
});

describe('a log that cannot be read', () => {
  const refuse = ({ controlPlane }: Site): void =>
    controlPlane.setFaults({ rules: [refuses({ path: `/projects/${SHOP}/operations` }, 403)] });
  const UNREAD = { what: 'shop', projectId: SHOP, part: 'operation_log' };

  it('stands in drift beside the differences that were read', async () => {
    const account = open({}, true);
    refuse(account);
    const { report, matching } = await account.drift();
    expect(report).toMatchObject({ status: 'incomplete', unread: [UNREAD] });
    expect(report.unread[0]?.reason).toMatch(/^its operation log: GET /);
    expect(report.changed.map(({ attributes }) => attributes.map(({ path }) => path))).toEqual([['pooler_enabled']]);
    expect(matching).toEqual([]);
  });

  it('holds up no change, and is in the plan', async () => {
    const account = open({}, true);
    refuse(account);
    expect(await account.plan()).toMatchObject({
      steps: [{ action: 'update' }],
      unread: [UNREAD],
      changes: [{ blockedBy: [] }],
    });
  });

  it('leaves a change in doubt whose operation cannot be followed', async () => {
    const account = open({}, true);
    refuse(account);
    const { result, writes } = await account.apply();
    expect(result.status).toBe('incomplete');
    expect(result.steps).toMatchObject([{ outcome: 'unknown' }]);
    expect(writes).toHaveLength(1);
  });
});
