// Protects that a label in a file stands for the branch that lives now, and the label of a project for its id.
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { desiredOf } from '../../support/files.ts';
import { branch, compute, planOfShop } from './support/whole-shop.ts';
import { bareInput } from './support/world.ts';

const branches = 'a: { id: br-1 }, b: { id: br-2 }, c: { id: br-3 }, fresh: {}';
const LIVE = ['a', 'b', 'c'].map((name, at) => branch(name, {}, { id: `br-${at + 1}` }));
const READ_ONLY = { type: 'read_only' };

describe('a label of a branch', () => {
  it.each<[string, string, readonly LiveResource[], readonly string[]]>([
    ['is where a compute is', 'computes: { x: { branch: a } }', [compute('1', 'ep-1')], []],
    [
      'is where a compute was',
      'computes: { x: { branch: b, moved_from: a } }',
      [compute('1', 'ep-1')],
      ['move:shop/x ep-1 br-2'],
    ],
    [
      'is where a compute is meanwhile',
      'computes: { x: { id: ep-1, branch: b, lifecycle: { via: c } }, y: { id: ep-2, branch: a } }',
      [compute('1', 'ep-1'), compute('2', 'ep-2')],
      ['detour:shop/x ep-1 br-3', 'move:shop/x ep-1 br-2', 'move:shop/y ep-2 br-1'],
    ],
    [
      'is where computes are pruned',
      'prune: { branches: [a, fresh] }, computes: { x: { id: ep-9, branch: c } }',
      [compute('1', 'ep-1', READ_ONLY), compute('2', 'ep-2', READ_ONLY), compute('3', 'ep-9')],
      ['delete:shop/ep-1 ep-1 '],
    ],
  ])('%s', async (_, beside, live, expected) => {
    const { steps, diagnostics } = await planOfShop({ branches, live: [...LIVE, ...live], beside });
    const found = steps
      .filter(({ path }) => path.includes('/endpoints'))
      .map(({ id, path, body }) => {
        const { branch_id: to = '' } = (body?.['endpoint'] ?? {}) as { readonly branch_id?: string };
        return `${id} ${path.split('/').at(-1)} ${to}`;
      });
    expect([found, diagnostics]).toEqual([expected, []]);
  });
});

it('a compute on a new branch waits for the branch, and has its id then', async () => {
  const { steps } = await planOfShop({ branches, live: LIVE, beside: 'computes: { x: { branch: fresh } }' });
  expect(steps.find(({ id }) => id === 'create:shop/x')).toMatchObject({
    body: { endpoint: { branch_id: { ref: 'shop/branches/fresh', field: 'id' } } },
    needs: ['create:shop/branches/fresh'],
  });
});

it.each([
  ['lives', 'shop-1', 'shop-1'],
  ['is to be created', '{shop}', { ref: 'shop', field: 'id' }],
])('a key for a project that %s has the id of the project', async (_, id, expected) => {
  const keys = 'org_api_keys: { ci: { org: org-a-1, project: shop, secret: { file: k.json } } }';
  const desired = await desiredOf(`version: 1\nprojects: { shop: {} }\n${keys}\n`);
  const { steps } = makePlan(bareInput({ desired, live: { projects: [{ label: 'shop', id, name: 'shop' }] }, kinds }));
  expect(steps.map(({ body }) => body?.['project_id'])).toEqual([expected]);
});
