// Protects completion: a step is done when every operation of its own has ended well, whatever its resource reads meanwhile.
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import type { FaultPlan, World } from '../../../src/control-plane/index.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { RunResult } from '../../../src/model/outcome/result.ts';
import type { Reconciler } from '../../../src/reconciler/types.ts';
import { desiredOf } from '../../support/files.ts';
import { openSite, type Answers, type Site } from '../../support/site.ts';

const SHOP = 'spring-example-302709';
const MAIN = 'br-wispy-meadow-118737';
const PRIMARY = 'ep-cool-darkness-123456';
const SEED: World = {
  version: 1,
  projects: [
    {
      name: 'shop',
      id: SHOP,
      branches: [{ id: MAIN, name: 'main', default: true }],
      computes: [{ id: PRIMARY, branch: 'main', current_state: 'active', suspend_timeout_seconds: -1 }],
    },
  ],
};

const RESIZED = `
version: 1
projects: { shop: { computes: { primary: { branch_id: ${MAIN}, autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 2 } } } }
`;
const KEPT_LONGER = `
version: 1
projects: { shop: { history_retention_seconds: 2d } }
`;

interface Ran {
  readonly site: Site;
  readonly result: RunResult;
  readonly seconds: number;
  plan(): Promise<Plan>;
  again(): Promise<RunResult>;
}

const open: Site[] = [];
afterEach(() => {
  for (const site of open.splice(0)) site.controlPlane.close();
});

async function run(file: string, answers: (site: () => Site) => Answers, faults: FaultPlan = {}): Promise<Ran> {
  const site: Site = openSite({
    seed: SEED,
    switches: { availabilityChecks: 'off' },
    operationMs: { min: 5000, max: 5000 },
    answers: answers(() => site),
  });
  open.push(site);
  const desired = await desiredOf(file);
  const reconciler: Reconciler = site.started();
  const plan = async (): Promise<Plan> => {
    const planned = await site.clock.run(reconciler.plan({ desired }));
    if (planned.plan === null) throw new Error(JSON.stringify(planned.diagnostics));
    return planned.plan;
  };
  const again = async (): Promise<RunResult> => {
    const planned = await site.clock.run(reconciler.plan({ desired }));
    if (planned.plan === null) throw new Error(JSON.stringify(planned.diagnostics));
    const { plan: next, reading } = planned;
    return site.clock.run(reconciler.apply({ plan: next, desired, reading, request: {} }));
  };
  site.controlPlane.setFaults(faults);
  const beginMs = site.clock.monotonicMs();
  const result = await again();
  return { site, result, seconds: (site.clock.monotonicMs() - beginMs) / 1000, plan, again };
}

const isWrite = (request: Request): boolean => request.method !== 'GET';
const isLog = (request: Request): boolean => request.method === 'GET' && request.url.includes('/operations');

async function changed(response: Response, change: (body: JsonObject) => JsonObject): Promise<Response> {
  return Response.json(change((await response.json()) as JsonObject), { status: response.status });
}

const failing = (action: string): FaultPlan => ({
  rules: [{ when: { action }, times: 'always', fault: { on: 'operation', kind: 'fail', applied: true } }],
});

describe('a step is not done', () => {
  it('before its own operation has ended, though another one of the reply failed first', async () => {
    const side = {
      id: 'side-operation',
      action: 'check_availability',
      status: 'error',
      project_id: SHOP,
      failures_count: 1,
    };
    const { result, seconds } = await run(
      RESIZED,
      () => (request, asItIs) =>
        isWrite(request)
          ? asItIs().then(async (response) =>
              changed(response, (body) => ({
                ...body,
                operations: [side, ...((body['operations'] as JsonObject[] | undefined) ?? [])] as never,
              })),
            )
          : null,
    );
    expect(result.status).toBe('incomplete');
    expect(result.steps).toMatchObject([{ outcome: 'failed' }]);
    expect(seconds).toBeGreaterThan(5);
  });

  it.each(['apply_config', 'start_compute', 'suspend_compute'])('when %s failed after a resize', async (action) => {
    const { result } = await run(RESIZED, () => () => null, failing(action));
    expect(result.status).toBe('incomplete');
  });

  it.each([0, 3, 8])('when its operation failed in a log that lags %s s', async (lagSeconds) => {
    const { result } = await run(
      RESIZED,
      (site) => {
        let writtenMs = Infinity;
        return (request, asItIs) => {
          const nowMs = site().clock.monotonicMs();
          if (isWrite(request)) writtenMs = nowMs;
          if (!isLog(request) || nowMs - writtenMs >= lagSeconds * 1000) return null;
          if (request.url.includes('/operations/')) return Response.json({ message: 'not found' }, { status: 404 });
          return changedOf(asItIs);
        };
      },
      failing('apply_config'),
    );
    expect(result.status).toBe('incomplete');
    expect(result.steps).toMatchObject([{ outcome: 'failed' }]);
  });

  it('when the log never shows its operation: then nobody knows', async () => {
    const { result, seconds } = await run(RESIZED, () => (request, asItIs) => {
      if (!isLog(request)) return null;
      if (request.url.includes('/operations/')) return Response.json({ message: 'not found' }, { status: 404 });
      return changedOf(asItIs);
    });
    expect(result.steps).toMatchObject([{ outcome: 'unknown' }]);
    expect(seconds).toBeLessThan(60);
  });

  it('when storage refused a longer history; the next plan shows it, and the next apply ends it', async () => {
    const { site, result, plan, again } = await run(KEPT_LONGER, () => () => null, failing('apply_storage_config'));
    expect(result.status).toBe('incomplete');
    expect((await plan()).changes).toMatchObject([{ action: 'update', origin: 'last_operation_failed' }]);
    site.controlPlane.setFaults({});
    expect((await again()).status).toBe('converged');
    expect((await plan()).changes).toMatchObject([{ action: 'none' }]);
  });
});

describe('a step is done', () => {
  it('when a client cancelled the suspension at its end', async () => {
    const { result } = await run(
      RESIZED,
      () => (request, asItIs) =>
        isWrite(request)
          ? asItIs().then(async (response) =>
              changed(response, (body) => ({
                ...body,
                operations: [
                  ...((body['operations'] as JsonObject[] | undefined) ?? []),
                  {
                    id: 'at-the-end',
                    action: 'suspend_compute',
                    status: 'cancelled',
                    project_id: SHOP,
                    failures_count: 0,
                  },
                ] as never,
              })),
            )
          : null,
    );
    expect(result.status).toBe('converged');
  });
});

/** The log without any operation. */
async function changedOf(asItIs: () => Promise<Response>): Promise<Response> {
  return changed(await asItIs(), (body) => ({ ...body, operations: [] }));
}
