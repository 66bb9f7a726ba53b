// Identity: which live resource a declaration is, and the words that say why.
import { describe, expect, it } from 'vitest';
import { dedent, planText } from './support/plan-text.ts';
import { planOf, type World } from './support/world.ts';

function matches(world: World): string[] {
  return planOf(world).changes.map(({ address, resourceId, matchedBy }) => `${address} = ${resourceId}: ${matchedBy}`);
}

describe('matching', () => {
  it.each<[string, World, string[]]>([
    [
      'a pin, a place, and the only replica',
      {
        file: 'shop: { computes: { a: { id: ep-c, branch: br-2 }, b: { branch: br-1 }, c: { branch: br-1, type: read_only } } }',
        live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-1, type: read_only }, ep-c: { branch: br-2 } }',
      },
      [
        'shop/a = ep-c: pinned id',
        'shop/b = ep-a: the read_write compute of br-1',
        'shop/c = ep-b: a read_only compute of br-1, the only candidate left',
      ],
    ],
    [
      'a pinned one is not taken by the declaration of its place',
      {
        file: 'shop: { computes: { a: { branch: br-1, new: true }, b: { id: ep-1, branch: br-2 } } }',
        live: 'shop: { ep-1: { branch: br-1 } }',
      },
      ['shop/a = null: no live resource matches', 'shop/b = ep-1: pinned id'],
    ],
  ])('%s', (_name, world, expected) => {
    expect(matches(world)).toEqual(expected);
  });

  it.each<[string, World, string]>([
    [
      'a stale pin falls through with a warning',
      {
        file: 'shop: { computes: { a: { id: ep-gone, branch: br-1, type: read_write, max: 2 } } }',
        live: 'shop: { ep-1: { branch: br-1, max: 1 } }',
      },
      `
      update shop/a ep-1 [drops_connections]
        autoscaling_limit_max_cu: 1 → 2 !
      steps
        update:shop/a PATCH /projects/shop-1/endpoints/ep-1 {endpoint:{autoscaling_limit_max_cu:2}}
      warning stale_pin (line 2): ep-gone does not exist, so shop/a is matched without its id`,
    ],
    [
      'a stale pin of a protected one is blocked',
      {
        file: 'shop: { computes: { a: { id: ep-gone, branch: br-1, type: read_write, max: 2, lifecycle: { protect: true } } } }',
        live: 'shop: { ep-1: { branch: br-1, max: 1 } }',
      },
      `
      update shop/a ep-1 [drops_connections] blocked by stale_pin
        autoscaling_limit_max_cu: 1 → 2 !
      warning stale_pin (line 2): ep-gone does not exist, so shop/a is matched without its id`,
    ],
    [
      'a pin to another project is stale here',
      {
        file: 'shop: { computes: { a: { id: ep-1, branch: br-1, type: read_write } } }',
        live: 'shop: {}\nblog: { ep-1: { branch: br-9 } }',
      },
      `
      create shop/a
      steps
        create:shop/a POST /projects/shop-1/endpoints {endpoint:{branch_id:br-1,type:read_write}}
      warning stale_pin (line 2): ep-1 belongs to blog, and no live resource matches shop/a`,
    ],
    [
      'one claimed twice is an error at both places, and nothing is done',
      {
        file: 'shop: { computes: { a: { id: ep-1, branch: br-1, max: 2 }, b: { id: ep-1, branch: br-1 } } }',
        live: 'shop: { ep-1: { branch: br-1, max: 1 } }',
      },
      `
      update shop/a ep-1 [drops_connections]
        autoscaling_limit_max_cu: 1 → 2 !
      error claimed_twice (line 3): ep-1 is claimed by shop/a and by shop/b`,
    ],
    [
      'two primaries on a branch: a warning where it does not, and prune leaves them alone',
      {
        file: 'shop: { prune: true, computes: { b: { branch: br-2, max: 2 } } }',
        live: 'shop: { ep-1: { branch: br-1 }, ep-2: { branch: br-1 }, ep-3: { branch: br-2, max: 2 } }',
      },
      `
      warning crowded_place: only one live resource can be the primary of br-1, but the account has ep-1 and ep-2; trueup changes none of these resources`,
    ],
    [
      'an unknown type is neither matched nor pruned',
      {
        file: 'shop: { prune: true, computes: { a: { branch: br-1, type: read_only } } }',
        live: 'shop: { ep-1: { branch: br-1, type: read_only }, ep-2: { branch: br-1, type: turbo } }',
      },
      `
      warning unknown_type: ep-2 is neither matched nor pruned: this version of trueup does not know its type`,
    ],
    [
      'a pin without a branch that is gone cannot be made anew',
      { file: 'shop: { computes: { a: { id: ep-gone, max: 2 } } }', live: 'shop: {}' },
      `
      error cannot_create (line 2): shop/a does not exist, and cannot be created without branch_id and type
      warning stale_pin (line 2): ep-gone does not exist, and no live resource matches shop/a`,
    ],
  ])('%s', (_name, world, plan) => {
    expect(planText(planOf(world))).toBe(dedent(plan));
  });
});
