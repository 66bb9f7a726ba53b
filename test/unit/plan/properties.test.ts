// What holds for every plan, over random worlds.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson, stringifyJson, type JsonObject } from '../../../src/base/json.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { PlanFile } from '../../../src/model/generated/validators.js';
import type { PlanInput } from '../../../src/plan/input.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan } from '../../../src/plan/json/saved-plan.ts';
import { runs } from '../../support/property-runs.ts';
import { planText } from './support/plan-text.ts';
import { liveState, randomInput } from './support/random-world.ts';
import { carryOut, linearise, smallWorld } from './support/small-world.ts';
import { recordOf } from './support/world.ts';

const RUNS = runs(120);
const stamp = { timestamp: '2026-11-20T12:00:00Z', toolVersion: '0', expiresInMs: null };
const picks = fc.array(fc.nat(1000), { minLength: 1, maxLength: 12 });

const isRefused = (plan: Plan): boolean => plan.diagnostics.some(({ severity }) => severity === 'error');
const differences = (plan: Plan): string[] =>
  plan.changes.filter(({ action }) => action !== 'none').map(({ action, address }) => `${action} ${address}`);

/** Carries out the first `count` steps (all without it) in some allowed order. */
function applied(input: PlanInput, plan: Plan, order: readonly number[], count?: number): PlanInput {
  let world = smallWorld(input.live.resources);
  const made: JsonObject[] = [];
  for (const step of linearise(plan.steps, order).slice(0, count)) {
    world = carryOut(world, step);
    const { address, expects } = step;
    // What the journal says of a creation that was answered.
    if (expects.state === 'absent')
      made.push({ address, pool: expects.joins.where, known: [], id: `ep-made-${world.made}`, over: true, at_ms: 0 });
  }
  return { ...input, live: { ...liveState(world.resources), facts: new Map([['compute', { made }]]) } };
}

describe('every plan', () => {
  it('never lets a branch have two primaries, in any allowed order, and leaves nothing to do', () => {
    fc.assert(
      fc.property(randomInput, picks, (input, order) => {
        const plan = makePlan(input);
        if (isRefused(plan)) expect(plan.steps).toEqual([]);
        const after = makePlan(applied(input, plan, order));
        if (!isRefused(plan) && plan.summary.blocked === 0) expect(differences(after), planText(plan)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('can be taken up again wherever it broke off', () => {
    fc.assert(
      fc.property(randomInput, picks, fc.nat(6), (input, order, count) => {
        const plan = makePlan(input);
        fc.pre(!isRefused(plan) && plan.summary.blocked === 0);
        const broken = applied(input, plan, order, count);
        const again = makePlan(broken);
        fc.pre(again.summary.blocked === 0);
        expect(
          again.diagnostics.filter(({ severity }) => severity === 'error'),
          planText(plan),
        ).toEqual([]);
        expect(differences(makePlan(applied(broken, again, order))), planText(again)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('is the same, byte for byte, for shuffled inputs', () => {
    const shuffled = randomInput.chain((input) =>
      fc.record({
        input: fc.constant(input),
        resources: fc.shuffledSubarray([...input.desired.resources], { minLength: input.desired.resources.length }),
        live: fc.shuffledSubarray([...input.live.resources], { minLength: input.live.resources.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ input, resources, live }) => {
        const other = makePlan({
          ...input,
          desired: { ...input.desired, resources },
          live: { ...input.live, resources: live },
        });
        const written = { ...stamp, record: recordOf(input) };
        expect(stringifyJson(planToJson(other, written))).toBe(stringifyJson(planToJson(makePlan(input), written)));
      }),
      RUNS,
    );
  });

  it('touches nothing that is unmanaged and not pruned, and no held or ignored value', () => {
    fc.assert(
      fc.property(randomInput, (input) => {
        const plan = makePlan(input);
        for (const { id, pruned } of plan.unmanaged)
          if (!pruned) expect(plan.steps.filter(({ path }) => path.endsWith(`/${id}`))).toEqual([]);
        for (const change of plan.changes) {
          const { lifecycle } = input.desired.resources.find(({ address }) => address === change.address) ?? {};
          if (change.action !== 'update' && change.action !== 'move') continue;
          const kept = [...change.held.map(({ path }) => path), ...(lifecycle?.ignore ?? [])];
          const bodies = plan.steps
            .filter(({ address }) => address === change.address)
            .map(({ body }) => JSON.stringify(body));
          for (const path of kept) expect(bodies.join()).not.toContain(path);
        }
      }),
      RUNS,
    );
  });

  it('refuses each ring, or resolves it as a member consents', () => {
    fc.assert(
      fc.property(randomInput, (input) => {
        const plan = makePlan(input);
        const detoured = plan.steps.filter(({ id }) => id.startsWith('detour:')).map(({ address }) => address);
        for (const address of detoured)
          expect(input.desired.resources.find((one) => one.address === address)?.lifecycle.via ?? null).not.toBeNull();
        expect(() => linearise(plan.steps, [0])).not.toThrow();
      }),
      RUNS,
    );
  });

  it('deletes only what is declared absent, replaced or pruned', () => {
    fc.assert(
      fc.property(randomInput, (input) => {
        const plan = makePlan(input);
        const { prune } = input.desired.projects[0] ?? {};
        for (const step of plan.steps.filter(({ method }) => method === 'DELETE')) {
          const desired = input.desired.resources.find(({ address }) => address === step.address);
          expect(desired === undefined ? prune !== false : desired.absent || step.needs.length > 0).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('says what waits for what, and no more', () => {
    fc.assert(
      fc.property(randomInput, (input) => {
        const { steps } = makePlan(input);
        const byId = new Map(steps.map((step) => [step.id, step]));
        const reach = (id: string, seen = new Set<string>()): Set<string> => {
          for (const need of byId.get(id)?.needs ?? []) if (!seen.has(need)) reach(need, seen.add(need));
          return seen;
        };
        for (const { needs } of steps)
          for (const need of needs) {
            expect(byId.has(need)).toBe(true);
            expect(needs.some((other) => other !== need && reach(other).has(need))).toBe(false);
          }
      }),
      RUNS,
    );
  });

  it('goes through JSON unharmed', () => {
    fc.assert(
      fc.property(randomInput, (input) => {
        const plan = makePlan(input);
        const json = planToJson(plan, { ...stamp, record: recordOf(input) });
        expect(PlanFile(json), JSON.stringify(PlanFile.errors)).toBe(true);
        const read = openPlan(parseJson(stringifyJson(json)), { kinds: input.kinds, toolVersion: stamp.toolVersion });
        expect('plan' in read ? read.plan.steps : read.problem).toEqual(plan.steps);
      }),
      runs(100),
    );
  });
});
