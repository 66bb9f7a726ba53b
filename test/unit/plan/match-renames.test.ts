// Protects what a former name, an id or a restore says about the branch that a declaration means.
import { describe, expect, it } from 'vitest';
import { kinds } from '../../../src/kinds/index.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import { matchAll } from '../../../src/plan/match/match-all.ts';
import { desiredOf } from '../../support/files.ts';
import { actionsIn, branch, database, errorsIn, inputOfShop, planOfShop, role } from './support/whole-shop.ts';
import { at, bareInput, planOf, shop } from './support/world.ts';

type Row = readonly [title: string, branches: string, live: readonly LiveResource[], expected: string];

const [A, B, C, D] = [branch('a'), branch('b'), branch('c'), branch('d')];
const B_WAS_A = 'b: { renamed_from: a }';
const CHAIN = `${B_WAS_A}, c: { renamed_from: b }, d: { renamed_from: c }`;
const EXPIRED = 'b: { renamed_from: a, expires_at: 2026-01-01T00:00:00Z }';

describe('a branch with a former name', () => {
  it.each<Row>([
    ['is renamed', B_WAS_A, [A], 'update b br-a'],
    ['was renamed', B_WAS_A, [B], 'none b br-b'],
    ['was renamed, and another has its former name', `${B_WAS_A}, a: {}`, [A, B], 'none a br-a, none b br-b'],
    ['was renamed, and another means the old one', `${B_WAS_A}, x: { id: br-a }`, [A, B], 'none b br-b, update x br-a'],
    ['may write its own name as the former one', 'b: { renamed_from: b }', [B], 'none b br-b'],
    ['follows one that is renamed', `${B_WAS_A}, x: { id: br-b }`, [A, B], 'update b br-a, update x br-b'],
    ['follows one that goes', `${B_WAS_A}, x: { id: br-b, state: absent }`, [A, B], 'update b br-a, delete x br-b'],
    ['is part of a chain', CHAIN, [A, B, C], 'update b br-a, update c br-b, update d br-c'],
    ['stays as it is when it has expired', EXPIRED, [A], 'none b br-a'],
    ['leaves it to another when it has expired', `${EXPIRED}, a: {}`, [A], 'none a br-a, none b'],
    ['that no other has stays when it has expired', `${EXPIRED}, c: {}`, [A, C], 'none b br-a, none c br-c'],
    ['that nothing has is made', B_WAS_A, [], 'create b'],
  ])('%s', async (_, branches, live, expected) => {
    const plan = await planOfShop({ branches, live });
    expect(actionsIn(plan).join(', ')).toBe(expected);
    expect(errorsIn(plan)).toEqual([]);
  });

  it.each<Row>([
    ['alone', B_WAS_A, [A, B], 'none b br-b'],
    ['at the end of a chain', CHAIN, [A, B, C, D], 'none b br-b, none c br-c, none d br-d'],
  ])('is not renamed where both names live, %s', async (_, branches, live, expected) => {
    const plan = await planOfShop({ branches, live });
    expect(actionsIn(plan).join(', ')).toBe(expected);
    expect(plan.changes[0]?.notes).toEqual(['not changed: both names exist']);
    expect(errorsIn(plan)).toEqual([
      expect.stringMatching(/^both_names_live b: .* the branch "a" and the branch "b" both exist/),
    ]);
  });

  it.each([
    ['in a live project', B_WAS_A, 'shop/branches/b will be created, because its former slot is empty: the branch "a"'],
    ['below a live branch', 'main: { databases: { x: { renamed_from: no, owner: app } } }', 'the database "no"'],
    ['but not below a new branch', 'leaf: { databases: { x: { renamed_from: no, owner: app } } }', null],
  ])('that nothing has is told %s', async (_, branches, words) => {
    const { diagnostics } = await planOfShop({ branches, live: [role('main', 'app'), database('main', 'd', 'app')] });
    const expected = {
      severity: 'warning',
      code: 'moved_from_empty',
      message: expect.stringContaining(words ?? '') as string,
    };
    expect(diagnostics).toMatchObject(words === null ? [] : [expected]);
  });

  it('that nothing has is not told in a new project', async () => {
    const desired = await desiredOf(`version: 1\nprojects: { shop: { branches: { ${B_WAS_A} } } }\n`);
    const projects = [{ label: 'shop', id: '{shop}', name: 'shop' }];
    const { matchings, diagnostics } = matchAll(bareInput({ desired, live: { projects }, kinds }));
    expect([matchings.length, diagnostics]).toEqual([1, []]);
  });

  it('is not renamed where another declaration means the branch by id', async () => {
    const plan = await planOfShop({ branches: `${B_WAS_A}, x: { id: br-a, name: z }`, live: [A] });
    expect(actionsIn(plan)).toEqual(['none b', 'update x br-a']);
    expect(errorsIn(plan)).toEqual([expect.stringMatching(/^claimed_twice b/)]);
  });
});

describe('after a restore', () => {
  const OLD = branch('old', { name: 'orders (old)' });
  const NEW = branch('orders', {}, { days: 2, tookOver: 'br-old' });
  it.each<Row>([
    ['one that took no name', 'orders: { id: br-old }', [OLD, branch('orders')], 'update orders br-old'],
    ['one that took another', 'orders: { id: br-old }', [OLD, { ...NEW, tookOver: 'br-x' }], 'update orders br-old'],
    ['the former one', 'orders: { id: br-orders }', [OLD, NEW], 'none orders br-orders'],
    ['nobody', 'orders: { id: br-old, name: free }', [OLD], 'update orders br-old'],
  ])('an id means itself beside %s', async (_, branches, live, expected) => {
    expect(actionsIn(await planOfShop({ branches, live }))).toEqual([expected]);
  });

  it('the id of the former branch means the one with its name, and deletes neither', async () => {
    const words = 'a restore gave the name of br-old to br-orders, so shop/branches/orders is';
    const kept = await planOfShop({ branches: 'orders: { id: br-old }', live: [OLD, NEW] });
    const gone = await planOfShop({ branches: 'orders: { id: br-old, state: absent }', live: [OLD, NEW] });
    expect([kept, gone].map(actionsIn)).toEqual([['none orders br-orders'], ['none orders']]);
    expect([kept, gone].map(({ diagnostics }) => diagnostics)).toMatchObject([
      [{ severity: 'warning', code: 'swapped', message: `${words} matched by its name` }],
      [{ severity: 'error', code: 'swapped', message: `${words} not deleted` }],
    ]);
    expect(gone.changes[0]?.notes).toEqual(['not changed: br-orders has the name of br-old']);
  });

  it('an id that is swapped counts as stale, also where the former branch is gone', async () => {
    const stale = async (entry: string, live: readonly LiveResource[]): Promise<unknown> => {
      const { matchings } = matchAll(await inputOfShop({ branches: `orders: { id: br-old${entry} }`, live }));
      return matchings.flatMap(({ bindings, diagnostics }) => [
        bindings[0]?.stalePin,
        ...diagnostics.map((one) => one.code),
      ]);
    };
    expect(await stale('', [OLD, NEW])).toEqual([true, 'swapped']);
    expect(await stale(', state: absent', [OLD, NEW])).toEqual([true, 'swapped']);
    expect(await stale('', [NEW])).toEqual([true, 'stale_pin']);
  });

  const child = (parent: string): LiveResource => branch('child', { parent_id: parent }, { days: 20 });
  const [TWO, ONE] = ['a: {}, b: {}, child: { from: a }', 'orders: {}, child: { from: orders }'];
  const FORMER = 'old: { name: orders (old) }, child: { from: old }';
  const MID = branch('mid', {}, { days: 10, tookOver: 'br-old' });
  const LOOP = [branch('a', {}, { tookOver: 'br-c' }), branch('c', {}, { tookOver: 'br-a' })];
  it.each<[string, string, readonly LiveResource[], string | null]>([
    ['of the former branch', ONE, [OLD, NEW, child('br-old')], 'old'],
    ['of one restored twice', ONE, [OLD, MID, { ...NEW, tookOver: 'br-mid' }, child('br-old')], 'old'],
    ['of the new branch', FORMER, [OLD, NEW, child('br-orders')], 'orders'],
    ['of a younger branch', TWO, [A, branch('b', {}, { days: 3 }), child('br-b')], 'b'],
    ['of an older branch', TWO, [A, B, child('br-b')], null],
    ['of a branch as old', TWO, [A, branch('b', {}, { days: 20 }), child('br-b')], null],
    ['of a branch of unknown age', TWO, [A, branch('b', {}, { createdAtMs: null }), child('br-b')], null],
    ['of unknown age', TWO, [A, B, { ...child('br-b'), createdAtMs: null }], null],
    ['of another than two that took over each other', TWO, [...LOOP, B, child('br-b')], null],
  ])('a child %s has its live parent, if a restore moved the child', async (_, branches, live, parent) => {
    const { changes, diagnostics } = await planOfShop({ branches, live });
    const { action, blockedBy } = changes.find(({ address }) => address === 'shop/branches/child') ?? {};
    expect([action, blockedBy]).toEqual(parent === null ? ['update', ['immutable']] : ['none', []]);
    const message = `shop/branches/child has the parent br-${parent} since a restore, but the file says`;
    const expected = { severity: 'warning', code: 'reparented', message: expect.stringContaining(message) as string };
    expect(diagnostics).toMatchObject(parent === null ? [] : [expected]);
  });

  it('a child of a younger branch is told only where the file names another parent, and changes otherwise', async () => {
    const live = [A, branch('b', {}, { days: 3 }), child('br-b')];
    for (const [parent, codes] of [
      ['from: a, ', ['reparented']],
      ['from: b, ', []],
      ['', []],
    ] as const) {
      const branches = `a: {}, b: {}, child: { ${parent}protected: true }`;
      const { changes, diagnostics } = await planOfShop({ branches, live });
      expect(diagnostics.map(({ code }) => code)).toEqual(codes);
      expect(changes.at(-1)).toMatchObject({ address: 'shop/branches/child', attributes: [{ path: 'protected' }] });
    }
  });
});

describe('an id', () => {
  const [GONE, ONE] = ['branch: br-1, type: read_write', 'ep-1: { branch: br-1 }'];
  const HINT = 'Correct the id. To remove the id and let the next plan create a new resource: trueup pin --fix';
  it.each([
    [
      'that is gone, in an empty slot',
      `a: { id: ep-gone, ${GONE} }`,
      '',
      'create',
      { code: 'stale_pin', message: 'ep-gone does not exist, and no live resource matches shop/a', hint: HINT },
    ],
    [
      'that is gone, in a slot',
      `a: { id: ep-gone, ${GONE} }`,
      ONE,
      'none',
      {
        code: 'stale_pin',
        message: 'ep-gone does not exist, so shop/a is matched without its id',
        hint: 'To write the matched id: trueup pin --fix',
      },
    ],
    [
      'of another project',
      `a: { id: ep-b, ${GONE} }`,
      '',
      'create',
      { code: 'stale_pin', message: 'ep-b belongs to blog, and no live resource matches shop/a' },
    ],
    [
      'of an unknown type',
      `a: { id: ep-1, branch: br-1 }`,
      'ep-1: { branch: br-1, type: turbo }',
      'none',
      { severity: 'error', code: 'unknown_type', address: 'shop/a' },
    ],
    [
      'that another has',
      'b: { id: ep-1, branch: br-1 }, a: { id: ep-1, branch: br-1 }',
      ONE,
      'none',
      { code: 'claimed_twice', address: 'shop/b', related: [{ message: 'shop/a claims it here', range: at(3) }] },
    ],
  ])('%s, is told', (_, computes, live, action, diagnostic) => {
    const { file, live: own } = shop(computes, live);
    const { changes, diagnostics } = planOf({
      ...(file && { file }),
      live: `${own}\nblog: { ep-b: { branch: br-1 } }`,
    });
    expect(changes.at(-1)).toMatchObject({ action });
    expect(diagnostics[0]).toMatchObject(diagnostic);
  });

  it('that is gone is done where the file wants the removal, and means no other', () => {
    const absent = 'a: { id: ep-gone, branch: br-1, type: read_only, state: absent }';
    const plan = planOf(shop(absent, 'ep-1: { branch: br-1, type: read_only }'));
    expect([actionsIn(plan), plan.diagnostics]).toEqual([['none shop/a'], []]);
  });
});
