// Protects by name: a pattern holds what has the name in a file, in the account, or after the plan, whatever the project is called there.
import { expect, it } from 'vitest';
import type { SafetyLimits } from '../../../src/model/desired.ts';
import {
  apiKey,
  branch,
  changeOf,
  compute,
  database,
  living,
  permission,
  planOfShop,
  role,
  type Shop,
} from './support/whole-shop.ts';

const ROLE = 'shop/branches/old/roles/app';
const GONE = 'roles: { app: { state: absent } }, databases: { orders: { state: absent } }';
const NAME = { name: 'Corner Shop' };
const RENAMED: Shop = {
  entry: `{ name: Corner Shop, renamed_from: Old Shop, branches: { old: { name: fresh, renamed_from: old, ${GONE} } } }`,
  live: [branch('old'), role('old', 'app'), database('old', 'orders', 'app'), living('project', 'shop-1', NAME)],
  project: { ...NAME, namesInAccount: ['Real Shop'] },
};

async function isHeld(
  address: string,
  shop: Shop,
  pattern: string,
  more: Partial<SafetyLimits> = {},
): Promise<boolean> {
  const plan = await planOfShop({ ...shop, safety: [{ protect: [pattern], ...more }] });
  return changeOf(plan, address).blockedBy.includes('protect');
}

it.each<[held: boolean, more: Partial<SafetyLimits>, patterns: readonly string[]]>([
  [true, {}, ['**/app', '**/old/**', '**/br-old/**', 'shop/br-old/**', '**/fresh/**', '**/br-old%2Fapp']],
  [true, {}, ['shop-1/**/app', 'Corner%20Shop/**/app', 'Old%20Shop/**/app']],
  [false, {}, ['**/other', 'Real%20Shop/**/app']],
  [true, { isOperators: true }, ['Real%20Shop/**/app', 'Corner%20Shop/**/app']],
  [false, { isOperators: true }, ['None/**/app']],
  [true, { wereOperators: true }, ['Real%20Shop/**/app']],
  [false, { project: 'blog' }, ['**/app']],
  [true, { project: 'shop' }, ['**/app']],
])('a role of a renamed branch is held (%j) by a block %j with one of %j', async (held, more, patterns) => {
  for (const one of patterns) expect([one, await isHeld(ROLE, RENAMED, one, more)]).toEqual([one, held]);
});

it.each<[pattern: string, more: Partial<SafetyLimits>, isHeld: boolean]>([
  ['None/**/app', { isOperators: true }, true],
  ['None/**/other', { isOperators: true }, false],
  ['None/**/app', {}, false],
])('%s of %j holds a role of a project whose name nobody could read: %j', async (pattern, more, expected) => {
  const project = { name: 'Corner Shop', namesInAccount: [null] };
  expect(await isHeld(ROLE, { ...RENAMED, project }, pattern, more)).toBe(expected);
});

const lease = { ttl_seconds: 604_800, expires_at: '2026-11-27T12:00:00Z' };
const MEMBERS = [1, 2, 3].map((key) => branch(`pr-${key}`, lease, { marks: { set: 'shop-1/pr' } }));
const BLOG = branch('blog', {}, { projectId: 'blog-1' });
const DANA = permission('dana@example.com');

it.each<[name: string, address: string, shop: Shop, held: readonly string[], free: readonly string[]]>([
  [
    'a permission, whose name has no case',
    'shop/permissions/dana@example.com',
    { entry: '{ permissions: { dana@example.com: { state: absent } } }', live: [DANA] },
    ['**/Dana@*', '**/DANA@example.com/**'],
    ['**/PERMISSIONS/*', 'SHOP/**'],
  ],
  [
    'a compute that gets a name',
    'shop/p',
    {
      entry: '{ computes: { p: { id: ep-2, name: sales, branch_id: br-aside, type: read_only } } }',
      live: [branch('aside'), compute('aside', 'ep-2', { name: 'billing' })],
    },
    ['shop/p', 'shop/ep-2', 'shop/billing', 'shop/sales'],
    ['shop/ep-1', 'shop/aside'],
  ],
  [
    'a key with a name in the account',
    'api_keys/x',
    { lines: 'api_keys: { x: { name: prod, state: absent } }\n', live: [apiKey('900', 'prod')] },
    ['api_keys/x', 'api_keys/prod', 'api_keys/900'],
    ['api_keys/api_keys/*', 'shop/**'],
  ],
  [
    'a member of a set, by its key alone',
    'shop/previews/pr/3',
    { entry: '{ previews: { pr: { each: [1, 2], name: "pr-{key}", ttl: 7d, max: 9, gone: delete } } }', live: MEMBERS },
    ['shop/previews/pr/3', 'shop/previews/**'],
    ['shop/branches/pr-3'],
  ],
  [
    'a project, by what is in it',
    'shop',
    { ...RENAMED, entry: '{ state: absent }', live: [...(RENAMED.live ?? []), DANA, compute('old', 'ep-1'), BLOG] },
    ['**/orders', '**/app', '**/dana@*', 'shop/ep-1', 'shop'],
    ['**/other', 'shop/shop', 'blog-1/**', 'blog/**'],
  ],
])('the removal of %s', async (_name, address, shop, held, free) => {
  for (const pattern of held) expect([pattern, await isHeld(address, shop, pattern)]).toEqual([pattern, true]);
  for (const pattern of free) expect([pattern, await isHeld(address, shop, pattern)]).toEqual([pattern, false]);
});
