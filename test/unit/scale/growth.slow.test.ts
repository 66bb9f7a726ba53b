// How the work grows with the fleet, as counts of what is asked and compared: never as time, which depends on the machine.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { crowdInput, fleetInput } from './plan-input.ts';

/** Counts every question that planning asks of the kind. */
function counting(): { readonly rules: KindRules; readonly asked: () => number } {
  let asked = 0;
  const rules = new Proxy(compute, {
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

function omitted<T extends object>(spec: T, name: string): T {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => key !== name)) as T;
}

const withoutPoolers: Input = (rules, count) => {
  const { live, ...input } = crowdInput(rules, count);
  const resources = live.resources.map((one) => ({ ...one, spec: omitted(one.spec, 'pooler_enabled') }));
  return { ...input, live: { ...live, resources } };
};

describe('planning', () => {
  it('asks ten times as much for ten times the fleet', () => {
    expect(questions(fleetInput, 2000) / questions(fleetInput, 200)).toBeLessThanOrEqual(10.1);
  });

  it('asks at most 100 questions a compute', () => {
    expect(questions(fleetInput, 200) / 200).toBeLessThanOrEqual(100);
  });

  it.each([
    ['that lists show whole', crowdInput],
    ['of which lists leave a member out', withoutPoolers],
  ])('asks twice as much for twice the replicas of a branch, %s', (_what, input) => {
    expect(questions(input, 400) / questions(input, 200)).toBeLessThanOrEqual(2.1);
  });
});
