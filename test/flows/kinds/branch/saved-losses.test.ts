// Saved plans with losses that anybody may have made: what they say of themselves consents to nothing, and permits nothing.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { kinds } from '../../../../src/kinds/index.ts';
import type { SafetyLimits } from '../../../../src/model/desired.ts';
import type { Plan } from '../../../../src/model/outcome/plan.ts';
import { judgedAgain } from '../../../../src/plan/guard/judge-again.ts';
import { planToJson } from '../../../../src/plan/json/plan-json.ts';
import { openPlan } from '../../../../src/plan/json/saved-plan.ts';
import { planOfRecord, type PlanRecord } from '../../../../src/plan/make-plan.ts';
import { allowed, openSite, type Site } from '../../../support/site.ts';
import { NO_LIMITS } from '../../../unit/plan/support/world.ts';
import { COMPUTE, MAIN, MAIN_BRANCH, shopWorld } from '../../../support/shop.ts';

const NAMES = ['tmp-a', 'tmp-b', 'tmp-c'];

function shop(): Site {
  const made = NAMES.map((name, at) => ({ id: `br-tmp-${at}`, name, parent_id: MAIN }));
  const computes = ['ep-misty-pond-300001', COMPUTE].map((id) => ({ id, branch: 'main', type: 'read_only' }) as const);
  return openSite({ seed: shopWorld({ branches: [MAIN_BRANCH, ...made], computes }) });
}

const operators = (own: Partial<SafetyLimits>): SafetyLimits => ({ ...NO_LIMITS, ...own, isOperators: true });

/** The plan of `yaml` as it is saved, under these limits of the operator, and perhaps with another reading than was made. */
async function saved(
  site: Site,
  yaml: string,
  allow: readonly string[],
  {
    limits = [],
    forged = (record) => record,
  }: { limits?: readonly SafetyLimits[]; forged?: (of: PlanRecord) => PlanRecord } = {},
): Promise<Json> {
  const { record } = await site.outcome(yaml, allow);
  if (record === null) throw new Error('there is no plan');
  const { desired } = record.input;
  const input = { ...record.input, desired: { ...desired, safety: [...desired.safety, ...limits] } };
  const other = forged({ ...record, input });
  const stamp = { timestamp: '2026-01-01T00:00:00.000Z', toolVersion: '1', expiresInMs: null };
  return planToJson(planOfRecord(other, kinds), { ...stamp, record: other });
}

function opened(json: Json, limits: readonly SafetyLimits[], allow: readonly string[], isSigned = false): Plan {
  const read = openPlan(json, { kinds, toolVersion: '1' });
  if ('problem' in read) throw new Error(read.problem);
  const judged = judgedAgain(read, { limits, allow: allowed(allow), isSigned }, kinds);
  if (judged === null) throw new Error('it would do what it does not show');
  return judged.plan;
}

const stepsOf = (plan: Plan): string[] => plan.steps.map(({ id }) => id).sort();
const absent = (more: string = ''): string =>
  `version: 1
projects:
  shop:
    branches: { ${NAMES.map((name) => `${name}: { state: absent${more} }`).join(', ')} }
    computes:
      r1: { id: ep-misty-pond-300001, branch_id: br-wispy-meadow-118737, type: read_only, state: absent }
      r2: { id: ep-cool-darkness-123456, branch_id: br-wispy-meadow-118737, type: read_only, state: absent }`;
const REPLICAS = ['delete:shop/r1', 'delete:shop/r2'];

describe('a plan that nobody signed', () => {
  it('permits no drops by the limits that it says the operator set', async () => {
    const drops = ['drop:shop/branches/tmp-*'];
    const json = await saved(shop(), absent(), drops, { limits: [operators({ maxDrops: 5 })] });
    expect(opened(json, [], drops).limitsExceeded).toMatchObject([{ limit: 'max_drops', allowed: 1, planned: 3 }]);
    expect(opened(json, [operators({ maxDeletes: 9 })], drops).steps).toEqual([]);
    expect(opened(json, [operators({ maxDrops: 3 })], drops).steps.length).toBe(5);
    expect(opened(json, [], drops, true).steps.length).toBe(5);
  });

  it('is lifted over a limit by what is allowed now, and is refused where a loss is allowed that it does not show', async () => {
    const one = 'drop:shop/branches/tmp-a';
    const json = await saved(shop(), absent(), [one, ...REPLICAS]);
    const limits = [operators({ maxDeletes: 0 })];
    expect(stepsOf(opened(json, limits, [one, ...REPLICAS]))).toEqual(['delete:shop/branches/tmp-a', ...REPLICAS]);
    const now = [one, 'drop:shop/branches/tmp-b', ...REPLICAS];
    expect(() => opened(json, limits, now)).toThrow('it would do what it does not show');
  });

  it('drops no branch that only its own reading shows as disposable', async () => {
    const site = shop();
    const made: PlanRecord[] = [];
    const json = await saved(site, absent(', disposable: true'), [], {
      forged: (record) => {
        made.push(record);
        const { live } = record.input;
        const resources = live.resources.map((one) =>
          one.kind === 'branch' ? { ...one, marks: { disposable: 'true' } } : one,
        );
        return { ...record, input: { ...record.input, live: { ...live, resources } } };
      },
    });
    const plan = opened(json, [], []);
    expect(stepsOf(plan)).toContain('delete:shop/branches/tmp-a');
    const { result, sent } = await site.saved(plan, { ...(made[0] && { record: made[0] }) });
    expect(result.status).toBe('stale');
    expect(sent.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });
});
