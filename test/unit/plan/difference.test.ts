// The differences between a declaration and its live resource: which attributes count, which a hold excuses, and where each value is written.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { Attribute, Attributes } from '../../../src/model/attributes.ts';
import type { DesiredResource, Hold } from '../../../src/model/desired.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { SourceRange } from '../../../src/model/source.ts';
import { leavesOf } from '../../../src/model/values.ts';
import * as diff from '../../../src/plan/diff/difference.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { living } from './support/whole-shop.ts';
import { at, declaredAs, NOW_MS } from './support/world.ts';

const change = (how: Attribute['change'], more: Partial<Attribute> = {}): Attribute => ({
  change: how,
  restarts: false,
  ...more,
});

const attributes: Attributes = {
  home: change('move', { isIdentity: true, restarts: true }),
  type: change('replace', { isIdentity: true }),
  name: change('update', { isName: true }),
  size: change('update', { restarts: true }),
  color: change('update', { canonical: (value) => (value === 'grey' ? 'gray' : value) }),
  region: change('never'),
  birth: change('immutable', { restarts: true }),
  remark: change('update', { absent: null }),
  lease: change('update', { absent: null, shownWith: 'end' }),
  once: change('update', { canonical: () => null }),
  early: change('update', { isOpen: (wanted, nowMs) => Number(wanted) <= nowMs }),
  settings: change('update', { hasMembers: true }),
};
const RULES: KindRules = { ...compute, attributes, place: ({ type }) => (type === 'only' ? 'the only one' : null) };

const wish = (spec: JsonObject, more: Partial<DesiredResource> = {}): DesiredResource =>
  declaredAs({ address: 'shop/a', scope: 'shop', name: 'a', spec, ...more });
const lifecycle = (own: Partial<DesiredResource['lifecycle']>): Pick<DesiredResource, 'lifecycle'> => ({
  lifecycle: { protect: false, ignore: [], hold: [], via: null, ...own },
});
const live = (spec: JsonObject): LiveResource => living('compute', 'ep-a', spec);
const compared = (desired: DesiredResource, spec: JsonObject): diff.Difference =>
  diff.differenceOf(RULES, desired, live(spec), NOW_MS);
const paths = ({ attributes: changed }: diff.Difference): readonly string[] => changed.map(({ path }) => path);

describe('an attribute', () => {
  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['that differs counts', { size: 2 }, { size: 1 }, true],
    ['with an equal meaning does not, on either side', { color: 'grey' }, { color: 'gray' }, false],
    ['that the service does not show does not', { size: 2 }, {}, false],
    ['whose absence has a meaning counts', { remark: 'x' }, {}, true],
    ['whose absence means what the file says does not', { remark: null }, {}, false],
    ['whose absence has a meaning without another one counts', { lease: 7 }, { end: null }, true],
    ['whose absence means nothing beside another one does not', { lease: 7 }, { end: 'noon' }, false],
    ['that nobody can send yet does not', { early: NOW_MS + 1 }, { early: 0 }, false],
    ['that can be sent now counts', { early: NOW_MS }, { early: 0 }, true],
    ['that refers to a resource to come counts', { home: { ref: 'shop/b', field: 'id' } }, { home: 'h' }, true],
    ['that is an empty mapping does not', { settings: {} }, { settings: { a: 1 } }, false],
  ])('%s', (_name, spec, there, counts) => {
    expect(paths(compared(wish(spec), there))).toEqual(counts ? Object.keys(spec) : []);
  });

  it('under lifecycle.ignore stays out, with all below it; an identifying one stays in the declaration', () => {
    const spec = { home: 'h', settings: { a: { b: 1 } }, setting: 2, size: 2 };
    const desired = wish(spec, lifecycle({ ignore: ['home', 'settings.a'] }));
    expect(diff.managedLeaves(desired).map(({ path }) => path)).toEqual(['setting', 'size']);
    expect(diff.withoutIgnored(RULES, desired).spec).toEqual({ home: 'h', setting: 2, size: 2 });
    expect(diff.withoutIgnored(RULES, wish({ settings: {} })).spec).toEqual({ settings: {} });
  });

  it.each<[string, JsonObject, JsonObject, boolean, readonly string[]]>([
    ['that is not shown', { size: 2, name: 'a' }, { name: 'b' }, false, ['size']],
    ['not one whose absence has a meaning', { remark: 'x' }, {}, false, []],
    ['also that one, after a partial reply', { remark: 'x' }, {}, true, ['remark']],
    ['not one that is used up', { once: 'x' }, {}, true, []],
    ['but one that shall have no value', { once: null }, {}, false, ['once']],
  ])('is not compared: %s', (_name, spec, there, isPartial, expected) => {
    const leaves = diff.untoldLeaves(RULES, leavesOf(spec), there, isPartial);
    expect(leaves.map(({ path }) => path)).toEqual(expected);
    if (!isPartial) expect(compared(wish(spec), there).untoldPaths).toEqual(expected);
  });
});

describe('a difference', () => {
  const spec = { home: 'h2', settings: { a: 2, b: { c: 3 } }, size: 4, color: 'red', remark: 'new' };
  const there = {
    home: 'h1',
    type: 't',
    settings: { a: 1, b: { c: 3 }, other: 9 },
    size: null,
    color: 'red',
    name: 'x',
  };

  it('shows managed and identifying attributes before and after, and apart only what changes', () => {
    const found = compared(wish(spec), there);
    const same = { type: 't', color: 'red' };
    expect(found).toMatchObject({ severity: 'move', notes: [], held: [], untoldPaths: [] });
    expect(found.before).toEqual({ ...same, home: 'h1', settings: { a: 1, b: { c: 3 } } });
    expect(found.after).toEqual({ ...same, home: 'h2', settings: { a: 2, b: { c: 3 } }, size: 4, remark: 'new' });
    expect(found.desired).toEqual({ home: 'h2', settings: { a: 2 }, size: 4, remark: 'new' });
    expect(found.replaced).toEqual({ home: 'h1', settings: { a: 1 }, size: null, remark: null });
    expect(found.attributes).toEqual([
      { path: 'home', before: 'h1', after: 'h2', restarts: true },
      { path: 'remark', before: null, after: 'new', restarts: false },
      { path: 'settings.a', before: 1, after: 2, restarts: false },
      { path: 'size', before: null, after: 4, restarts: true },
    ]);
    expect([found.pathsOf('restart'), found.pathsOf('update')]).toEqual([['size'], ['remark', 'settings.a']]);
  });

  it.each<[diff.Difference['severity'], JsonObject]>([
    ['none', { color: 'gray' }],
    ['update', { color: 'red' }],
    ['restart', { color: 'red', size: 2 }],
    ['move', { size: 2, home: 'h2' }],
    ['replace', { home: 'h2', type: 'u' }],
    ['immutable', { type: 'u', birth: 2 }],
    ['never', { birth: 2, region: 'r2' }],
  ])('is as severe as its most severe attribute: %s', (severity, wanted) => {
    const old = { home: 'h', type: 't', size: 1, color: 'gray', region: 'r1', birth: 1 };
    expect(compared(wish(wanted), old).severity).toBe(severity);
    const isReplaced = wanted['type'] !== undefined;
    expect(diff.isReplaced(RULES, wish(wanted), live(old))).toBe(isReplaced);
    if (isReplaced) expect(diff.isReplaced(RULES, wish(wanted), live({ ...old, type: 'u' }))).toBe(false);
  });

  it('that cannot be is an error for each attribute concerned, with both values', () => {
    const desired = wish({ region: 'r2', size: 2 });
    const found = diff.neverDiagnostics(desired, compared(desired, { region: 'r1', size: 1 }));
    expect(found).toMatchObject([
      {
        code: 'cannot_change',
        message: 'region of shop/a is "r1" and cannot be changed to "r2"',
        hint: 'Write the live value, or leave region out.',
      },
    ]);
  });
});

describe('a hold', () => {
  const hold = (path: string, value: Json, untilMs: number = NOW_MS + 1): Hold => ({
    path,
    value,
    untilMs,
    reason: `${path} ${untilMs - NOW_MS}`,
    source: at(1),
  });
  const dotted = { settings: { 'a.b': 2 } };

  it.each<[string, JsonObject, readonly Hold[], string, string | undefined]>([
    ['of the live value', { size: 1 }, [hold('size', 1)], 'holds', undefined],
    ['of an equal value', { color: 'gray' }, [hold('color', 'grey')], 'holds', undefined],
    ['of a value that is not there', { remark: null }, [hold('remark', null)], 'holds', undefined],
    ['of a whole mapping', { settings: { a: 1 } }, [hold('settings', { a: 1 })], 'holds', undefined],
    ['of a name with a dot', { settings: { 'a.b': 1 } }, [hold('settings.a.b', 1)], 'holds', undefined],
    ['that ends now', { size: 1 }, [hold('size', 1, NOW_MS)], 'expired', 'ended at 2026-11-20T12:00:00.000Z'],
    ['of another value', { size: 1 }, [hold('size', 8)], 'other_value', 'is for another live value'],
    ['of another attribute', { size: 1 }, [hold('color', 1)], 'none', undefined],
    ['beside others', { size: 1 }, [hold('size', 8), hold('size', 1, NOW_MS), hold('size', 1)], 'holds', undefined],
    [
      'that is the only one in force',
      { size: 1 },
      [hold('size', 1, NOW_MS), hold('size', 8)],
      'other_value',
      'is for another',
    ],
  ])('one %s', (_name, there, holds, state, why) => {
    const wanted: Record<string, JsonObject> = { 'settings.a.b': dotted, settings: { settings: { a: 2 } } };
    const [{ path } = hold('', null)] = holds;
    const [key = ''] = Object.keys(there);
    const desired = wish(wanted[path] ?? { [key]: 2 }, lifecycle({ hold: holds }));
    const [leaf] = leavesOf(desired.spec);
    if (leaf === undefined) throw new Error('nothing is wanted');
    const found = diff.holdOn(RULES, desired, leaf, there, NOW_MS);
    expect(found?.state ?? 'none').toBe(state);
    const { held, notes, attributes: changed } = compared(desired, there);
    expect([held.length, changed.length]).toEqual(state === 'holds' ? [1, 0] : [0, 1]);
    if (why === undefined) expect(notes).toEqual([]);
    else expect(notes).toEqual([expect.stringContaining(`the hold on ${leaf.path} (${found?.hold.reason}) ${why}`)]);
  });

  it('tells the wanted and the live value, until when, and why', () => {
    const { held } = compared(wish({ remark: 'x' }, lifecycle({ hold: [hold('remark', null)] })), {});
    expect(held).toEqual([{ path: 'remark', wanted: 'x', live: null, untilMs: NOW_MS + 1, reason: 'remark 1' }]);
  });
});

describe('the place of a value', () => {
  const shared: SourceRange = { ...at(7), profile: 'prod' };
  const other: SourceRange = { ...at(8), file: 'other.yaml' };
  const over: SourceRange = { ...at(9), over: at(2) };
  const sources = { size: shared, settings: other, 'settings.a': at(3), 'settings.b': over, name: at(4) };

  it.each<[string, JsonObject, SourceRange | undefined]>([
    ['in a profile', { size: 2 }, shared],
    ['in another file, by the mapping around it', { settings: { x: { y: 1 } } }, other],
    ['beside the declaration, though the mapping is not', { settings: { a: { y: 1 } } }, undefined],
    ['in an overlay', { settings: { b: 2 } }, over],
    ['beside the declaration', { name: 'x' }, undefined],
    ['that is not written', { color: 'red' }, undefined],
  ])('is told where it is not in the declaration itself: %s', (_name, spec, source) => {
    const there = { size: 1, settings: { x: { y: 0 }, a: { y: 0 }, b: 0 }, name: 'y', color: 'blue' };
    const desired = wish(spec, { sources: () => sources });
    for (const told of [compared(desired, there).attributes, diff.creationOf(desired)])
      expect(told.map((one) => one.source)).toEqual([source]);
    expect(compared(wish({}, { sources: () => expect.unreachable() }), there).attributes).toEqual([]);
  });
});

describe('a new resource', () => {
  it.each<[string, Partial<DesiredResource>, JsonObject]>([
    ['gets its label as name', { spec: { size: 2 } }, { size: 2, name: 'a' }],
    ['gets no name in a slot', { spec: { type: 'only' } }, { type: 'only' }],
    ['gets no name where the file wants none', { spec: { size: 2 }, options: { named: false } }, { size: 2 }],
  ])('%s', (_name, more, expected) => {
    expect(diff.specOfNew(RULES, wish({}, more))).toEqual(expected);
  });

  it('restarts nothing', () => {
    expect(diff.creationOf(wish({ size: 2 }))).toEqual([{ path: 'size', before: null, after: 2, restarts: false }]);
  });
});

it.each([
  [[], []],
  [['size'], ['size of shop/a is not compared: the service does not show it']],
  [['color', 'size'], ['color and size of shop/a are not compared: the service does not show them']],
])('one warning names all that the service does not show: %j', (untold, expected) => {
  const found = diff.notCompared(wish({}), untold);
  expect(found.map(({ message }) => message)).toEqual(expected);
  for (const one of found) expect(one).toMatchObject({ severity: 'warning', paths: untold });
});
