// Selection: what `--target` and `--exclude` leave in a plan, and which parts a gap in the reading or an error takes out.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { Attribute } from '../../../src/model/attributes.ts';
import type { DesiredState } from '../../../src/model/desired.ts';
import type { Diagnostic } from '../../../src/model/diagnostic.ts';
import type { Unread } from '../../../src/model/live.ts';
import type { Selection } from '../../../src/plan/input.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { askedScopes, gapsOf, selectDiagnostics, selectionOf, setUnplannedApart } from '../../../src/plan/selection.ts';
import { bareInput, declaredAs, inputOf } from './support/world.ts';

const EVERYTHING: Selection = { target: [], exclude: [] };

describe('a resource is selected', () => {
  it.each<[string, Partial<Selection>, string[], boolean]>([
    ['by its former address', { target: ['shop/old'] }, ['shop/a', 'shop/old'], true],
    ['unless an exclusion names its former address', { exclude: ['shop/old'] }, ['shop/a', 'shop/old'], false],
  ])('%s', (_name, selection, addresses, expected) => {
    expect(selectionOf({ ...EVERYTHING, ...selection })(addresses)).toBe(expected);
  });
});

function problem(address: string | undefined, severity: Diagnostic['severity'] = 'error'): Diagnostic {
  return { severity, code: 'odd', message: `${severity} at ${address}`, ...(address === undefined ? {} : { address }) };
}

it('problems of whole projects and of the account are told whatever is selected', () => {
  const selects = selectionOf({ ...EVERYTHING, target: ['shop/a'] });
  const all = [undefined, 'blog/*', 'blog/a', 'shop/a', 'shop/b'].map((address) => problem(address));
  expect(selectDiagnostics(all, selects).map(({ address }) => address)).toEqual([undefined, 'blog/*', 'shop/a']);
});

describe('an error', () => {
  const [shop, shopWarning] = [problem('shop/a'), problem('shop/b', 'warning')];
  const [blog, key] = [problem('blog/a'), problem('api_keys/ci')];
  const [other, none] = [problem('wiki/a', 'warning'), problem(undefined)];
  const projects = ['wiki', 'shop', 'blog'].map((label) => ({ label, id: `${label}-1`, name: label }));
  const apart = (asked: readonly string[], ...diagnostics: Diagnostic[]): ReturnType<typeof setUnplannedApart> =>
    setUnplannedApart(diagnostics, new Set(asked), projects);

  it('takes its project or section out, with all that is said of it; the rest is planned', () => {
    expect(apart(['shop', 'wiki'], shop, other, key, shopWarning, blog, none)).toEqual({
      unplanned: [
        { project: 'api_keys', projectId: null, diagnostics: [key] },
        { project: 'blog', projectId: 'blog-1', diagnostics: [blog] },
        { project: 'shop', projectId: 'shop-1', diagnostics: [shop, shopWarning] },
      ],
      diagnostics: [other, none],
    });
  });

  it.each<[string, string[], Diagnostic[]]>([
    ['where nothing else is asked for', ['shop', 'blog'], [shop, blog, other]],
    ['that belongs to no project', ['shop'], [none]],
    ['that is only a warning', ['wiki', 'shop'], [other, shopWarning]],
  ])('takes nothing out %s', (_name, asked, diagnostics) => {
    expect(apart(asked, ...diagnostics)).toEqual({ unplanned: [], diagnostics });
  });
});

describe('the parts that are asked for', () => {
  const { desired } = inputOf({ file: 'shop: { computes: { a: {} } }\nblog: {}' });
  const state: Partial<DesiredState> = {
    ...desired,
    resources: [...desired.resources, declaredAs({ address: 'api_keys/ci', scope: 'api_keys', name: 'ci' })],
    accountPrune: ['token'],
  };
  const kinds = ['api_key', 'token'].map((kind) => ({ ...compute, kind, section: `${kind}s` }));

  it.each<[string, Partial<Selection>, string[]]>([
    ['all that the files declare or prune', {}, ['shop', 'api_keys', 'blog', 'tokens']],
    ['those of one resource', { target: ['shop/a'] }, ['shop']],
    ['a project that declares nothing', { target: ['blog'] }, ['blog']],
    ['a pruned section', { target: ['tokens'] }, ['tokens']],
    ['not those that are excluded', { exclude: ['shop', 'tokens'] }, ['api_keys', 'blog']],
    ['none', { target: ['wiki'] }, []],
  ])('are %s', (_name, selection, expected) => {
    const asked = askedScopes(bareInput({ desired: state, kinds }), selectionOf({ ...EVERYTHING, ...selection }));
    expect([...asked]).toEqual(expected);
  });
});

function refersTo(kind: string, among: 'siblings' | 'project'): Attribute {
  return { change: 'update', restarts: false, refersTo: { kind, field: 'id', among } };
}

function kindOf(kind: string, parent: string | null, attributes: KindRules['attributes'] = {}): KindRules {
  return { ...compute, kind, parent, section: `${kind}s`, attributes };
}

const LEAF = kindOf('leaf', 'tree', { bush: refersTo('bush', 'siblings'), vase: refersTo('vase', 'project') });
const KEY = kindOf('key', null);
const GARDEN = [kindOf('tree', 'project'), LEAF, kindOf('bush', 'tree'), kindOf('vase', 'project'), KEY];

function list(kind: string, own: Partial<Unread> = {}): Unread {
  return { what: 'a list', projectId: 'shop-1', reason: 'HTTP 500', kind, ...own };
}

const LOG: Unread = { what: 'shop', projectId: 'shop-1', reason: 'HTTP 500', part: 'operation_log' };

describe('a gap in the reading', () => {
  it('is a whole project or section, or only the log of a project', () => {
    const unread: Unread[] = [
      { what: 'blog', projectId: 'blog-1', reason: 'HTTP 500' },
      { what: 'keys', projectId: null, reason: 'HTTP 500' },
      LOG,
      list('leaf', { projectId: 'wiki-1' }),
    ];
    const { whole, unlogged } = gapsOf(unread, GARDEN);
    expect([...whole]).toEqual(['blog', 'blog-1', 'keys']);
    expect([...unlogged]).toEqual(['shop-1']);
  });

  it.each<[string, Unread, boolean]>([
    ['the list itself', list('leaf', { parentId: 'tree-1' }), true],
    ['the list below another parent', list('leaf', { parentId: 'tree-2' }), false],
    ['the list of another project', list('leaf', { parentId: 'tree-1', projectId: 'blog-1' }), false],
    ['the siblings that it refers to', list('bush', { parentId: 'tree-1' }), true],
    ['such resources below another parent', list('bush', { parentId: 'tree-2' }), false],
    ['the resources of the project that it refers to', list('vase'), true],
    ['a kind that it does not refer to', list('tree'), false],
  ])('keeps the leaves of a tree out of the plan or not: %s', (_name, unread, expected) => {
    expect(gapsOf([unread], GARDEN).isUnread(LEAF, 'shop-1', 'tree-1')).toBe(expected);
  });

  it('keeps a kind of the account out of the plan', () => {
    expect(gapsOf([list('key', { projectId: null })], GARDEN).isUnread(KEY, null, null)).toBe(true);
    expect(gapsOf([], GARDEN).isUnread(KEY, null, null)).toBe(false);
  });

  it.each<[string, string, Unread, boolean]>([
    ['a project, for any of its lists', 'project', list('leaf', { parentId: 'tree-1' }), true],
    ['a project, but not for a list of another', 'project', list('leaf', { projectId: 'blog-1' }), false],
    ['a project, but not for its log', 'project', LOG, false],
    ['the parent of the list', 'tree', list('leaf', { parentId: 'tree-1' }), true],
    ['no other parent', 'tree', list('leaf', { parentId: 'tree-2' }), false],
    ['any parent where the list has the leaves of all', 'tree', list('leaf'), true],
    ['what the resources of the list refer to', 'vase', list('leaf'), true],
    ['nothing else', 'key', list('leaf'), false],
    ['nothing for a kind that nobody knows', 'tree', list('moss'), false],
  ])('may hide contents of %s', (_name, kind, unread, expected) => {
    expect(gapsOf([unread], GARDEN).mayHide(kind, 'shop-1', kind === 'project' ? 'shop-1' : 'tree-1')).toBe(expected);
  });
});
