// Protects what a plan knows of a branch that it makes as a copy: its contents begin as those of its origin at that moment.
import { describe, expect, it } from 'vitest';
import type { LiveResource } from '../../../src/model/live.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { throughCopies } from '../../../src/plan/match/inherited.ts';
import { livePlaces, matchAll } from '../../../src/plan/match/match-all.ts';
import { actionsIn, branch, database, errorsIn, inputOfShop, planOfShop, role } from './support/whole-shop.ts';

const onMain = (name: string): LiveResource => database('main', name, 'app');
const LIVE = [role('main', 'app'), role('main', 'old'), onMain('shopdb'), onMain('scratch')];
const SAME = 'shopdb: { owner: app }';
const EXTRA = 'extra: { owner: app }';
const KEPT = 'kept: { renamed_from: shopdb, owner: old }';
const BOTH = 'shopdb: { renamed_from: scratch, owner: old }';
const leaf = (from: string, ...databases: readonly string[]): string =>
  `leaf: { ${from === '' ? '' : `from: ${from}, `}databases: { ${databases.join(', ')} } }`;
const main = (databases: string, more = ''): string => `main: { databases: { ${databases} } ${more} }`;
const mid = (databases: string): string => `main: {}, mid: { from: main, databases: { ${databases} } }`;
const EARLIER = '{ branch: main, at: 2026-11-01T00:00:00Z }';

describe('a database of a new branch', () => {
  it.each([
    ['comes from an unlisted branch', leaf('br-main', SAME), 'none shopdb'],
    ['comes from a declared branch', `main: {}, ${leaf('main', SAME)}`, 'none shopdb'],
    ['comes from the default branch, if none is named', leaf('', SAME), 'none shopdb'],
    ['is made on a copy of an earlier moment', `main: {}, ${leaf(EARLIER, SAME)}`, 'create shopdb'],
    ['comes through others', `main: {}, mid: { from: main }, ${leaf('mid', SAME, EXTRA)}`, 'create extra, none shopdb'],
    ['comes with what its new origin gets', `${mid(EXTRA)}, ${leaf('mid', SAME, EXTRA)}`, 'none extra, none shopdb'],
    ['comes with what its live origin gets', `${main(EXTRA)}, ${leaf('main', EXTRA)}`, 'none extra'],
    [
      'is made, if its origin never had it',
      `${mid('extra: { state: absent }')}, ${leaf('mid', EXTRA)}`,
      'create extra',
    ],
    ['comes before its origin deletes it', `${mid('shopdb: { state: absent }')}, ${leaf('mid', SAME)}`, 'none shopdb'],
    ['is renamed in its live origin', `${main(KEPT)}, ${leaf('main', KEPT, SAME)}`, 'none kept, create shopdb'],
    ['is renamed in its new origin', `${mid(KEPT)}, ${leaf('mid', KEPT, SAME)}`, 'none kept, create shopdb'],
    ['differs from its origin', `${main('shopdb: { owner: old }')}, ${leaf('main', SAME)}`, 'update shopdb'],
    ['is renamed on the copy alone', `main: {}, ${leaf('main', KEPT)}`, 'update kept'],
  ])('%s', async (_, branches, expected) => {
    const plan = await planOfShop({ branches, live: LIVE });
    const [, ...lines] = actionsIn(plan).filter((line) => line.includes(' leaf'));
    expect(lines.join(', ').replaceAll('leaf/databases/', '')).toBe(expected);
    expect(errorsIn(plan)).toEqual([]);
  });

  it('is changed under the name that comes along, once the branch is there', async () => {
    const { changes, steps } = await planOfShop({ branches: `main: {}, ${leaf('main', KEPT)}`, live: LIVE });
    expect(changes[1]?.matchedBy).toBe('inherited from shop/branches/main');
    expect(steps[1]).toMatchObject({
      path: '/projects/shop-1/branches/{shop/branches/leaf}/databases/shopdb',
      needs: ['create:shop/branches/leaf'],
    });
  });

  it('is not what the origin of a live branch has', async () => {
    const plan = await planOfShop({ branches: `main: {}, ${leaf('main', SAME)}`, live: [...LIVE, branch('leaf')] });
    expect(actionsIn(plan)).toContain('create leaf/databases/shopdb');
  });

  it('comes as it is, if its origin is not changed', async () => {
    const plan = await planOfShop({ branches: `${mid(BOTH)}, ${leaf('mid', SAME)}`, live: LIVE });
    expect(actionsIn(plan)).toContain('none leaf/databases/shopdb');
    expect(errorsIn(plan)).toEqual([expect.stringMatching(/^both_names_live mid/)]);
  });
});

it('contents that a plan read only for a copy are not reported, those of other branches are', async () => {
  const live = [...LIVE, branch('other'), role('other', 'x')];
  const told = async (branches: string): Promise<unknown> =>
    (await planOfShop({ branches, live })).unmanaged.map(({ address }) => address.slice(5));
  const others = ['br-other', 'br-other/roles/x'];
  expect(await told(leaf('br-main', SAME))).toEqual(['br-main', ...others]);
  expect(await told(`main: {}, ${leaf('main', SAME)}`)).toEqual(others);
});

it('what comes along has no id yet, and is below the new branch', async () => {
  const { matchings } = matchAll(await inputOfShop({ branches: leaf('br-main', SAME), live: LIVE }));
  const found = matchings.flatMap(({ bindings }) => bindings.flatMap(({ inherited }) => inherited ?? []));
  const id = '{shop/branches/leaf/databases/shopdb}';
  expect(found).toMatchObject([{ id, parentId: '{shop/branches/leaf}', spec: { name: 'shopdb', owner: 'app' } }]);
});

const OWN = { id: 'br-main', isCopied: false };
const COPY = { id: 'br-main', isCopied: true };
it.each([
  ['its own, or the place of what it copies', 'leaf: {}', { 'br-main': OWN, 'branches/leaf': COPY }],
  [
    'the first place of a chain',
    'mid: { from: br-main }, leaf: { from: mid }',
    { 'branches/mid': COPY, 'branches/leaf': COPY },
  ],
  ['nowhere, if what it copies is not known', `main: {}, leaf: { from: ${EARLIER} }`, { 'branches/main': OWN }],
  ['nowhere, if it is absent', 'main: {}, leaf: { state: absent }', { 'branches/main': OWN }],
])('the live place of a branch is %s', async (_, branches, expected) => {
  const places = livePlaces(await inputOfShop({ branches, live: LIVE }));
  const found = [...places].filter(([address]) => !/br-main|roles|databases/.test(address) || 'br-main' in expected);
  expect(Object.fromEntries(found.map(([address, place]) => [address.slice(5), place]))).toMatchObject(expected);
  expect(places.has('shop/branches/leaf')).toBe('branches/leaf' in expected);
});

it('copies are visited after their origins, and copies in a circle not at all', () => {
  const parent = (address: string, of?: string): Parameters<typeof throughCopies>[0][number] => {
    const here = { address, projectId: 'shop-1', id: null };
    return of === undefined ? here : { ...here, copyOf: of };
  };
  const seen: string[] = [];
  const chain = [parent('c', 'b'), parent('b', 'a'), parent('a'), parent('x', 'y'), parent('y', 'x')];
  throughCopies(chain, '', ({ address }, above: string) => {
    seen.push(`${above}${address}`);
    return `${above}${address} > `;
  });
  expect(seen).toEqual(['a', 'a > b', 'a > b > c']);
});

describe('a name that no sibling has', () => {
  const c = (to: string): string => `, connections: { c: { role: app, database: ${to}, secret: { file: c.json } } }`;
  const owned = (owner: string): string => `x: { owner: ${owner} }`;
  const unknown = (path: string, kind: string, name: string, hint: string): readonly string[] => {
    const [branchName] = path.split('/');
    const words = `but shop/branches/${branchName} has no ${kind} of that name, and no file declares one there`;
    const attribute = kind === 'role' ? 'owner' : kind;
    return [`unknown_referent ${path}: ${attribute} is "${name}", ${words} (${hint})`];
  };
  const [NEAR, RENAMED] = ['Did you mean', 'This plan renames the resource with that name: write its new name.'];
  const [SHOP2, SCRATCH] = ['shopdb2: { renamed_from: shopdb, owner: app }', 'scratch: { state: absent }'];
  it.each([
    ['may be like another', main(owned('apq')), unknown('main/databases/x', 'role', 'apq', `${NEAR} "app"?`)],
    [
      'is told on a copy',
      leaf('br-main', owned('no')),
      unknown('leaf/databases/x', 'role', 'no', 'Declare the role at shop/branches/leaf.'),
    ],
    ['was one before the plan', main(KEPT, c('shopdb')), unknown('main/connections/c', 'database', 'shopdb', RENAMED)],
    [
      'may be like a new one',
      main(SHOP2, c('shopdb3')),
      unknown('main/connections/c', 'database', 'shopdb3', `${NEAR} "shopdb2"?`),
    ],
    ['may be on a copy of an earlier moment', `main: {}, ${leaf(EARLIER, owned('no'))}`, []],
    ['does not matter beside a removal', main(SCRATCH, c('shopdb')), []],
    ['may be declared there', main(owned('fresh'), ', roles: { fresh: {} }'), []],
    ['may be a new one', main(KEPT, c('kept')), []],
    ['may come from above', `main: {}, mid: { from: main, roles: { own: {} } }, ${leaf('mid', owned('own'))}`, []],
    ['is no matter where no name is written', main('shopdb: {}'), []],
    ['is accepted where it does not change', main('hidden: { owner: cloud }'), []],
    ['is accepted where it comes along', `main: {}, ${leaf('main', 'hidden: { owner: cloud }')}`, []],
  ])('%s', async (_, branches, expected) => {
    const live = [...LIVE, database('main', 'hidden', 'cloud')];
    expect(errorsIn(await planOfShop({ branches, live }))).toEqual(expected);
  });

  it('is not told of a kind that was not read, nor of a frozen declaration', async () => {
    const input = await inputOfShop({ branches: main(owned('no')), live: LIVE });
    expect(errorsIn(makePlan({ ...input, kinds: input.kinds.filter(({ kind }) => kind !== 'role') }))).toEqual([]);
    const frozen = await planOfShop({ branches: main('shopdb: { renamed_from: scratch, owner: no }'), live: LIVE });
    expect(errorsIn(frozen)).toEqual([expect.stringMatching(/^both_names_live/)]);
  });
});
