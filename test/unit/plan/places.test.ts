// Places of capacity one: rings, detours, and the question whether something moved or is new.
import { describe, expect, it } from 'vitest';
import { dedent, planText } from './support/plan-text.ts';
import { planOf, type World } from './support/world.ts';

const swap = (via: string): World => ({
  file: `
shop:
  computes:
    a: { id: ep-a, branch: br-2${via} }
    b: { id: ep-b, branch: br-1, max: 2 }`,
  live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2, max: 1 } }',
});

/** What is refused leaves no place. */
const swapMoves = (outages: string): string => `
      move shop/a ep-a [${outages} drops_connections cold_start]
        branch_id: br-1 → br-2
      move shop/b ep-b [${outages} drops_connections cold_start]
        autoscaling_limit_max_cu: 1 → 2 !
        branch_id: br-2 → br-1`;

it.each<[string, World, string]>([
  [
    'go through an empty branch that a member names',
    swap(', lifecycle: { via: br-9 }'),
    `${swapMoves('no_primary other_data')}
      steps
        detour:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{branch_id:br-9}}
        move:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{branch_id:br-2}} after detour:shop/a, move:shop/b
        move:shop/b PATCH /projects/shop-1/endpoints/ep-b {endpoint:{autoscaling_limit_max_cu:2,branch_id:br-1}} after detour:shop/a`,
  ],
  [
    'two of them through one branch, one after the other',
    {
      file: `
shop:
  computes:
    a: { id: ep-a, branch: br-2, lifecycle: { via: br-9 } }
    b: { id: ep-b, branch: br-1 }
    c: { id: ep-c, branch: br-4, lifecycle: { via: br-9 } }
    d: { id: ep-d, branch: br-3 }`,
      live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 }, ep-c: { branch: br-3 }, ep-d: { branch: br-4 } }',
    },
    `
      move shop/a ep-a [no_primary other_data drops_connections cold_start]
        branch_id: br-1 → br-2
      move shop/b ep-b [no_primary other_data drops_connections cold_start]
        branch_id: br-2 → br-1
      move shop/c ep-c [no_primary other_data drops_connections cold_start]
        branch_id: br-3 → br-4
      move shop/d ep-d [no_primary other_data drops_connections cold_start]
        branch_id: br-4 → br-3
      steps
        detour:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{branch_id:br-9}}
        detour:shop/c PATCH /projects/shop-1/endpoints/ep-c {endpoint:{branch_id:br-9}} after move:shop/a
        move:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{branch_id:br-2}} after detour:shop/a, move:shop/b
        move:shop/b PATCH /projects/shop-1/endpoints/ep-b {endpoint:{branch_id:br-1}} after detour:shop/a
        move:shop/c PATCH /projects/shop-1/endpoints/ep-c {endpoint:{branch_id:br-4}} after detour:shop/c, move:shop/d
        move:shop/d PATCH /projects/shop-1/endpoints/ep-d {endpoint:{branch_id:br-3}} after detour:shop/c`,
  ],
])('rings of moves: %s', (_name, world, plan) => {
  expect(planText(planOf(world))).toBe(dedent(plan));
});

it.each([
  [1, 'ep-1 (the read_write compute of br-1)'],
  [
    5,
    'ep-1 (the read_write compute of br-1), ep-2 (the read_write compute of br-2), ep-3 (the read_write compute of br-3), ep-4 (the read_write compute of br-4) and ep-5 (the read_write compute of br-5)',
  ],
  [
    7,
    'ep-1 (the read_write compute of br-1), ep-2 (the read_write compute of br-2), ep-3 (the read_write compute of br-3), ep-4 (the read_write compute of br-4), ep-5 (the read_write compute of br-5) and 2 more',
  ],
])('unlisted primaries beside one that is made are named, five of %i at most', (count, names) => {
  const live = Array.from({ length: count }, (_, at) => `ep-${at + 1}: { branch: br-${at + 1} }`);
  const { diagnostics } = planOf({
    file: 'shop: { unmanaged_ok: [ep-ok, br-ok], computes: { fresh: { branch: br-0 } } }',
    live: `shop: { ${live.join(', ')}, ep-ok: { branch: br-8 }, ep-other: { branch: br-ok }, ep-r: { branch: br-1, type: read_only } }`,
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    `shop/fresh will be created, although no file lists ${names}`,
  ]);
});

describe('prune', () => {
  const live = `
shop:
  ep-a: { branch: br-1 }
  ep-b: { branch: br-1, type: read_only }
  ep-c: { branch: br-2, type: read_only }
  ep-d: { branch: br-3, type: read_only }`;
  const deleted = (prune: string, more: string = ''): string[] =>
    planOf({ file: `shop: { prune: ${prune}${more}, computes: { a: { branch: br-1 } } }`, live }).steps.map(
      ({ id }) => id,
    );

  it.each<[string, string, string, string[]]>([
    ['false', 'false', '', []],
    ['true', 'true', '', ['delete:shop/ep-b', 'delete:shop/ep-c', 'delete:shop/ep-d']],
    ['within branches', '{ branch_id: [br-1, br-2] }', '', ['delete:shop/ep-b', 'delete:shop/ep-c']],
    ['within branches and types', '{ branch_id: [br-2], type: [read_write] }', '', []],
    ['not what is accepted, by id or branch', 'true', ', unmanaged_ok: [ep-b, br-2]', ['delete:shop/ep-d']],
  ])('%s', (_name, prune, more, ids) => {
    expect(deleted(prune, more)).toEqual(ids);
  });

  it('is not even offered for what is accepted, known or not', () => {
    const { unmanaged } = planOf({
      file: 'shop: { unmanaged_ok: [ep-odd, br-9], computes: {} }',
      live: 'shop: { ep-odd: { branch: br-1, type: turbo }, ep-new: { branch: br-1, type: turbo }, ep-x: { branch: br-9 } }',
    });
    expect(unmanaged.map(({ id }) => id)).toEqual(['ep-new']);
  });

  it('never deletes for a file that lists nothing', () => {
    const plan = planOf({ file: 'shop: { prune: true }', live });
    expect(plan.steps).toEqual([]);
    expect(plan.unmanaged.some(({ pruned }) => pruned)).toBe(false);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['prune_of_everything']);
  });
});
