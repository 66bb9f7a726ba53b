// Protects the rest of a project where one of its lists may not be read: only the kind of that list, and what depends on it, is not planned.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { openSite, type Answers, type Asked } from '../../support/site.ts';
import { COMPUTE, CONTENTS, ID as SHOP, MAIN, MAIN_BRANCH, shopWorld } from '../../support/shop.ts';

const OLD = 'br-old-river-991122';
const SEED = shopWorld({
  branches: [
    { ...MAIN_BRANCH, ...CONTENTS },
    { id: OLD, name: 'old', ...CONTENTS },
  ],
  computes: [{ id: COMPUTE, branch: 'main' }],
});
const FILE = `
version: 1
projects:
  shop:
    id: ${SHOP}
    permissions: { dana@example.com: {} }
    branches:
      main: { roles: { app: {}, fresh: {} }, databases: { orders: { owner: app }, carts: { owner: app } } }
      old: { protected: true, roles: { app: {}, fresh: {} } }
    computes: { primary: { branch: main, autoscaling_limit_max_cu: 2 } }
`;

/** The plan while one list answers so. */
async function planned(list: RegExp, status: number, asked: Asked = {}): Promise<Plan> {
  const answers: Answers = ({ method, url }) =>
    method === 'GET' && list.test(new URL(url).pathname) ? Response.json({ message: 'no' }, { status }) : null;
  return openSite({ file: FILE, seed: SEED, answers }).plan(asked);
}

const stepsOf = ({ steps }: Plan): readonly string[] =>
  steps.map(({ action, address }) => `${action} ${address}`).sort();
const EVERYTHING = [
  'create shop/branches/main/databases/carts',
  'create shop/branches/main/roles/fresh',
  'create shop/branches/old/roles/fresh',
  'create shop/permissions/dana@example.com',
  'update shop/branches/old',
  'update shop/primary',
];

const LISTS = [
  { name: 'permissions', list: /permissions$/, unread: 'shop/permissions', without: /permissions/ },
  { name: 'its roles', list: new RegExp(`${OLD}/roles$`), unread: `shop/branches/${OLD}/roles`, without: /old\/roles/ },
  {
    name: 'databases of one branch',
    list: new RegExp(`${MAIN}/databases$`),
    unread: `shop/branches/${MAIN}/databases`,
    without: /databases/,
  },
  {
    name: 'roles its databases depend on',
    list: new RegExp(`${MAIN}/roles$`),
    unread: `shop/branches/${MAIN}/roles`,
    without: /main\/(roles|databases)/,
  },
  { name: 'computes', list: /endpoints$/, unread: 'shop/computes', without: /primary/ },
  { name: 'branches, on which most depends', list: /branches$/, unread: 'shop/branches', without: /branches|primary/ },
];

it('is all planned where everything can be read', async () => {
  expect(stepsOf(await planned(/nothing/, 403))).toEqual(EVERYTHING);
});

describe.each([403, 412])('a list that answers %s', (status) => {
  it.each(LISTS)('holds up nothing but the $name', async ({ list, unread, without }) => {
    const plan = await planned(list, status);
    expect(plan.unread.map(({ what }) => what)).toEqual([unread]);
    expect(stepsOf(plan)).toEqual(EVERYTHING.filter((step) => !without.test(step)));
  });
});

it.each([
  ['roles', new RegExp(`${OLD}/roles$`)],
  ['databases', new RegExp(`${OLD}/databases$`)],
  ['computes', /endpoints$/],
])('blocks a drop whose %s are not known', async (_name, list) => {
  const file = `version: 1\nprojects: { shop: { id: ${SHOP}, branches: { old: { state: absent } } } }\n`;
  const plan = await planned(list, 403, { file, allow: ['drop:shop/branches/old'] });
  expect(plan.changes.find(({ address }) => address === 'shop/branches/old')?.blockedBy).toContain('unread');
  expect(plan.steps).toEqual([]);
});

it.each([
  ['shop/primary', /permissions$|roles$|databases$/],
  ['shop/branches/main/databases/*', /permissions$/],
  ['shop/permissions/*', /branches$|endpoints$|roles$/],
])('is not asked for where --target %s does not touch it', async (target, list) => {
  const plan = await planned(list, 403, { target: [target] });
  expect(plan.unread).toEqual([]);
  expect(plan.steps.length).toBeGreaterThan(0);
});

it('is what nobody planned, and nobody else changed, where it can be read after the run', async () => {
  let isRefused = true;
  const answers: Answers = ({ method, url }) => {
    if (method !== 'GET') isRefused = false;
    return isRefused && new URL(url).pathname.endsWith('/permissions') ? Response.json({}, { status: 403 }) : null;
  };
  const { result } = await openSite({ file: FILE, seed: SEED, answers }).apply();
  expect(result.status).toBe('incomplete');
  const said = result.diagnostics.filter(({ address }) => address === 'shop/permissions/dana@example.com');
  expect(said.map(({ code }) => code)).toEqual(['not_planned']);
});

it.each(['{}', '{ prune: true }', '{ branches: { main: br-calm-lake-100001 } }'])(
  'leaves an apply incomplete where a project that the account lacks declares only %s',
  async (nothing) => {
    const file = `version: 1\nprojects: { shop: { history_retention_seconds: 3d }, lacking: ${nothing} }\n`;
    const { result, plan } = await openSite({ file, seed: SEED }).apply();
    expect(plan.unplanned.map(({ project }) => project)).toEqual(['lacking']);
    expect([result.status, result.counts.done]).toEqual(['incomplete', 1]);
  },
);
