// Updates of which only some attributes are blocked: the others are sent, and a plan made again leaves out the same ones.
import { expect, it } from 'vitest';
import type { Block, Change, Plan } from '../../../src/model/outcome/plan.ts';
import type { Draft } from '../../../src/plan/diff/draft.ts';
import { lastingBlocks, leftOutOf, mayRun } from '../../../src/plan/guard/guard-plan.ts';
import { planHashOf } from '../../../src/plan/json/plan-hash.ts';
import { branch, compute, planOfShop, type Shop } from './support/whole-shop.ts';
import { IN_ONE_HOUR } from './support/world.ts';

const SHOWN = { name: 'x', autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1, disabled: false };
const live = [branch('old'), compute('old', 'ep-1', SHOWN), branch('kept', { protected: true })];
const [MIN, MAX] = ['autoscaling_limit_min_cu', 'autoscaling_limit_max_cu'] as const;
const entryOf = (a: string): string =>
  `{ branches: { kept: { ttl: 1h, protected: false } }, computes: { a: { branch: br-old, ${a} } } }`;

/** The attributes of each change of this address, and what blocks them. */
function updates({ changes }: Plan, address: string = 'shop/a'): readonly string[] {
  const found = changes.filter((one) => one.address === address);
  return found.map(({ attributes, blockedBy }) =>
    [attributes.map(({ path }) => path).join('+'), ...blockedBy].join(' '),
  );
}

it.each<[name: string, a: string, shop: Shop, told: readonly string[]]>([
  ['goes on without what nobody consents to', 'name: y, disabled: true', {}, ['disabled consent', 'name']],
  ['is whole with that consent', 'name: y, disabled: true', { allow: ['disable:shop/a'] }, ['disabled+name']],
  [
    'is whole where all is blocked',
    `name: x, ${MIN}: 2, ${MAX}: 4`,
    { consent: 'no_impact' },
    [`${MAX}+${MIN} consent`],
  ],
  ['is whole with one attribute', 'name: x, disabled: true', {}, ['disabled consent']],
  [
    'is whole until a window opens',
    `name: y, ${MAX}: 2`,
    { safety: [{ windows: [IN_ONE_HOUR] }] },
    [`${MAX}+name window`],
  ],
  [
    'goes on without several',
    `name: y, disabled: true, ${MAX}: 2`,
    { consent: 'no_impact' },
    [`${MAX}+disabled consent`, 'name'],
  ],
  ['is whole under a limit', `name: y, ${MAX}: 2`, { safety: [{ maxRestarts: 0 }] }, [`${MAX}+name max_restarts`]],
])('an update %s', async (_name, a, more, told) => {
  const shop: Shop = { entry: entryOf(a), live, consent: 'unattended', ...more };
  const plan = await planOfShop(shop);
  expect(updates(plan)).toEqual(told);
  const left = leftOutOf(plan).filter(({ address }) => address === 'shop/a');
  expect(left.map(({ paths, blockedBy }) => [paths.join('+'), ...blockedBy].join(' '))).toEqual(told.slice(0, -1));
  expect(updates(await planOfShop({ ...shop, held: left }))).toEqual(told);
});

it.each([
  [[], ['ttl_seconds allowance refused', 'protected']],
  [['expire:shop/branches/kept'], ['protected+ttl_seconds']],
])('an attribute that another one lets run goes with it: %j', async (allow, told) => {
  expect(updates(await planOfShop({ entry: entryOf('name: x'), live, allow }), 'shop/branches/kept')).toEqual(told);
});

it('an update made again keeps the same attributes apart, and is judged anew', async () => {
  const held = [{ address: 'shop/a', paths: ['disabled'], blockedBy: [] }];
  expect(updates(await planOfShop({ entry: entryOf('name: y, disabled: true'), live, held }))).toEqual([
    'disabled',
    'name',
  ]);
});

it('an update made again leaves out nothing that is as wanted by now', async () => {
  const held = [{ address: 'shop/a', paths: ['disabled'], blockedBy: [] }];
  expect(updates(await planOfShop({ entry: entryOf('name: y, disabled: false'), live, held }))).toEqual(['name']);
});

it('a hold is told once, beside the attributes that are left out', async () => {
  const hold = `lifecycle: { hold: [{ path: ${MAX}, value: 1, until: 2027-01-01, reason: INC-1 }] }`;
  const entry = entryOf(`name: y, disabled: true, ${MAX}: 2, ${hold}`);
  const plan = await planOfShop({ entry, live, consent: 'unattended' });
  expect(updates(plan)).toEqual(['disabled consent', 'name']);
  expect(plan.changes.filter(({ address }) => address === 'shop/a').map(({ held }) => held.length)).toEqual([0, 1]);
});

it('only updates that something of their own blocks are left out', () => {
  const change = (address: string, action: string, ...blockedBy: readonly Block[]): Change =>
    ({ address, action, attributes: [{ path: blockedBy.join() }], blockedBy }) as unknown as Change;
  const beside = [change('shop/a', 'restart', 'protect'), change('shop/a', 'update')];
  const apart = [change('shop/b', 'update', 'allowance'), change('shop/b', 'update', 'dependency')];
  const left = [{ address: 'shop/b', paths: ['allowance'], blockedBy: ['allowance'] }];
  expect(leftOutOf({ changes: [...beside, ...apart] })).toEqual(left);
});

it('the hash covers no step of a removal that nobody allows', async () => {
  const plan = await planOfShop({ entry: '{ branches: { old: { state: absent } } }', live });
  expect(plan.changes.map(({ action, blockedBy }) => [action, ...blockedBy])).toEqual([['delete', 'allowance']]);
  expect(planHashOf({ ...plan, sinks: {}, limitsCovered: [] })).toBe(plan.planHash);
});

it.each<[word: Block, isInHash: boolean, mayRun: boolean]>([
  ['window', false, true],
  ['clock_unknown', false, true],
  ['not_idle', false, true],
  ['consent', false, true],
  ['max_deletes', false, true],
  ['protect', false, false],
  ['stale_pin', false, false],
  ['dependency', false, false],
  ['allowance', true, false],
  ['refused', true, false],
])('%s keeps a change out of the hash: %j, and it may run after time or consent: %j', (word, isInHash, isFree) => {
  const change = { blockedBy: ['window', word] } as unknown as Change;
  expect(lastingBlocks(change)).toEqual(isInHash ? [word] : []);
  expect(mayRun({ change } as Draft)).toBe(isFree);
});
