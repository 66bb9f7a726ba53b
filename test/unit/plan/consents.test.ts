// Consents to a loss of data or access: whose word counts for which change, which limits hold it even so, and how much a pattern allows.
import { expect, it } from 'vitest';
import type { SafetyLimits } from '../../../src/model/desired.ts';
import { intent, ONE, planWith, saying } from './support/own-kind.ts';
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
import { allowing } from './support/world.ts';

const [OLD, DANA] = ['shop/branches/old', 'shop/permissions/dana@example.com'] as const;
const DROP = `drop:${OLD}`;
const GONE = '{ branches: { old: { state: absent } } }';
const replica = compute('old', 'ep-1', { type: 'read_only', name: 'reports' }, { last_active: '2026-11-20T10:00:00Z' });
const live = [branch('old'), replica, role('old', 'app'), permission('dana@example.com')];

/** The words of `allow` stand between spaces. */
async function blocked(address: string, allow: string, shop: Shop): Promise<string> {
  const plan = await planOfShop({ entry: GONE, live, allow: allow.split(' ').filter(Boolean), ...shop });
  return changeOf(plan, address).blockedBy.join(' ');
}

const idle = (...limits: readonly number[]): Pick<Shop, 'safety'> => ({
  safety: limits.map((unlessIdleMs) => ({ unlessIdleMs })),
});
const none = (more: Partial<SafetyLimits> = {}): Pick<Shop, 'safety'> => ({ safety: [{ maxDeletes: 0, ...more }] });
const unread = (kind: string): Pick<Shop, 'unread'> => ({
  unread: [{ what: 'shop', projectId: 'shop-1', reason: 'HTTP 500', kind }],
});
const IN_DOUBT = { clockDoubt: 'two clocks' };
const [TWO_HOURS_MS, LONG_MS] = [7_200_000, 9_000_000];

it.each<[name: string, allow: string, shop: Shop, blocked: string]>([
  ['is held after a review alone', '', {}, 'allowance'],
  ['is held after leave for every action', `*:* *:shop/** delete:${OLD}`, {}, 'allowance'],
  ['is held after leave for another type', `expire:${OLD}`, {}, 'allowance'],
  ['is held after leave for another branch', 'drop:shop/branches/older', {}, 'allowance'],
  ['needs its address, and no review', DROP, { consent: 'unattended' }, ''],
  ['needs a pattern that covers it', 'drop:shop/branches/*', {}, ''],
  ['is more than nothing', DROP, { consent: 'no_impact' }, 'consent'],
  ['counts for no limit on deletions', DROP, none(), ''],
  ['counts for none, as a review allows it', '', { ...none(), byReview: [DROP] }, ''],
  [
    'counts for the operator, as a review allows it',
    '',
    { ...none({ isOperators: true }), byReview: [DROP] },
    'max_deletes',
  ],
  ['does not count for the operator with leave now', DROP, none({ isOperators: true }), ''],
  ['is held by a use within the time', DROP, idle(TWO_HOURS_MS + 1), 'not_idle'],
  ['is free of a use at the time', DROP, idle(TWO_HOURS_MS), ''],
  ['is held by the longest time', DROP, idle(1, LONG_MS, 2), 'not_idle'],
  ['is free of a time of another project', DROP, { safety: [{ project: 'blog', unlessIdleMs: LONG_MS }] }, ''],
  ['is free where no use is known', DROP, { ...idle(LONG_MS), live: [branch('old')] }, ''],
  ['is held while the time is not known', DROP, { ...idle(1), ...IN_DOUBT }, 'clock_unknown'],
  ['needs no time without such a limit', DROP, IN_DOUBT, ''],
  ['is held while its computes may be hidden', DROP, unread('compute'), 'unread'],
  ['is free of a list of something else', DROP, unread('project_permission'), ''],
])('the drop of a branch %s', async (_name, allow, shop, words) => {
  expect(await blocked(OLD, allow, shop)).toBe(words);
});

it('a drop that nobody allows counts for no limit', async () => {
  const plan = await planOfShop({ entry: GONE, live, ...none() });
  expect(plan.limitsExceeded).toEqual([]);
});

it.each<[shop: Shop, blocked: string]>([
  [{ consent: 'unattended' }, ''],
  [{ safety: [{ maxDeletes: 0, unlessIdleMs: LONG_MS }] }, ''],
  [{ live: [branch('old')] }, 'allowance'],
  [{ consent: 'no_impact' }, 'consent'],
])('the file consents to the drop of a disposable branch with a note: %j', async (shop, words) => {
  const made = [branch('old', {}, { marks: { disposable: 'true' } }), replica];
  const entry = '{ branches: { old: { disposable: true, from: br-main, state: absent } } }';
  expect(await blocked(OLD, '', { entry, live: made, ...shop })).toBe(words);
});

const LEDGER: Shop = {
  entry: '{ id: shop-1, state: absent }',
  project: { name: 'ledger' },
  live: [...live, living('project', 'shop-1', { name: 'ledger' })],
};
const LOST = '{ branches: { lost: { from: br-main } } }';
const [BRANCH, REPLICA] = [
  '{ branches: { gone: { id: br-old, state: absent } } }',
  '{ computes: { gone: { id: ep-1, state: absent } } }',
];

it.each<[name: string, address: string, allow: string, shop: Shop, blocked: string]>([
  [
    'an expiry, which no use holds',
    OLD,
    `expire:${OLD}`,
    { entry: '{ branches: { old: { ttl: 1h } } }', ...idle(LONG_MS) },
    '',
  ],
  [
    'an update, which nothing hidden holds',
    OLD,
    '',
    { entry: '{ branches: { old: { protected: true } } }', ...unread('compute') },
    '',
  ],
  ['a branch lost elsewhere', 'shop/branches/lost', 'create:shop/branches/lost *:*', { entry: LOST }, 'vanished'],
  ['a branch lost elsewhere', 'shop/branches/lost', 'recreate:shop/branches/lost', { entry: LOST }, ''],
  ['a permission', DANA, '*:*', { entry: '{ permissions: { dana@example.com: { state: absent } } }' }, 'allowance'],
  [
    'a permission',
    DANA,
    'access:shop/permissions/*',
    { entry: '{ permissions: { dana@example.com: { state: absent } } }' },
    '',
  ],
  [
    'the id of another branch',
    'shop/branches/gone',
    'drop:shop/branches/gone drop:shop/**',
    { entry: BRANCH },
    'name_differs',
  ],
  ['the id of another branch', 'shop/branches/gone', 'drop:shop/br-old', { entry: BRANCH }, ''],
  [
    'the id of another compute',
    'shop/gone',
    'delete:shop/gone delete:shop/* *:shop/ep-1',
    { entry: REPLICA },
    'name_differs',
  ],
  ['the id of another compute', 'shop/gone', 'delete:shop/ep-1', { entry: REPLICA }, ''],
  ['the id of another project', 'shop', 'drop:shop drop:shop/**', LEDGER, 'name_differs refused'],
  ['the id of another project', 'shop', 'drop:shop-1', LEDGER, 'refused'],
  ['an id with its name', 'shop/gone', '', { entry: REPLICA.replace('ep-1', 'ep-1, name: reports') }, ''],
  ['an id with its label', 'shop/reports', '', { entry: REPLICA.replace('gone', 'reports') }, ''],
])('%s at %s with leave for %s', async (_name, address, allow, shop, words) => {
  const gone = [{ id: 'br-lost', name: 'lost', project_id: 'shop-1', deleted_at: '2026-11-19T00:00:00Z' }];
  expect(await blocked(address, allow, { gone, ...shop })).toBe(words);
});

it('a removal by the id of another branch asks for the consent to that id', async () => {
  const { consents } = changeOf(await planOfShop({ entry: BRANCH, live }), 'shop/branches/gone');
  expect(consents).toEqual([{ word: 'drop', address: 'shop/br-old', given: null }]);
});

it.each<[entry: string, address: string, isFree: boolean]>([
  ['{ branches: { fresh: { from: br-main } } }', 'shop/branches/fresh', true],
  ['{ computes: { fresh: { branch: br-old, type: read_only } } }', 'shop/fresh', true],
  ['{ permissions: { eve@example.com: {} } }', 'shop/permissions/eve@example.com', false],
  ['{ branches: { old: { roles: { r: { password: { file: r.json } } } } } }', `${OLD}/roles/r`, false],
])('without impact, %s runs: %j', async (entry, address, isFree) => {
  expect(await blocked(address, '', { entry, consent: 'no_impact' })).toBe(isFree ? '' : 'consent');
  expect(await blocked(address, '', { entry, consent: 'unattended' })).toBe('');
});

const [ALL, A, B] = ['drop:shop/**', 'drop:shop/branches/a', 'drop:shop/branches/b'] as const;
const SHOP = { project: 'shop' };

it.each<[name: string, allow: readonly string[], safety: readonly Partial<SafetyLimits>[], exceeded: string]>([
  ['are too many without a limit', [ALL], [], 'null 1 3'],
  ['are too many beside one by its address', [A, ALL], [], 'null 1 2'],
  ['may be one', [A, B, ALL], [], ''],
  ['may be as many as the file says', [ALL], [{ maxDrops: 3 }], ''],
  ['are more than the file says', [ALL], [{ maxDrops: 2 }], 'null 2 3'],
  ['are more than the strictest says', [ALL], [{ maxDrops: 3 }, { ...SHOP, maxDrops: 0 }], 'shop 0 3'],
  ['may be as many as their project says', [ALL], [{ ...SHOP, maxDrops: 3 }, { maxDeletes: 9 }], ''],
  ['are too many beside another project', [ALL], [{ project: 'blog', maxDrops: 3 }], 'null 1 3'],
])('drops by a pattern %s', async (_name, allow, safety, exceeded) => {
  const three = ['a', 'b', 'c'].map((name) => branch(name));
  const nested = 'roles: { app: { state: absent }, more: { state: absent } }';
  const entry = `{ branches: { a: { state: absent }, b: { state: absent }, c: { state: absent, ${nested} } } }`;
  const contents = [role('c', 'app'), role('c', 'more')];
  const { limitsExceeded } = await planOfShop({ entry, live: [...three, ...contents], allow, safety });
  const told = limitsExceeded.map((one) => `${one.limit} ${one.project} ${one.allowed} ${one.planned}`);
  expect(told).toEqual(exceeded === '' ? [] : [`max_drops ${exceeded}`]);
});

it.each<[name: string, allow: readonly string[], maxRestarts: number, counted: readonly string[]]>([
  ['counts what interrupts the clients of a branch once', [], 0, ['orders']],
  ['is kept by what interrupts them once', [], 1, []],
  ['is lifted by no pattern there', ['update:shop/**', 'restart:shop/**', '*:*'], 0, ['orders']],
  ['is lifted by an address', [`update:${OLD}/databases/orders`], 0, ['users']],
])('a limit on restarts %s', async (_name, allow, maxRestarts, counted) => {
  const renamed = '{ orders: { renamed_from: sales, owner: app }, users: { renamed_from: people, owner: app } }';
  const shop = { entry: `{ branches: { old: { databases: ${renamed} } } }`, allow, safety: [{ maxRestarts }] };
  const contents = [database('old', 'sales', 'app'), database('old', 'people', 'app')];
  const { limitsExceeded } = await planOfShop({ ...shop, live: [...live, ...contents] });
  expect(limitsExceeded.flatMap(({ addresses }) => addresses)).toEqual(
    counted.map((name) => `${OLD}/databases/${name}`),
  );
});

it.each<[allow: string, action: 'rotate' | 'revoke', blockedBy: readonly string[]]>([
  ['restart:keys/*', 'rotate', []],
  ['restart:keys/*', 'revoke', ['sink_unfillable']],
])('%s lets a kind %s what needs an allowance: %j', (allow, action, blockedBy) => {
  const say = saying(({ live: found }) => ({ intents: [intent(action, found, { allowance: 'keys/7' })] }));
  expect(changeOf(planWith(say, { ...ONE, input: allowing(allow) }), 'shop/a', action).blockedBy).toEqual(blockedBy);
});

it.each<[y: string, allow: readonly string[], told: readonly string[]]>([
  ['', [], ['revoke 42 ambiguous']],
  ['', ['revoke:api_keys/*', 'revoke:api_keys/x'], ['revoke 42 ambiguous']],
  ['', ['revoke:api_keys/42'], ['revoke 42']],
  ['y: { id: 41, state: absent }', ['revoke:api_keys/41'], ['revoke 42', 'revoke 41']],
])('a removal of one of two keys that may be meant, beside the removal %s, with %j', async (y, allow, told) => {
  const lines = `api_keys: { x: { name: ci, state: absent }, ${y} }\n`;
  const { changes } = await planOfShop({ lines, live: [apiKey('41', 'ci'), apiKey('42', 'ci')], allow });
  const removals = changes.filter(({ kind }) => kind === 'api_key');
  expect(removals.map((one) => [one.action, one.resourceId, ...one.blockedBy].join(' '))).toEqual(told);
});
