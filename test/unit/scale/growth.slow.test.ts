// How the work grows with the fleet, as counts of what is asked and compared: never as time, which depends on the machine.
import { describe, expect, it } from 'vitest';
import { computeRules } from '../../../src/kinds/compute/rules/rules.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { crowdInput, fleetInput } from '../../bench/support/plan-input.mjs';

/** Counts every question that planning asks of the kind. */
function counting(): { readonly rules: KindRules; readonly asked: () => number } {
  let asked = 0;
  const rules = new Proxy(computeRules, {
    get(target, name, receiver): unknown {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        asked++;
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { rules, asked: () => asked };
}

type Input = typeof fleetInput;

function questions(input: Input, count: number): number {
  const { rules, asked } = counting();
  const plan = makePlan(input(rules, count));
  expect(plan.changes).toHaveLength(count);
  return asked();
}

describe('planning', () => {
  it('asks ten times as much for ten times the fleet', () => {
    expect(questions(fleetInput, 2000) / questions(fleetInput, 200)).toBeLessThanOrEqual(10.1);
  });

  it('asks at most 100 questions a compute', () => {
    expect(questions(fleetInput, 200) / 200).toBeLessThanOrEqual(100);
  });

  it('compares each replica of a crowded branch with each declaration once: four times as much for twice the crowd', () => {
    expect(questions(crowdInput, 80) / questions(crowdInput, 40)).toBeLessThanOrEqual(4.1);
  });
});
