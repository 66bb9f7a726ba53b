// Protects what may not go along: a removal or an expiry is held back by what is protected below it, and by what rests on it.
import { expect, it } from 'vitest';
import { branch, changeOf, compute, database, planOfShop, role, type Shop } from './support/whole-shop.ts';

const [OLD, FAM, NEW] = ['shop/branches/old', 'shop/branches/fam', 'shop/branches/new'] as const;
const [ROLE, ORDERS] = [`${OLD}/roles/app`, `${OLD}/databases/orders`] as const;
const allow = [OLD, FAM, NEW, ROLE, ORDERS].flatMap((one) => [`drop:${one}`, `expire:${one}`]);
const ENDS = { ttl_seconds: 86_400, expires_at: '2026-12-01T00:00:00Z' };
const live = [
  branch('old'),
  compute('old', 'ep-old'),
  role('old', 'app'),
  database('old', 'orders', 'app'),
  branch('fam'),
  ...[6, 5, 4, 3, 2, 1, 0].map((kid) => branch(`kid${kid}`, { parent_id: 'br-fam' })),
  branch('new', { reset: { since: '2026-11-01T00:00:00Z' } }),
  role('new', 'app'),
  database('new', 'orders', 'app'),
  compute('new', 'ep-new', { pooler_enabled: false }),
  branch('ending', ENDS),
  branch('leased', ENDS),
  compute('leased', 'ep-leased', { pooler_enabled: false }),
  branch('bare'),
];

/** `BLOCK BLOCK: NOTE`, of the notes about other resources, each cut after the first words. */
async function told(
  address: string,
  branches: string,
  computes: string,
  protect: string,
  more: Shop = {},
): Promise<string> {
  const entry = `{ branches: { ${branches} }, computes: { ${computes} } }`;
  const { blockedBy, notes } = changeOf(
    await planOfShop({ entry, live, allow, safety: [{ protect: [protect] }], ...more }),
    address,
  );
  const words = /^(.*? (?:depends?|would be deleted|(?:is|are) still there|expires|has a lease)\b).*/;
  return [blockedBy.join(' '), ...notes.flatMap((note) => words.exec(note)?.[1] ?? [])].join(': ');
}

const KEPT = 'lifecycle: { protect: true }';
const [STAYS, AWAY, GOES] = [
  'p: { id: ep-old, branch_id: br-old',
  'p: { id: ep-old, branch_id: br-bare',
  'p: { id: ep-old, state: absent',
];
const MADE = 'p: { branch_id: br-old, type: read_only, new: true';

it.each<[name: string, p: string, protect: string, told: string]>([
  ['takes along what nobody protects or declares', '', 'shop/ep-new', ''],
  ['is held by a protected compute', '', 'shop/ep-old', 'protect: shop/ep-old would be deleted'],
  ['is held by all that is protected in it', '', '**/old/*/*', `protect: ${ORDERS} and ${ROLE} would be deleted`],
  ['is refused for a declared compute', `${STAYS} }`, '', 'refused: shop/p depends'],
  ['is held by a declared compute', `${STAYS}, ${KEPT} }`, '', 'protect: shop/p would be deleted'],
  ['goes on where a protected compute moves away', `${AWAY}, ${KEPT} }`, '', ''],
  ['goes on where a compute is deleted, too', `${GOES} }`, '', ''],
  ['waits for a protected compute', `${GOES}, ${KEPT} }`, '', 'dependency'],
  ['is refused for a compute to be made', `${MADE} }`, '', 'refused: shop/p depends'],
  ['is held by a protected compute to be made', `${MADE}, ${KEPT} }`, '', 'protect: shop/p would be deleted'],
])('the removal of a branch %s', async (_name, p, protect, expected) => {
  expect(await told(OLD, 'old: { state: absent }', p, protect)).toBe(expected);
});

it.each<[name: string, p: string, protect: string, told: string]>([
  ['takes along what nobody protects', '', 'shop/ep-new', ''],
  ['is held by a protected compute', '', 'shop/ep-old', 'protect: shop/ep-old would be deleted'],
  ['is held by a protected role', '', ROLE, `protect: ${ROLE} would be deleted`],
  ['is held by a compute that moves away', `${AWAY}, ${KEPT} }`, '', 'protect: shop/p is still there'],
  ['is not held by a compute that nobody protects', `${AWAY} }`, '', ''],
])('an expiry of a branch %s', async (_name, p, protect, expected) => {
  expect(await told(OLD, 'old: { ttl: 1h }', p, protect)).toBe(expected);
});

const MANY = 'refused: shop/br-kid0, shop/br-kid1, shop/br-kid2, shop/br-kid3, shop/br-kid4 and 2 more depend';
const RESET = 'new: { from: br-main, reset: { not_before: "2026-11-20T11:00:00Z" } }';
const without = (more: string): string => `old: { roles: { app: { state: absent }, next: {} }${more} }`;

it.each<[name: string, address: string, branches: string, protect: string, told: string]>([
  ['a removal is refused while children stay', FAM, 'fam: { state: absent }', '', MANY],
  [
    'a removal is held by no protected role that is gone',
    OLD,
    `old: { state: absent, roles: { x: { state: absent, ${KEPT} } } }`,
    '',
    '',
  ],
  ['a reset is held by a protected role', NEW, RESET, '**/app', `protect: ${NEW}/roles/app would be deleted`],
  ['a reset leaves a protected compute', NEW, RESET, 'shop/ep-new', ''],
  ['any other change leaves what is protected', NEW, 'new: { protected: true }', '**/app', ''],
  ['a role stays with its database', ROLE, without(''), '', `refused: ${ORDERS} depends`],
  ['a role stays with its protected database', ROLE, without(''), '**/orders', `refused: ${ORDERS} depends`],
  [
    'a role goes where its database gets another owner',
    ROLE,
    without(', databases: { orders: { owner: next } }'),
    '',
    '',
  ],
  ['a role goes with its database', ROLE, without(', databases: { orders: { state: absent } }'), '', ''],
])('%s', async (_name, address, branches, protect, expected) => {
  expect(await told(address, branches, '', protect)).toBe(expected);
});

it.each<[name: string, p: string, told: string]>([
  [
    'does not move to a branch that expires',
    `id: ep-new, branch: br-ending, ${KEPT}`,
    'protect: the branch br-ending expires',
  ],
  [
    'does not move to one that is made to expire',
    `id: ep-new, branch: made, ${KEPT}`,
    'protect: the branch made (known after apply) has a lease',
  ],
  ['moves away from one that expires', `id: ep-leased, branch: br-bare, ${KEPT}`, ''],
  ['changes in place on one', `id: ep-leased, branch: br-leased, pooler_enabled: true, ${KEPT}`, ''],
  ['moves there, unless it is protected', 'id: ep-new, branch: br-ending', ''],
])('a protected compute %s', async (_name, p, expected) => {
  const branches = 'also: { from: br-main }, made: { from: br-main, ttl: 1h }';
  expect(await told('shop/p', branches, `p: { ${p} }`, '')).toBe(expected);
});

it.each([
  [false, 'refused: shop/retention/pre/br-pre-a depends'],
  [true, ''],
])('a removal is refused while a child is due to be deleted by a rule, with --due: %j', async (due, expected) => {
  const entry =
    '{ branches: { old: { state: absent } }, retention: { pre: { match: ["pre*"], older_than: 7d, idle_for: 1d, max: 9 } } }';
  const more = {
    entry,
    due,
    live: [...live, branch('pre-a', { parent_id: 'br-old' })],
    allow: [...allow, 'drop:shop/retention/pre/**'],
  };
  expect(await told(OLD, '', '', '', more)).toBe(expected);
});

it.each([
  ['old: {}', ['shop/ep-leased', 'shop/ep-new', 'shop/ep-old']],
  ['old: {}, lost: { state: absent }', ['shop/ep-leased', 'shop/ep-new', 'shop/ep-old']],
  ['old: { state: absent }', ['shop/ep-leased', 'shop/ep-new']],
])('computes are listed unless their branch goes: %s', async (branches, addresses) => {
  const { unmanaged } = await planOfShop({ entry: `{ branches: { ${branches} } }`, live, allow });
  expect(unmanaged.map(({ address }) => address).filter((one) => one.startsWith('shop/ep-'))).toEqual(addresses);
});
