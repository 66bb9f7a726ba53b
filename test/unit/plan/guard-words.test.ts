// Guards in force, and the rules for every run, as a reviewer reads them: each with its value, and changed ones with both values.
import { expect, it } from 'vitest';
import type { DesiredResource, DesiredState } from '../../../src/model/desired.ts';
import type { GuardChange } from '../../../src/model/outcome/guard.ts';
import type { Change } from '../../../src/model/outcome/plan.ts';
import { accessChanged, guardsOf, withTaken, wordsChanged } from '../../../src/plan/guard/guards-in-force.ts';
import { desiredOf } from '../../support/files.ts';
import { at, bareInput, declaredAs, IN_ONE_HOUR, NO_LIMITS } from './support/world.ts';

const KINDS = [{ parent: 'branch' }];

it('every guard is listed with its value, its place and what it covers', () => {
  const numbers = { maxDeletes: 1, maxDrops: 2, unlessIdleMs: 7000, maxRestarts: 3, maxChangePercent: 4 };
  const windows = [IN_ONE_HOUR, { ...IN_ONE_HOUR, text: 'later' }];
  const ofShop = { project: 'shop', protect: ['*/p'], ...numbers, windows, source: at(1) };
  const hold = [{ path: 'min', value: 1, untilMs: Date.UTC(2026, 11, 1), reason: 'INC-1', source: at(5) }];
  const one = (kind: string, line: number, own: Partial<DesiredResource['lifecycle']>): DesiredResource => {
    const lifecycle = { protect: true, ignore: [], hold: [], via: null, ...own };
    return declaredAs({ kind, address: `shop/${kind}`, scope: 'shop', name: kind, source: at(line), lifecycle });
  };
  const resources = [one('compute', 2, {}), one('branch', 3, { ignore: ['name'], hold })];
  const safety = [ofShop, { maxDeletes: 0, isOperators: true as const }].map((block) => ({ ...NO_LIMITS, ...block }));
  const guards = guardsOf({ resources, safety }, KINDS);
  expect(
    guards.map(({ guard, project, address, value, from, source }) =>
      [guard, project, address, JSON.stringify(value), from, source?.start.line].join(' '),
    ),
  ).toEqual([
    'hold shop shop/branch {"path":"min","value":1,"until":"2026-12-01T00:00:00.000Z","reason":"INC-1"} file 5',
    'ignore shop shop/branch "name" file 3',
    'max_change_percent shop  4 file 1',
    'max_deletes shop  1 file 1',
    'max_deletes   0 operator ',
    'max_drops shop  2 file 1',
    'max_restarts shop  3 file 1',
    'protect shop */p true file 1',
    'protect shop shop/branch "itself" file 3',
    'protect shop shop/compute true file 2',
    'unless_idle shop  7 file 1',
    'windows shop  ["later","soon"] file 1',
  ]);
});

function told(before: DesiredState, after: DesiredState, isThere: boolean = false): readonly string[] {
  const words = wordsChanged(before, after, { kinds: KINDS, isThere: () => isThere });
  return words.map(({ change, guard, project, address, ...one }) =>
    [change, guard, project, address, JSON.stringify(one.before), JSON.stringify(one.after)].join(' '),
  );
}

const state = (desired: Partial<DesiredState>): DesiredState => bareInput({ desired }).desired;
const option = (options: DesiredResource['options']): Partial<DesiredState> => ({
  resources: [declaredAs({ address: 'shop/a', scope: 'shop', name: 'a', options: { name: 'x', ...options } })],
});
const EXPECT = { baseUrl: 'x', hasProject: null, source: at(1) };

it.each<[name: string, before: Partial<DesiredState>, after: Partial<DesiredState>, told: readonly string[]]>([
  ['nothing where nothing changes', option({ restart: 1 }), option({ restart: 1 }), []],
  ['the account to expect', { expect: EXPECT }, {}, ['removed expect   {"base_url":"x","has_project":null} null']],
  [
    'several by name',
    { projectsComplete: true },
    { expect: EXPECT },
    ['added expect   null {"base_url":"x","has_project":null}', 'removed projects_complete   true null'],
  ],
  ['keys to prune', {}, { accountPrune: ['api_key'] }, ['added prune api_key  null true']],
  ['an option', option({ restart: 1 }), option({ restart: 2 }), ['loosened restart shop shop/a 1 2']],
  ['a new option', option({}), option({ restart: { max_age: 1 } }), ['added restart shop shop/a null {"max_age":1}']],
  ['no name', option({ name: 'x' }), option({ name: 'y' }), []],
  ['nothing of an address that is gone', option({ restart: 1 }), {}, []],
  ['nothing of an address that is new', {}, option({ restart: 1 }), []],
])('changed rules for every run: %s', (_name, before, after, expected) => {
  expect(told(state(before), state(after))).toEqual(expected);
});

it('the rules of a new address are told where its resource exists', () => {
  expect(told(state({}), state(option({ restart: 1 })), true)).toEqual(['added restart shop shop/a null 1']);
});

const KEEP = '{ retention: { old: { match: ["pre*"], older_than: 7d, idle_for: 1d, max: 5, keep: [] } } }';
const RULE = '{"match":["pre*"],"older_than":"7d","idle_for":"1d","keep":[],"max":5}';
const SET = '{ previews: { pr: { each: [1], name: "pr-{key}", max: 9, ttl: 7d, gone: delete, grace: 1h } } }';

it.each<[before: string, after: string, told: string]>([
  ['{}', '{ prune: true }', 'added prune shop  null true'],
  ['{ prune: true }', '{ prune: { types: [read_only] } }', 'changed prune shop  true {"type":["read_only"]}'],
  ['{}', KEEP, `added retention shop shop/retention/old null ${RULE}`],
  [
    KEEP,
    KEEP.replace('keep: []', 'keep: [a]'),
    `changed retention shop shop/retention/old ${RULE} ${RULE.replace('"keep":[]', '"keep":["a"]')}`,
  ],
  ['{}', SET, 'added previews shop shop/previews/pr null {"gone":"delete","grace_ms":3600000,"name":"pr-{key}"}'],
])('changed rules of a project: %s, then %s', async (before, after, expected) => {
  const read = async (entry: string): Promise<DesiredState> => desiredOf(`version: 1\nprojects: { shop: ${entry} }\n`);
  expect(told(await read(before), await read(after))).toEqual([expected]);
});

it('a retention rule says how many resources it would take now, and no other word does', () => {
  const address = 'shop/retention/old';
  const words = [
    ['retention', { max: 5 }],
    ['retention', null],
    ['previews', { max: 5 }],
  ].map(([guard, after]) => ({ guard, address, after }) as GuardChange);
  const changes = [
    { due: true, address: `${address}/br-1` },
    { due: false, address: `${address}/br-2` },
    { due: true, address: `${address}er/br-3` },
  ] as unknown as readonly Change[];
  expect(withTaken(words, { changes }).map(({ after }) => after)).toEqual([{ max: 5, takes_now: 1 }, null, { max: 5 }]);
});

it('a change of access is told among the guards, attribute by attribute', () => {
  const attributes = ['a', 'b'].map((path) => ({ path, before: 1, after: 2 }));
  const access = { consents: [], impact: ['access_changes'], impactDetails: { access_changes: { paths: ['b'] } } };
  const base = { kind: 'role', address: 'shop/a', action: 'update', attributes, ...access };
  const others = [{ action: 'create' }, {}, { impactDetails: {} }, { consents: undefined }, { impact: ['none'] }];
  const changes = others.map((more) => ({ ...base, ...more })) as unknown as readonly Change[];
  const on = { project: 'shop', address: 'shop/a' };
  expect(accessChanged(changes)).toEqual([
    { ...on, change: 'added', guard: 'role', before: null, after: true },
    { ...on, change: 'changed', guard: 'b', before: 1, after: 2 },
  ]);
});
