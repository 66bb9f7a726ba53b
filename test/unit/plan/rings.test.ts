// Protects who has no way out of a ring: what is said, and what is never done without consent that can be told again.
import { expect, it } from 'vitest';
import { intent, planWith, REVOKED, saying } from './support/own-kind.ts';
import { database, planOfShop, role } from './support/whole-shop.ts';
import { planOf, shop, type World } from './support/world.ts';

const ring = (a: string, more: string = '', live: string = ''): ReturnType<typeof planOf> =>
  planOf(
    shop(
      `a: { branch: br-2${a} }, b: { id: ep-b, branch: br-1 }${more}`,
      `ep-a: { branch: br-1 }, ep-b: { branch: br-2 }${live}`,
    ),
  );

const VIA = 'lifecycle: { via: br-9 }';

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

/** A pair on br-1 and br-2 that changes places, its first compute by this slot, and a third compute `c` that is live on `there`. */
const besides = (via: string, c: string, there: string): ReturnType<typeof planOf> =>
  ring(`, id: ep-a, lifecycle: { via: ${via} }`, `, c: { id: ep-c, ${c} }`, `, ep-c: { branch: ${there} }`);

it.each([
  ['another move has still to leave', besides('br-9', 'branch: br-8', 'br-9')],
  [
    'a compute holds that could pass through, but only changes',
    besides('br-9', `branch: br-9, max: 2, ${VIA}`, 'br-9'),
  ],
  ['an earlier run left the compute on', besides('br-1', 'branch: br-3', 'br-3')],
])('a branch that %s is none to pass through', (_name, { diagnostics, changes }) => {
  expect(diagnostics.map(({ code }) => code)).toEqual(['ring']);
  expect(changes.flatMap(({ notes }) => notes.filter((one) => one.startsWith('moves through')))).toEqual([]);
});

it('a branch that an earlier run used to pass through, and that its compute leaves now, may be used again', () => {
  const { diagnostics, steps } = besides('br-9', `branch: br-8, ${VIA}`, 'br-9');
  expect(diagnostics).toEqual([]);
  expect(steps.find(({ id }) => id === 'detour:shop/a')?.needs).toEqual(['move:shop/c']);
});

it('the move that passes through another slot says so, and no other move does', () => {
  const { changes } = ring(', id: ep-a, lifecycle: { via: br-9 }');
  const words = 'moves through br-9 because the moves form a cycle: clients are interrupted twice';
  expect(changes.map(({ notes }) => notes)).toEqual([[words], []]);
});

it('names that two exchange have another way out', async () => {
  const branches = 'main: { databases: { a: { renamed_from: b, owner: r }, b: { renamed_from: a, owner: r } } }';
  const live = [role('main', 'r'), database('main', 'a', 'r'), database('main', 'b', 'r')];
  const hint = 'Rename one of the resources to an unused name, apply, then rename that resource to its final name.';
  const { diagnostics } = await planOfShop({ branches, live });
  expect(diagnostics).toMatchObject([{ severity: 'error', code: 'ring', hint }]);
});

it('a slot that is kept is told with who keeps it, and what to do', () => {
  const held = (b: string): unknown[] =>
    planOf(shop(`a: { id: ep-a, branch: br-2 }${b}`, 'ep-a: { branch: br-1 }, ep-b: { branch: br-2 }')).diagnostics.map(
      ({ code, hint, related }) => [code, hint, related?.map(({ message }) => message)],
    );
  const adopt = 'Write id: ep-b to adopt the live resource, or declare the live resource with state: absent.';
  expect(held('')).toEqual([['place_held', adopt, undefined]]);
  const either = 'Move or remove one of the two resources.';
  expect(held(', b: { branch: br-2 }')).toEqual([['place_held', either, ['shop/b is declared here']]]);
});

it('a resource that leaves its slot only when it is due keeps the slot in a run without --due', () => {
  const leaves = saying(({ live }) => ({
    intents: live?.id === 'ep-b' ? [intent('revoke', live, { due: true })] : [],
  }));
  const world = (due: boolean): World =>
    shop('a: { id: ep-a, branch: br-2 }, b: { branch: br-2 }', 'ep-a: { branch: br-1 }, ep-b: { branch: br-2 }', {
      input: { due },
    });
  expect(planWith({ ...REVOKED, ...leaves }, world(false)).diagnostics.map(({ code }) => code)).toEqual(['place_held']);
  const { steps } = planWith({ ...REVOKED, ...leaves }, world(true));
  expect(steps.map(({ id, needs }) => [id, ...needs])).toEqual([['move:shop/a', 'revoke:shop/b'], ['revoke:shop/b']]);
});
