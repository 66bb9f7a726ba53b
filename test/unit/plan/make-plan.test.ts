// What the planner makes of a file and a world: creates, updates, moves, replacements and deletions.
import { expect, it } from 'vitest';
import { dedent, planText } from './support/plan-text.ts';
import { planOf, type World } from './support/world.ts';

interface Case extends World {
  readonly name: string;
  readonly plan: string;
}

const cases: Case[] = [
  {
    name: 'creates what is not there, also next to others',
    file: 'shop: { computes: { primary: { branch: br-1, min: 1, max: 2 }, reader: { branch: br-1, type: read_only } } }',
    live: 'shop: {}',
    plan: `
      create shop/primary
      create shop/reader
      steps
        create:shop/primary POST /projects/shop-1/endpoints {endpoint:{branch_id:br-1,type:read_write,autoscaling_limit_min_cu:1,autoscaling_limit_max_cu:2}}
        create:shop/reader POST /projects/shop-1/endpoints {endpoint:{branch_id:br-1,type:read_only,name:reader}}`,
  },
  {
    name: 'sends only what changes, with the settings that nobody manages',
    file: 'shop: { computes: { primary: { branch: br-1, max: 4, pooler_enabled: true, settings: { pg_settings: { work_mem: 64MB } } } } }',
    live: 'shop: { ep-a: { branch: br-1, min: 1, max: 2, pooler_enabled: true, settings: { pg_settings: { log_statement: all } } } }',
    plan: `
      update shop/primary ep-a [drops_connections]
        autoscaling_limit_max_cu: 2 → 4 !
        settings.pg_settings.work_mem: null → 64MB !
      steps
        update:shop/primary PATCH /projects/shop-1/endpoints/ep-a {endpoint:{autoscaling_limit_max_cu:4,settings:{pg_settings:{log_statement:all,work_mem:64MB}}}}`,
  },
  {
    name: 'deletes what is declared absent, and nothing that is merely not listed',
    file: 'shop: { computes: { old: { id: ep-a, state: absent } } }',
    live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 } }',
    plan: `
      delete shop/old ep-a [no_primary permanent drops_connections]
      steps
        delete:shop/old DELETE /projects/shop-1/endpoints/ep-a`,
  },
  {
    name: 'is done with what is declared absent and gone',
    file: 'shop: { computes: { old: { id: ep-gone, state: absent }, older: { branch: br-9, state: absent } } }',
    live: 'shop: { ep-b: { branch: br-2 } }',
    plan: '',
  },
  {
    name: 'moves a pinned one in one request, together with what else changes',
    file: 'shop: { computes: { primary: { id: ep-a, branch: br-2, min: 2 } } }',
    live: 'shop: { ep-a: { branch: br-1, min: 1, max: 4 } }',
    plan: `
      move shop/primary ep-a [no_primary other_data drops_connections cold_start max_connections]
        autoscaling_limit_min_cu: 1 → 2 !
        branch_id: br-1 → br-2
      steps
        move:shop/primary PATCH /projects/shop-1/endpoints/ep-a {endpoint:{autoscaling_limit_min_cu:2,branch_id:br-2}}`,
  },
  {
    name: 'restarts after it moved',
    file: 'shop: { computes: { primary: { id: ep-a, branch: br-2, restart: { not_before: 2026-11-01 } } } }',
    live: 'shop: { ep-a: { branch: br-1, created: 2026-01-01, started: 2026-10-01 } }',
    plan: `
      move shop/primary ep-a [no_primary other_data drops_connections cold_start]
        branch_id: br-1 → br-2
      restart shop/primary ep-a [drops_connections cold_start]
      steps
        move:shop/primary PATCH /projects/shop-1/endpoints/ep-a {endpoint:{branch_id:br-2}}
        restart:shop/primary POST /projects/shop-1/endpoints/ep-a/restart after move:shop/primary`,
  },
  {
    name: 'moves a chain from its far end on',
    file: 'shop: { computes: { a: { id: ep-a, branch: br-2 }, b: { id: ep-b, branch: br-3 }, c: { branch: br-1, new: true } } }',
    live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 } }',
    plan: `
      move shop/a ep-a [no_primary other_data drops_connections cold_start]
        branch_id: br-1 → br-2
      move shop/b ep-b [no_primary other_data drops_connections cold_start]
        branch_id: br-2 → br-3
      create shop/c
      steps
        create:shop/c POST /projects/shop-1/endpoints {endpoint:{branch_id:br-1,type:read_write}} after move:shop/a
        move:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{branch_id:br-2}} after move:shop/b
        move:shop/b PATCH /projects/shop-1/endpoints/ep-b {endpoint:{branch_id:br-3}}`,
  },
  {
    name: 'replaces a pinned one whose type changes: a new replica is made before the primary goes',
    file: 'shop: { computes: { one: { id: ep-a, branch: br-1, type: read_only, max: 2 } } }',
    live: 'shop: { ep-a: { branch: br-1, max: 2 } }',
    plan: `
      replace shop/one ep-a [no_primary permanent drops_connections host_changes]
        type: read_write → read_only
      steps
        create:shop/one POST /projects/shop-1/endpoints {endpoint:{branch_id:br-1,type:read_only,autoscaling_limit_max_cu:2,name:one}}
        delete:shop/one DELETE /projects/shop-1/endpoints/ep-a after create:shop/one`,
  },
  {
    name: 'deletes before it creates where the place forces it',
    file: 'shop: { computes: { old: { id: ep-a, state: absent }, fresh: { branch: br-1 } } }',
    live: 'shop: { ep-a: { branch: br-1 } }',
    plan: `
      create shop/fresh
      delete shop/old ep-a [no_primary permanent drops_connections]
      steps
        create:shop/fresh POST /projects/shop-1/endpoints {endpoint:{branch_id:br-1,type:read_write}} after delete:shop/old
        delete:shop/old DELETE /projects/shop-1/endpoints/ep-a`,
  },
  {
    name: 'refuses another region with its own values, whatever else differs',
    file: 'shop: { computes: { primary: { branch: br-1, max: 4, region_id: aws-2 } } }',
    live: 'shop: { ep-a: { branch: br-1, max: 2, region_id: aws-1 } }',
    plan: `
      error cannot_change (line 2): region_id of shop/primary is "aws-1" and cannot be changed to "aws-2"`,
  },
];

it.each(cases)('makePlan: $name', ({ plan, ...world }) => {
  expect(planText(planOf(world))).toBe(dedent(plan));
});
