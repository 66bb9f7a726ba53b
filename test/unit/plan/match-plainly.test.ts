// A scope in which each declaration names a place that one live resource holds is matched at once: as the whole matching would have it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Binding } from '../../../src/plan/claims.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { matchPlainly } from '../../../src/plan/match-plainly.ts';
import { matchFully, matchScope, type Matching } from '../../../src/plan/matching.ts';
import { scopesOf } from '../../../src/plan/scope.ts';
import { randomInput } from './support/random-world.ts';

/** The wish without what makes a scope more than plain, in most of its declarations. */
function plainPart(input: PlanInput, twice: boolean): PlanInput {
  const places = new Set(input.live.resources.map(({ spec }) => spec['branch_id']));
  const resources = input.desired.resources
    .filter(({ spec }) => spec['type'] === 'read_write' && places.has(spec['branch_id'] ?? null))
    .map((resource) => ({ ...resource, pin: null, movedFrom: null, absent: false }));
  // Two that name one place are no plain scope.
  const twins = resources.slice(0, twice ? 1 : 0).map((one) => ({ ...one, address: `${one.address}-twin` }));
  return { ...input, desired: { ...input.desired, resources: [...resources, ...twins] } };
}

function said({ bindings, ...rest }: Matching): unknown {
  const words = ({ desired, live, matchedBy, companions, stalePin, successor, frozen }: Binding): unknown => [
    [desired, live, matchedBy],
    [companions, stalePin, successor, frozen],
  ];
  return { ...rest, bindings: bindings.map(words) };
}

it('gives what the whole matching gives', () => {
  let plain = 0;
  let others = 0;
  fc.assert(
    fc.property(randomInput, fc.constantFrom('as it is', 'plain', 'plain', 'twice'), (input, form) => {
      const asked = form === 'as it is' ? input : plainPart(input, form === 'twice');
      for (const scope of scopesOf(asked, () => true).scopes) {
        const known = scope.live.filter((live) => scope.rules.known(live));
        if (scope.desired.length > 0 && matchPlainly(scope, known) !== null) plain++;
        else others++;
        expect(said(matchScope(scope, () => null))).toEqual(said(matchFully(scope, () => null)));
      }
    }),
    { numRuns: 160 },
  );
  // The comparison would be worth nothing if it were always the same one.
  expect(plain).toBeGreaterThan(10);
  expect(others).toBeGreaterThan(10);
});
