// Upkeep: the work that an apply also does besides the changes, as far as the resources around it live or will live.
import { expect, it } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { UpkeepIntent } from '../../../src/model/outcome/upkeep.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { ONE, oneAs, planWith } from './support/own-kind.ts';
import { branch, planOfShop } from './support/whole-shop.ts';

const upkeep = (need: Partial<UpkeepIntent> | null, asked: string[] = []): Partial<KindRules> => ({
  upkeep: {
    mayNeed: ({ name }) => name !== 'never',
    needs: ({ desired, live, differs, runs }) => {
      asked.push([desired.address, live?.id ?? '-', differs, runs('shop/a')].join(' '));
      return need && { action: 'renew', reasons: ['soon over'], ...need };
    },
  },
});

it('upkeep is asked for each resource that may need it, with what the plan does', () => {
  const asked: string[] = [];
  const made = 'b: { branch: br-2, new: true }, never: { branch: br-3, new: true }';
  const world = oneAs(`d: { branch: br-4, type: read_write, state: absent }, ${made}, a: { branch: br-1, max: 4 }`);
  const { upkeep: planned } = planWith(upkeep(null, asked), world);
  expect([asked, planned]).toEqual([['shop/a ep-a true true', 'shop/b - true true', 'shop/d - false true'], []]);
});

it('upkeep is as small as the kind says, or sends what it sends again', () => {
  const [small] = planWith(upkeep({}), ONE).upkeep;
  const known = { address: 'shop/a', kind: 'compute', action: 'renew', resourceId: 'ep-a', projectId: 'shop-1' };
  expect(small).toEqual({ ...known, reasons: ['soon over'], sinks: [], isPending: false, options: {} });
  const full = { reasons: ['due'], sinks: ['file:a'], isPending: true, restsOn: 'shop/b', options: { x: 1 } };
  const send = { autoscaling_limit_max_cu: 2 };
  const [renewal] = planWith(upkeep({ ...full, send }), ONE).upkeep;
  const step = { id: 'renew:shop/a', action: 'update', needs: [], body: send, expects: { attributes: send } };
  expect(renewal).toMatchObject({ ...known, ...full, step });
});

const ROLES = 'roles: { app: {}, old: { state: absent } }';

it.each<[string, string, readonly string[]]>([
  ['below what lives', `x: { ${ROLES} }`, ['x/roles/app br-x', 'x/roles/old br-x']],
  ['below what is made', `n: { ${ROLES} }`, ['n/roles/app -', 'n/roles/old -']],
  ['not below what is left out', `n: { expires_at: 2026-11-01T00:00:00Z, ${ROLES} }`, ['n/roles/old -']],
  ['not below what goes', `x: { state: absent, ${ROLES} }`, []],
  ['where it is absent, also below what is gone', `g: { state: absent, ${ROLES} }`, ['g/roles/old -']],
])('upkeep is done %s', async (_name, branches, expected) => {
  const rules = kinds.map((one): KindRules => (one.kind === 'role' ? { ...one, ...upkeep({}) } : one));
  const plan = await planOfShop({ branches, live: [branch('x')], kinds: rules });
  const told = plan.upkeep.map(
    ({ address, parentId }) => `${address.replace('shop/branches/', '')} ${parentId ?? '-'}`,
  );
  expect(told).toEqual(expected);
});
