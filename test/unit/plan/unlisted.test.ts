// Resources that no file lists: what prune deletes, what is only reported, and creations that may be meant as moves or renames of them.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { KindRules, RemovalGuard } from '../../../src/plan/kind-rules.ts';
import { makePlan } from '../../../src/plan/make-plan.ts';
import { planWith, REVOKED } from './support/own-kind.ts';
import { branch, living, planOfShop, role } from './support/whole-shop.ts';
import { bareInput, declaredAs } from './support/world.ts';

/** The plan of computes of shop, with these keys beside them. */
function planOf(keys: string, computes: string, live: string, own: Partial<KindRules> = {}): Plan {
  return planWith(own, { file: `shop: { ${keys} computes: { ${computes} } }`, live: `shop: { ${live} }` });
}

/** `action address: blocks` of every change, and `id` or `id (pruned)` of every unlisted resource. */
function told({ changes, unmanaged }: Plan): readonly string[] {
  return [
    ...changes
      .filter(({ action }) => action !== 'none')
      .map(({ action, address, blockedBy }) => [action, address, ...blockedBy].join(' ')),
    ...unmanaged.map(({ id, pruned }) => (pruned ? `${id} (pruned)` : id)),
  ];
}

const HERE = 'ep-a: { branch: br-1 }';
const A = 'a: { branch: br-1 }';
const GONE = ['delete shop/ep-x', 'ep-x (pruned)'];

describe('prune', () => {
  const kept = (isKept: RemovalGuard['isKept'] = null): Partial<KindRules> => ({
    removalGuard: () => ({ blockedBy: [], notes: [], isKept }),
  });
  it.each<[string, string, Partial<KindRules>, readonly string[]]>([
    ['is off where no file asks for it', '', {}, ['ep-x']],
    ['deletes what no file lists', 'prune: true,', {}, GONE],
    ['deletes what has all listed values', 'prune: { branch_id: [br-2, br-9], type: [read_only] },', {}, GONE],
    ['spares what lacks one', 'prune: { branch_id: [br-2], type: [read_write] },', {}, ['ep-x']],
    ['spares a kind that is never pruned', 'prune: true,', { isPruned: false }, ['ep-x']],
    ['neither deletes nor reports what the file accepts', 'prune: true, unmanaged_ok: [ep-x],', {}, []],
    ['spares what something else keeps', 'prune: true,', kept(true), ['ep-x']],
    ['deletes what nothing keeps', 'prune: true,', kept(false), GONE],
    ['waits where that is not known', 'prune: true,', kept(), ['delete shop/ep-x unread', 'ep-x (pruned)']],
  ])('%s', (_name, keys, own, expected) => {
    const plan = planOf(keys, A, `${HERE}, ep-x: { branch: br-2, type: read_only }`, own);
    expect(told(plan)).toEqual(expected);
    const doubt = 'the parent could not be read, so trueup does not know whether the parent keeps this resource';
    const [change] = plan.changes.filter(({ action }) => action !== 'none');
    expect(change?.notes.includes(doubt) ?? false).toBe(expected.join().includes('unread'));
    if (change === undefined) return;
    const reasons = ['prune: no file lists the resource'];
    expect(change).toMatchObject({ origin: 'prune', reasons, after: null, source: { start: { line: 1 } } });
    for (const { expects } of plan.steps) expect(expects).toMatchObject({ attributes: { branch_id: 'br-2' } });
  });

  it('spares resources that share a slot', () => {
    const two = 'ep-x: { branch: br-2 }, ep-y: { branch: br-2 }';
    expect(told(planOf('prune: true,', A, `${HERE}, ${two}`))).toEqual(['ep-x', 'ep-y']);
  });

  it.each([
    ['prune: true,', 'ep-x: { branch: br-2 }, ep-y: { branch: br-3 }', ['ep-x', 'ep-y'], 2],
    ['prune: true,', '', [], 0],
    ['', 'ep-x: { branch: br-2 }', ['ep-x'], 0],
  ])('deletes nothing where the file lists nothing, and warns: %s %s', (keys, live, expected, count) => {
    const plan = planOf(keys, '', live);
    expect(told(plan)).toEqual(expected);
    const message = `prune deletes nothing in shop: the file lists no resource there, and ${count} would be deleted`;
    const warning = { severity: 'warning', code: 'prune_of_everything', message, range: { start: { line: 1 } } };
    expect(plan.diagnostics).toMatchObject(count === 0 ? [] : [warning]);
    expect(planWith({}, { live: `shop: { ${live} }` }).diagnostics).toEqual([]);
  });

  it.each<[string, readonly string[], readonly DesiredResource[], readonly string[], readonly string[]]>([
    ['is for another kind', ['api_key'], [], ['ep-x'], []],
    ['finds no entry', ['compute'], [], ['ep-x'], ['prune_of_everything']],
    [
      'finds an entry',
      ['compute'],
      [declaredAs({ address: 'computes/a', scope: 'computes', name: 'a', absent: true })],
      ['revoke computes/ep-x', 'ep-x (pruned)'],
      [],
    ],
  ])('in the account %s', (_name, accountPrune, resources, expected, codes) => {
    const live = { resources: [living('compute', 'ep-x', { type: 'read_only' }, { projectId: null })] };
    const kinds = [{ ...compute, ...REVOKED, parent: null }];
    const plan = makePlan(bareInput({ desired: { accountPrune, resources }, live, kinds }));
    expect(told(plan)).toEqual(expected);
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(codes);
  });
});

describe('a primary that is made', () => {
  const X = 'ep-x: { branch: br-x }';
  const pair = ['create shop/a move_or_create', 'delete shop/ep-x move_or_create', 'ep-x (pruned)'];
  const both = ['create shop/a', 'ep-x'];
  const warning = 'shop/a will be created, although no file lists ep-x (the read_write compute of br-x)';
  const REPLICA = 'ep-x: { branch: br-x, type: read_only }';

  it.each<[string, string, string, string, readonly string[], readonly string[]]>([
    ['may be a move of one that prune deletes', 'prune: true,', A, X, pair, []],
    ['may be a move of one that stays', '', A, X, both, [warning]],
    ['is new by the file', '', 'a: { branch: br-1, new: true }', X, both, []],
    ['is no move of an accepted one', 'unmanaged_ok: [ep-x],', A, X, ['create shop/a'], []],
    ['is no move of a replica', '', A, REPLICA, both, []],
    ['is no move of a pruned replica', 'prune: true,', A, REPLICA, ['create shop/a', ...GONE], []],
    ['is no replica', '', 'a: { branch: br-1, type: read_only }', X, both, []],
    ['is one that lives', '', A, `${HERE}, ${X}`, ['ep-x'], []],
    [
      'is no move of one that the file deletes',
      '',
      `${A}, b: { id: ep-x, state: absent }`,
      X,
      ['create shop/a', 'delete shop/b'],
      [],
    ],
    ['on a branch that is made is no move', '', 'a: { branch: { ref: shop/new, field: id } }', X, both, []],
  ])('%s', (_name, keys, computes, live, expected, warnings) => {
    const plan = planOf(keys, computes, live);
    expect(told(plan)).toEqual(expected);
    expect(plan.diagnostics.map(({ message }) => message)).toEqual(warnings);
    for (const one of plan.diagnostics) expect(one).toMatchObject({ severity: 'warning', code: 'unlisted_primary' });
  });
});

describe('a branch that is made', () => {
  const OLD = 'old: { state: absent }';
  const sets = (gone: string): string =>
    `}, previews: { pr: { name: "p-{key}", from: main, ttl: 7d, max: 9, each: [1], gone: ${gone} }`;
  const member = (key: number): LiveResource =>
    branch(`p-${key}`, { ttl_seconds: 604_800 }, { marks: { set: 'shop-1/pr' } });

  it.each<[string, string, readonly LiveResource[], readonly string[]]>([
    ['may be the one that goes', `a: { from: main }, ${OLD}`, [branch('old')], ['create', 'delete']],
    ['is none of another parent', `a: { from: main }, ${OLD}`, [branch('old', { parent_id: 'br-x' }), branch('x')], []],
    ['is new by the file', `a: { from: main, new: true }, ${OLD}`, [branch('old')], []],
    ['is new where its id is gone', `a: { from: main, id: br-gone }, ${OLD}`, [branch('old')], []],
    ['is new beside one that stays', 'a: { from: main }, old: {}', [branch('old')], []],
    ['is new beside one that a rule deletes', `a: { from: main } ${sets('delete')}`, [member(1), member(2)], []],
  ])('%s', async (_name, branches, live, blocked) => {
    const { changes } = await planOfShop({ branches: `main: { default: true }, ${branches}`, live });
    const doubtful = changes.filter(({ blockedBy }) => blockedBy.includes('rename_or_create'));
    expect(doubtful.map(({ action }) => action)).toEqual(blocked);
    expect(changes.map(({ action }) => action)).toContain('create');
  });

  const MAIN = 'main: { default: true }';
  it.each<[string, string, readonly LiveResource[], string]>([
    ['has a note of one beside it', `${MAIN}, a: { from: main }`, [branch('b')], 'the branch "b": if that resource'],
    [
      'has a note of several',
      `${MAIN}, a: { from: main }`,
      [branch('b'), branch('c')],
      'the branch "b" and the branch "c": if one of these resources',
    ],
    [
      'has none of another parent',
      `${MAIN}, a: { from: main }`,
      [branch('b', { parent_id: 'br-x' }), branch('x', { parent_id: 'br-y' })],
      '',
    ],
    [
      'has none of the default branch, which it copies, and none of copies of others',
      'a: {}',
      [branch('b'), branch('c', { parent_id: 'br-b' })],
      'the branch "b": if that resource',
    ],
    [
      'has none of what the file accepts',
      `${MAIN}, a: { from: main } }, unmanaged_ok: [br-b], computes: {`,
      [branch('b')],
      '',
    ],
    ['has none where the file says so', `${MAIN}, a: { from: main, new: true }`, [branch('b')], ''],
  ])('%s', async (_name, branches, live, words) => {
    const { changes, diagnostics } = await planOfShop({ branches, live });
    const note = `no file lists ${words} was renamed, write its former name as renamed_from`;
    const notes = changes.flatMap((one) => (one.action === 'create' ? one.notes : []));
    expect(notes.filter((one) => one.includes('renamed_from'))).toEqual(words === '' ? [] : [note]);
    expect(diagnostics.map(({ code }) => code)).not.toContain('unlisted_holder');
  });
});

it('contents are reported where the file lists such contents, and not where they were read for others', async () => {
  const live = [branch('x'), branch('y'), role('x', 'app'), role('x', 'more'), role('y', 'app')];
  const { unmanaged } = await planOfShop({ branches: 'main: {}, x: { roles: { app: {} } }, y: {}', live });
  expect(unmanaged.map(({ address }) => address)).toEqual(['shop/branches/x/roles/more']);
  const apart = await planOfShop({ entry: '{ permissions: { a@b.example: {} } }', live: [branch('x')] });
  expect(apart.unmanaged).toEqual([]);
});
