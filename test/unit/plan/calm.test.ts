// What is as it shall be takes a short way through planning: it must come out as the whole comparison would have it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tellingOf } from '../../../src/model/plan.ts';
import { isCalm, withCalm } from '../../../src/plan/calm.ts';
import { draftsOf } from '../../../src/plan/draft-change.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { matchScope } from '../../../src/plan/matching.ts';
import { contextOf, scopesOf } from '../../../src/plan/scope.ts';
import { liveState, randomInput } from './support/random-world.ts';
import { carryOut, linearise, smallWorld } from './support/small-world.ts';
import { planOf } from './support/world.ts';

/** The same wish, with everything done that could be: most of it is calm then. */
function carriedOut(input: PlanInput): PlanInput {
  const world = linearise(makePlan(input).steps, [0]).reduce(carryOut, smallWorld(input.live.resources));
  return { ...input, live: liveState(world.resources) };
}

it('gives the change that the whole comparison gives, and there is nothing else to say', () => {
  let calm = 0;
  fc.assert(
    fc.property(randomInput, (input) => {
      for (const scope of scopesOf(carriedOut(input), () => true).scopes)
        for (const binding of matchScope(scope, () => null).bindings) {
          if (!isCalm(scope, binding, contextOf(scope))) continue;
          calm++;
          const whole = draftsOf(scope, binding);
          expect(whole.drafts.map(({ change }) => change)).toEqual(withCalm([{ scope, bindings: [binding] }], []));
          expect([...whole.diagnostics, ...whole.unread]).toEqual([]);
        }
    }),
    { numRuns: 40 },
  );
  // The comparison would be worth nothing if nothing were calm.
  expect(calm).toBeGreaterThan(10);
});

it('stands among the other changes in order of address, and what has something to say is known apart', () => {
  const plan = planOf({
    file: `shop:
  computes:
    a: { branch: br-1, max: 2 }
    b: { branch: br-2, max: 2 }
    c: { branch: br-3, max: 2 }`,
    live: `shop:
  ep-1: { branch: br-1, max: 2 }
  ep-2: { branch: br-2, max: 1 }
  ep-3: { branch: br-3, max: 2 }`,
  });
  expect(plan.changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
    'none shop/a',
    'update shop/b',
    'none shop/c',
  ]);
  expect(tellingOf(plan).map(({ address }) => address)).toEqual(['shop/b']);
  expect(tellingOf({ ...plan })).toEqual(tellingOf(plan));
  expect(plan.summary).toMatchObject({ update: 1, unchanged: 2 });
});

it('holds for every plan: only what is calm has nothing to say', () => {
  fc.assert(
    fc.property(randomInput, (input) => {
      const plan = makePlan(input);
      const known = tellingOf(plan);
      const looked = tellingOf({ ...plan });
      expect(known).toEqual(looked);
      expect(plan.changes.map(({ address }) => address)).toEqual(plan.changes.map(({ address }) => address).toSorted());
    }),
    { numRuns: 40 },
  );
});

it('makes the plan that a look at all of each scope makes', () => {
  let still = 0;
  fc.assert(
    fc.property(randomInput, fc.boolean(), (input, done) => {
      const asked = done ? carriedOut(input) : input;
      const plan = makePlan(asked);
      // A kind that surveys what is live has every scope looked at as a whole.
      const whole = makePlan({ ...asked, kinds: asked.kinds.map((kind) => ({ ...kind, survey: () => [] })) });
      expect({ ...plan }).toEqual({ ...whole });
      if (plan.summary.unchanged > 0) still++;
    }),
    { numRuns: 60 },
  );
  expect(still).toBeGreaterThan(5);
});
