// Scopes: which declarations and live resources of a kind are planned together, and what the rules of the kind are told of them.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { DesiredProject, DesiredResource } from '../../../src/model/desired.ts';
import type { LiveResource, LiveState, OperationRecord } from '../../../src/model/live.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import type { KindRules, RequestInput } from '../../../src/plan/kind-rules.ts';
import { isAlong, nameIn, scopesOf, unlistedAddress, type Scope, type ScopeParent } from '../../../src/plan/scope.ts';
import { living } from './support/whole-shop.ts';
import { at, bareInput, declaredAs, NOW_MS } from './support/world.ts';

function kindOf(kind: string, parent: string | null, own: Partial<KindRules> = {}): KindRules {
  return { ...compute, kind, parent, section: `${kind}s`, segment: `${kind}s`, ...own };
}

const POST = { method: 'POST', path: '/', body: {} } as const;
const ROOT = kindOf('project', null, {
  segment: null,
  requests: {
    create: ({ within }: RequestInput) => ({ ...POST, makes: within?.declared.map(({ address }) => address) ?? [] }),
  },
});
const TREE = kindOf('tree', 'project', { key: 'name' });
const LEAF = kindOf('leaf', 'tree');
const KEY = kindOf('key', null, { segment: null, isApart: true });
const PLAIN = kindOf('plain', 'project', { segment: null });
const KINDS = [ROOT, TREE, LEAF, KEY, PLAIN];

function declared(kind: string, address: string, own: Partial<DesiredResource> = {}): DesiredResource {
  const [scope = '', ...rest] = address.split('/');
  return declaredAs({ kind, address, scope, name: rest.at(-1) ?? scope, ...own });
}

function project(label: string, own: Partial<DesiredProject> = {}): DesiredProject {
  return { label, name: label, id: null, labels: {}, prune: false, unmanagedOk: [], source: at(1), ...own };
}

interface Account extends Partial<Omit<PlanInput, 'desired' | 'live'>> {
  readonly projects?: readonly DesiredProject[];
  readonly files?: readonly DesiredResource[];
  readonly live?: Partial<LiveState>;
}

const LIVE_PROJECTS = ['wiki', 'shop'].map((label) => ({ label, id: `${label}-1`, name: label }));

function scopes(rules: KindRules, account: Account, parents: readonly ScopeParent[] = []): readonly Scope[] {
  const { projects = [project('shop')], files: resources = [], live: read, ...more } = account;
  const reading = { projects: LIVE_PROJECTS, ...read };
  return scopesOf(bareInput({ desired: { projects, resources }, live: reading, kinds: KINDS, ...more }))(
    rules,
    parents,
  );
}

/** The scope of the project shop, or the only one. */
function scope(rules: KindRules, account: Account, parents: readonly ScopeParent[] = []): Scope {
  const [first, ...others] = scopes(rules, account, parents);
  const found = [first, ...others].find((one) => one?.label === 'shop') ?? first;
  if (found === undefined) throw new Error('no scope');
  return found;
}

const ids = (of: Scope): string[] => of.live.map(({ id }) => id);
const addresses = (of: Pick<Scope, 'declared'>): string[] => of.declared.map(({ address }) => address);
const unread = (what: string, own: object = {}): LiveState['unread'][number] => ({
  what,
  projectId: null,
  reason: '',
  ...own,
});

describe('a kind has scopes', () => {
  it('one in each project that was read, by label and then by id', () => {
    const projects = [...LIVE_PROJECTS, { label: 'shop', id: 'shop-0', name: 'shop' }];
    const found = (...gaps: string[]): unknown[] =>
      scopes(TREE, { live: { projects, unread: gaps.map((what) => unread(what)) } }).map((one) => one.projectId);
    expect(found()).toEqual(['shop-0', 'shop-1', 'wiki-1']);
    expect(found('wiki')).toEqual(['shop-0', 'shop-1']);
    expect(found('shop-1')).toEqual(['shop-0', 'wiki-1']);
  });

  it('without those whose list was not read', () => {
    const gap = unread('trees', { projectId: 'shop-1', kind: 'tree' });
    expect(scopes(TREE, { live: { unread: [gap] } }).map(({ label }) => label)).toEqual(['wiki']);
  });

  it('one in the account, with all of its resources, unless its section was not read', () => {
    const resources = [living('key', 'k-1', {}, { projectId: null }), living('key', 'k-2'), living('tree', 't-1')];
    const account = { files: [declared('key', 'keys/ci')], live: { resources } };
    expect(scopes(KEY, account).map((one) => [one.label, one.projectId, ids(one), addresses(one)])).toEqual([
      ['keys', null, ['k-1', 'k-2'], ['keys/ci']],
    ]);
    expect(scopes(KEY, { live: { unread: [unread('keys')] } })).toEqual([]);
  });

  const oak: ScopeParent = { address: 'shop/trees/oak', projectId: 'shop-1', id: 't-1' };
  const ash: ScopeParent = { address: 'shop/trees/ash', projectId: 'shop-1', id: null };
  const token: ScopeParent = { address: 'keys/ci', projectId: null, id: 'k-1' };
  const leaf = (address: string): DesiredResource =>
    declared('leaf', address, { parent: address.split('/leafs')[0] ?? '' });

  it('one below each parent by address, with its own contents, and none where nothing is', () => {
    const resources = [
      living('leaf', 'l-1', {}, { parentId: 't-1' }),
      living('leaf', 'l-2', {}, { parentId: 't-2' }),
      living('leaf', 'l-3', {}, { parentId: 't-1', projectId: 'wiki-1' }),
      living('leaf', 'l-4', {}, { parentId: 'k-1', projectId: null }),
      living('leaf', 'l-5'),
    ];
    const files = ['shop/trees/oak/leafs/b', 'shop/trees/ash/leafs/a'].map(leaf);
    const empty: ScopeParent = { address: 'shop/trees/elm', projectId: 'shop-1', id: 't-9' };
    const found = scopes(LEAF, { files, live: { resources } }, [oak, token, empty, ash]);
    expect(found.map((one) => [one.parent?.address, one.label, one.parentId, ids(one), addresses(one)])).toEqual([
      ['keys/ci', 'keys', 'k-1', ['l-4'], []],
      ['shop/trees/ash', 'shop', null, [], ['shop/trees/ash/leafs/a']],
      ['shop/trees/oak', 'shop', 't-1', ['l-1'], ['shop/trees/oak/leafs/b']],
    ]);
  });

  it('and what a rule makes below a parent is declared there, by address, where it is of the kind', () => {
    const contents = [leaf('shop/trees/oak/leafs/a'), declared('moss', 'shop/trees/oak/moss')];
    const files = ['shop/trees/oak/leafs/c', 'shop/trees/oak/leafs/b'].map(leaf);
    expect(addresses(scope(LEAF, { files }, [{ ...oak, contents }]))).toEqual(
      ['a', 'b', 'c'].map((name) => `shop/trees/oak/leafs/${name}`),
    );
  });
});

it('live resources are sorted by age, then by id; those of unknown age come last', () => {
  const ages = { c: 2, b: 1, d: 2, a: null, z: 1, y: null };
  const resources = Object.entries(ages).map(([id, createdAtMs]) => living('tree', id, {}, { createdAtMs }));
  for (const order of [resources, resources.toReversed()])
    expect(ids(scope(TREE, { live: { resources: order } }))).toEqual(['b', 'z', 'c', 'd', 'a', 'y']);
});

describe('operations', () => {
  const record = (id: string, resourceId: string | null): OperationRecord =>
    ({ id, resourceId, createdAtMs: null }) as OperationRecord;
  const histories = new Map([
    ['shop-1', { operations: [record('1', 't-1'), record('2', null), record('3', 't-1')], complete: true }],
  ]);
  const found = (rules: KindRules, resources = [living(rules.kind, 't-1')]): unknown[] =>
    [...scope(rules, { live: { histories, resources } }).operations].map(([id, own]) => [id, own.map((one) => one.id)]);
  const parents = { ...TREE, operations: { names: 'parent', subjectOf: () => 't-1', starts: {} } } as const;
  const { operations: _none, ...silent } = TREE;

  it('are those of a resource, the newest first', () => {
    expect(found(TREE)).toContainEqual(['t-1', ['3', '1']]);
  });

  it.each<[string, KindRules, LiveResource[]?]>([
    ['where they name only the parent', parents],
    ['of a kind without any', silent],
    ['where nothing is live', TREE, []],
  ])('are none %s', (_name, rules, resources) => {
    expect(found(rules, resources)).toEqual([]);
  });
});

describe('a scope tells', () => {
  it('that its log is missing, by option or because it was not read', () => {
    const gap = unread('operations', { projectId: 'shop-1', part: 'operation_log' });
    expect(scope(TREE, {}).noHistory).toBe(false);
    expect(scope(TREE, { noHistory: true }).noHistory).toBe(true);
    expect(scopes(TREE, { live: { unread: [gap] } }).map(({ noHistory }) => noHistory)).toEqual([true, false]);
  });

  it.each([
    ['unless the time is in doubt', null, NOW_MS],
    ['if the time is in doubt', 'two clocks', -Infinity],
  ])('holds of the past no longer count %s', (_name, clockDoubt, expected) => {
    expect(scope(TREE, { clockDoubt }).holdsAtMs).toBe(expected);
  });

  it('the project in which a resource is, if it is one of those read', () => {
    const { homeOf } = scope(TREE, {
      live: { resources: [living('tree', 't-1'), living('tree', 't-2', {}, { projectId: 'gone' })] },
    });
    expect(['t-1', 't-2', 't-3'].map(homeOf)).toEqual(['shop', null, null]);
  });

  it.each<[string, string[], boolean]>([
    ['declares only what can be planned apart', ['key'], true],
    ['declares something else, too', ['key', 'tree'], false],
    ['declares nothing', [], false],
  ])('whether its resources count as unlisted where the project %s', (_name, kinds, expected) => {
    const files = kinds.map((kind) => declared(kind, `shop/${kind}`));
    expect(scope(TREE, { files }).isOnlyAround).toBe(expected);
    expect(scope({ ...TREE, isApart: true }, { files }).isOnlyAround).toBe(false);
  });

  it('the facts and declarations of other kinds beside it, and what else is in the project', () => {
    const facts = new Map([['plain', { size: 1 }]]);
    const resources = [
      living('tree', 't-1'),
      living('plain', 'p-1'),
      living('plain', 'p-2', {}, { projectId: 'wiki-1' }),
    ];
    const found = scope(TREE, { files: [declared('plain', 'shop/a')], live: { facts, resources } });
    expect([found.beside('plain').facts, found.facts]).toEqual([{ size: 1 }, {}]);
    expect([addresses(found.beside('plain')), addresses(found.beside('moss'))]).toEqual([['shop/a'], []]);
    expect(found.around.map(({ id }) => id)).toEqual(['t-1', 'p-1']);
  });

  it.each<[string, Partial<DesiredProject>, boolean]>([
    ['of another id', { id: 'shop-9' }, false],
    ['of an id to come', { id: '{shop}', mayBeMade: true }, true],
    ['that goes', { id: '{shop}', isGoing: true }, true],
  ])('the declared project %s: %s, and else nothing of its declarations', (_name, own, isMeant) => {
    const found = scope(TREE, { projects: [project('shop', own)], files: [declared('tree', 'shop/trees/oak')] });
    expect([found.project !== null, addresses(found).length === 1]).toEqual([isMeant, isMeant]);
  });
});

describe('the request that creates a project', () => {
  const along = (id: string, own: Partial<DesiredResource> = {}): boolean => {
    const files = [declared('project', 'shop', own), declared('tree', 'shop/trees/oak')];
    const found = scope(TREE, { files, live: { projects: [{ label: 'shop', id, name: 'shop' }] } });
    expect(isAlong(found, 'shop/trees/elm')).toBe(false);
    return isAlong(found, 'shop/trees/oak');
  };

  it('creates its contents along with it, but nothing of a project that is there or that goes', () => {
    expect([along('{shop}'), along('shop-1'), along('{shop}', { absent: true })]).toEqual([true, false, false]);
  });
});

it('an unlisted resource has an address with its name, or with its id where a declaration has that name or the kind has none', () => {
  const oak = living('tree', 't-1', { name: 'oak' });
  const below: ScopeParent = { address: 'shop/trees/oak', projectId: 'shop-1', id: 't-1' };
  const leaves = [living('leaf', 'l-1', {}, { parentId: 't-1' })];
  expect([
    unlistedAddress(scope(TREE, { files: [declared('tree', 'shop/trees/ash')] }), oak),
    unlistedAddress(scope(TREE, { files: ['ash', 'oak'].map((name) => declared('tree', `shop/trees/${name}`)) }), oak),
    unlistedAddress(scope(PLAIN, {}), living('plain', 'p-1')),
    unlistedAddress(scope(LEAF, { live: { resources: leaves } }, [below]), living('leaf', 'l-1')),
    unlistedAddress({ ...scope(TREE, {}), rules: ROOT }, living('project', 'shop-1')),
  ]).toEqual(['shop/trees/oak', 'shop/trees/t-1', 'shop/p-1', 'shop/trees/oak/leafs/l-1', 'shop']);
});

it('a name is that of the spec, where the kind has names', () => {
  const unnamed = scope({ ...TREE, attributes: {} }, {});
  expect([
    nameIn(scope(TREE, {}), { name: 'oak' }),
    nameIn(scope(TREE, {}), {}),
    nameIn(unnamed, { name: 'oak' }),
  ]).toEqual(['oak', null, null]);
});
