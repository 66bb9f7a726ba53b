// Protects who has no way out of a ring: what is said, and what is never done without consent that can be told again.
import { expect, it } from 'vitest';
import { planOf, shop } from './support/world.ts';

const ring = (a: string, more: string = '', live: string = ''): ReturnType<typeof planOf> =>
  planOf(
    shop(
      `a: { branch: br-2${a} }, b: { id: ep-b, branch: br-1 }${more}`,
      `ep-a: { branch: br-1 }, ep-b: { branch: br-2 }${live}`,
    ),
  );

it.each<[string, string, string]>([
  ['names no branch', ', id: ep-a', ''],
  ['names a branch that is taken', ', id: ep-a, lifecycle: { via: br-9 }', ', ep-9: { branch: br-9 }'],
  [
    'has no id, for by moved_from alone it could not be told on its way',
    ', moved_from: br-1, lifecycle: { via: br-9 }',
    '',
  ],
])('is refused with a way out where the one that shall pass through %s', (_, a, live) => {
  const plan = ring(a, '', live);
  expect(plan.steps).toEqual([]);
  const hint = 'Write the id: and lifecycle.via on one of the moves; lifecycle.via names a branch without a primary.';
  expect(plan.diagnostics).toMatchObject([
    { severity: 'error', code: 'ring', address: 'shop/a', hint, related: [{ range: { start: { line: 3 } } }] },
  ]);
});

it.each([
  ['where it begins', 'br-1'],
  ['where it ends', 'br-2'],
])('a branch to pass through that is the one %s is none', (_, via) => {
  const plan = ring(`, id: ep-a, lifecycle: { via: ${via} }`);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(['ring']);
});

it('one that an earlier run left on its way through goes on to its place', () => {
  const plan = planOf(
    shop(
      'a: { id: ep-a, branch: br-2, lifecycle: { via: br-9 } }, b: { id: ep-b, branch: br-1 }',
      'ep-a: { branch: br-9 }, ep-b: { branch: br-2 }',
    ),
  );
  expect(plan.diagnostics).toEqual([]);
  expect(plan.steps.map(({ id, needs }) => [id, ...needs])).toEqual([['move:shop/a', 'move:shop/b'], ['move:shop/b']]);
});

it('is told at a member that is selected', () => {
  const plan = planOf(
    shop(
      'a: { id: ep-a, branch: br-2 }, b: { id: ep-b, branch: br-1 }',
      'ep-a: { branch: br-1 }, ep-b: { branch: br-2 }',
      { input: { target: ['shop/b'] } },
    ),
  );
  expect(plan.diagnostics).toMatchObject([{ code: 'ring', address: 'shop/b' }]);
});

it('a branch to pass through may be taken for good by somebody afterwards, whatever their names', () => {
  const { diagnostics, steps } = planOf(
    shop(
      'k: { id: ep-k, branch: br-2, lifecycle: { via: br-9 } }, l: { id: ep-l, branch: br-1 }, a: { branch: br-9, new: true }',
      'ep-k: { branch: br-1 }, ep-l: { branch: br-2 }',
    ),
  );
  const needs = Object.fromEntries(steps.map((step) => [step.id, step.needs]));
  expect(diagnostics).toEqual([]);
  expect(needs).toMatchObject({ 'create:shop/a': ['move:shop/k'], 'detour:shop/k': [] });
});
