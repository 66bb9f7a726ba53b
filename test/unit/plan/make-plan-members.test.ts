// The members of a plan besides its changes and steps: names, counts, upkeep, what is left alone or out, and what they are selected by.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { Attribute } from '../../../src/model/attributes.ts';
import type { DesiredResource } from '../../../src/model/desired.ts';
import { errorOf, warningOf } from '../../../src/model/diagnostic.ts';
import type { LiveResource } from '../../../src/model/live.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import type { KindRules } from '../../../src/plan/kind-rules.ts';
import { makePlan, planOfRecord } from '../../../src/plan/make-plan.ts';
import { planWith, saying } from './support/own-kind.ts';
import { living } from './support/whole-shop.ts';
import { allowing, bareInput, declaredAs, inputOf, planOf, recordOf, shop, type World } from './support/world.ts';

const TWO = shop(
  'a: { branch: br-1, max: 2 }, b: { branch: br-2, max: 2 }',
  'ep-a: { branch: br-1, max: 1 }, ep-b: { branch: br-2, max: 2 }, ep-x: { branch: br-3, type: read_only }',
);
const given = (input: Partial<PlanInput>, world: World = TWO): Plan => planOf({ ...world, input });

describe('a plan says', () => {
  it('for which of several control planes it is, and whether nothing that harms may run', () => {
    expect(given({ store: 'one', consent: 'no_impact' })).toMatchObject({ store: 'one', isNoImpact: true });
    expect(Object.keys(given({}))).not.toEqual(expect.arrayContaining(['store']));
    expect(Object.keys(given({}))).not.toEqual(expect.arrayContaining(['isNoImpact']));
  });

  it('which options it was made with', () => {
    const options = { due: true, target: ['shop'], exclude: ['shop/b'], noHistory: true };
    expect(given({ ...options, ...allowing('delete:shop/a', '*:*') }).options).toEqual({
      ...options,
      allow: ['delete:shop/a', '*:*'],
    });
    expect(given({}).options).toEqual({ due: false, target: [], exclude: [], noHistory: false, allow: [] });
  });

  it('how many changes there are of each sort: a held difference counts besides', () => {
    const hold = 'lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 8, until: 2027-01-01 }] }';
    const world = shop(
      `held: { branch: br-1, max: 2, ${hold} }, made: { branch: br-2 }, kept: { id: ep-k, state: absent, lifecycle: { protect: true } },
       same: { branch: br-4 }, old: { branch: br-5, restart: { max_age: 1d } }`,
      'ep-a: { branch: br-1, max: 8 }, ep-k: { branch: br-3 }, ep-d: { branch: br-4 }, ep-e: { branch: br-5, created: 2026-01-01 }',
      { log: ['5d start_compute finished ep-e'] },
    );
    const none = { update: 0, move: 0, replace: 0, delete: 0, rotate: 0, revoke: 0 };
    const counts = { ...none, create: 1, restart: 0, blocked: 1, held: 1, due: 1, unchanged: 2 };
    expect(planOf(world).summary).toEqual(counts);
    expect(given({ due: true }, world).summary).toMatchObject({ create: 1, restart: 1, blocked: 1, held: 1, due: 0 });
  });

  it('the names of the ids that it shows: those of the account, or else the labels of the files', () => {
    const file = `shop: { branches: { main: br-1, dev: br-2, next: br-3, other: br-9 }, computes: {
      a: { id: ep-a, branch: br-2 }, b: { branch: br-3 }, c: { branch: { ref: shop/d, field: id }, type: read_only } } }`;
    const input = inputOf({ file, live: 'shop: { ep-a: { branch: br-1 } }' });
    const branch = (id: string, name: string | number): LiveResource => living('branch', id, { name });
    const resources = [...input.live.resources, branch('br-1', 'trunk'), branch('br-3', 3), branch('br-9', 'unused')];
    const { names } = makePlan({ ...input, live: { ...input.live, resources } });
    expect(names).toEqual({ 'br-1': 'trunk', 'br-2': 'dev', 'br-3': 'next' });
  });
});

it('the hash of a plan covers where secrets go, in whatever order the file lists it', () => {
  const hashWith = (...secret: readonly JsonObject[]): string => {
    const { desired, ...input } = inputOf(TWO);
    const [first, ...others] = desired.resources;
    const resources = [{ ...first, options: { secret } } as DesiredResource, ...others];
    return makePlan({ ...input, desired: { ...desired, resources } }).planHash;
  };
  const [file, exec] = [{ file: 'a.json' }, { exec: 'vault' }];
  expect(new Set([hashWith(), hashWith(file), hashWith(exec), hashWith(file, exec)]).size).toBe(4);
  expect(hashWith(exec, file)).toBe(hashWith(file, exec));
});

describe('a problem', () => {
  const problem = errorOf('unreadable', 'a list is broken', undefined, { address: 'shop/*' });
  const world: World = { ...TWO, file: `${TWO.file}\nblog: { computes: { c: { branch: br-1 } } }` };

  it('with the reading of a project leaves the project out, with all that the plan says of it', () => {
    const warning = warningOf('unreadable', 'a log is broken', undefined, { address: 'shop/a' });
    const plan = given({ problems: [warning, problem] }, world);
    expect(plan.unplanned.map((one) => [one.project, one.diagnostics])).toEqual([['shop', [problem, warning]]]);
    expect(plan.changes.map(({ address }) => address)).toEqual(['blog/c']);
    expect([plan.steps.length, plan.unmanaged]).toEqual([1, []]);
  });

  it('with all that is asked for leaves no steps, but the changes', () => {
    const plan = given({ problems: [problem] });
    expect([plan.steps, plan.unplanned, plan.diagnostics]).toEqual([[], [], [problem]]);
    expect(plan.changes.map(({ action }) => action)).toEqual(['update', 'none']);
  });

  it('is told in the order of severity, address, code and words', () => {
    const at = (address: string): object => ({ address });
    const sorted = [
      warningOf('a', 'of the account'),
      warningOf('a', 'one', undefined, at('shop/a')),
      warningOf('a', 'two', undefined, at('shop/a')),
      warningOf('b', 'one', undefined, at('shop/a')),
      warningOf('a', 'one', undefined, at('shop/b')),
    ];
    expect(given({ problems: sorted.toReversed() }).diagnostics).toEqual(sorted);
  });

  it('in the files comes first, and one in those of the other side last', () => {
    const [before, reading, after] = ['c', 'b', 'a'].map((code) => warningOf(code, code));
    const { input } = recordOf({ ...inputOf(TWO), problems: [reading as never] });
    const record = { input, before: [before as never], after: [after as never] };
    expect(planOfRecord(record, [compute]).diagnostics).toEqual([before, reading, after]);
  });
});

it('an update does what nobody must agree to and holds back the rest; planned again, it holds back what it is told to', () => {
  const world = shop('a: { branch: br-1, disabled: true, pooler_enabled: true }', 'ep-a: { branch: br-1 }');
  const plan = given({ consent: 'unattended' }, world);
  expect(plan.changes.map(({ attributes, blockedBy }) => [attributes.map(({ path }) => path), blockedBy])).toEqual([
    [['disabled'], ['consent']],
    [['pooler_enabled'], []],
  ]);
  expect(plan.steps.map(({ body }) => body)).toEqual([{ endpoint: { pooler_enabled: true } }]);
  const held = [{ address: 'shop/a', paths: ['pooler_enabled'], blockedBy: ['consent'] }] as const;
  expect(given({ consent: 'reviewed', held }, world).steps.map(({ body }) => body)).toEqual([
    { endpoint: { disabled: true } },
  ]);
});

describe('parts that are not selected', () => {
  it('are neither among what is left alone nor among what could not be judged', () => {
    const says = saying({ unread: ['its log is silent'] });
    const shown = (input: Partial<PlanInput>): unknown[] => {
      const { unread, unmanaged } = planWith(says, { ...TWO, input });
      return [...unread.map(({ what }) => what), ...unmanaged.map(({ address }) => address)];
    };
    expect(shown({})).toEqual(['shop/a', 'shop/b', 'shop/ep-x']);
    expect(shown({ target: ['shop/b'] })).toEqual(['shop/b']);
    expect(shown({ exclude: ['shop/b'] })).toEqual(['shop/a', 'shop/ep-x']);
  });

  it('are told with what was not read at all, by name', () => {
    const unread = ['wiki', 'blog'];
    const plan = planWith(saying({ unread: ['its log is silent'] }), { ...TWO, unread });
    expect(plan.unread.map(({ what }) => what)).toEqual(['blog', 'shop/a', 'shop/b', 'wiki']);
  });
});

describe('upkeep', () => {
  const refill: Partial<KindRules> = {
    upkeep: {
      mayNeed: () => true,
      needs: ({ differs }) => ({ action: 'refill', reasons: [differs ? 'differs' : 'same'] }),
    },
  };
  const kept = (more: Partial<World>): string[] =>
    planWith(refill, { ...TWO, ...more }).upkeep.map(({ address, reasons }) => `${address} ${reasons.join()}`);

  it('is planned for what is selected, besides its changes', () => {
    expect(kept({})).toEqual(['shop/a differs', 'shop/b same']);
    expect(kept({ input: { exclude: ['shop/a'] } })).toEqual(['shop/b same']);
  });

  it.each<[string, Partial<World>]>([
    ['after an error', { input: { problems: [errorOf('odd', 'odd')] } }],
    ['where a limit is exceeded', { safety: [{ maxRestarts: 0 }] }],
  ])('is not planned %s', (_name, more) => {
    expect(kept(more)).toEqual([]);
  });
});

describe('below a parent', () => {
  const bare: Partial<KindRules> = { attributes: {}, effects: {}, place: () => null };
  const TREE: KindRules = { ...compute, ...bare, kind: 'tree', parent: 'project', section: 'trees', segment: 'trees' };
  const LEAF: KindRules = { ...compute, ...bare, kind: 'leaf', parent: 'tree', section: 'leaves', segment: 'leaves' };
  const oak = declaredAs({ kind: 'tree', address: 'shop/trees/oak', scope: 'shop', name: 'oak', pin: 't-1' });
  const leaf = (name: string): DesiredResource =>
    declaredAs({ kind: 'leaf', address: `shop/trees/oak/leaves/${name}`, scope: 'shop', name, parent: oak.address });
  /** A kind whose resources follow from others. */
  const NEST: KindRules = { ...LEAF, kind: 'nest', section: 'nests', segment: 'nests', requests: {} };
  const nest = (name: string): DesiredResource => ({
    ...leaf(name),
    kind: 'nest',
    address: `shop/trees/oak/nests/${name}`,
  });
  const plan = (resources: readonly DesiredResource[], found: readonly LiveResource[], more: object = {}): Plan => {
    const projects = [{ label: 'shop', id: 'shop-1', name: 'shop' }];
    const { desired } = inputOf({ file: 'shop: {}' });
    const state = { projects: desired.projects, resources };
    return makePlan(
      bareInput({ desired: state, live: { projects, resources: found }, kinds: [TREE, LEAF, NEST], ...more }),
    );
  };
  const fresh = [{ ...oak, pin: null }, leaf('a'), nest('b'), nest('c')];

  it('that does not exist and is not selected, what is selected is left out with a warning', () => {
    const target = ['shop/trees/oak/leaves/a', 'shop/trees/oak/nests/b'];
    const { steps, changes, diagnostics } = plan(fresh, [], { target });
    expect([steps, diagnostics.map(({ code, message, hint }) => [code, message, hint])]).toEqual([
      [],
      [
        [
          'parent_not_selected',
          'shop/trees/oak/nests/b is left out: its parent shop/trees/oak does not exist and is not selected',
          'Select the parent, too: --target shop/trees/oak.',
        ],
      ],
    ]);
    expect(changes.find(({ kind }) => kind === 'leaf')?.blockedBy).toEqual(['dependency']);
  });

  it.each<[string, readonly DesiredResource[], readonly LiveResource[], object]>([
    ['is selected', fresh, [], { target: ['shop'] }],
    ['exists', [oak, leaf('a')], [living('tree', 't-1')], { target: ['shop/trees/oak/leaves/a'] }],
  ])('that %s, there is no such warning', (_name, resources, found, more) => {
    const { diagnostics, steps } = plan(resources, found, more);
    expect([diagnostics, steps.some(({ address }) => address === 'shop/trees/oak/leaves/a')]).toEqual([[], true]);
  });

  it.each<[string, Partial<DesiredResource>, string[]]>([
    ['that stays, what no file lists', {}, ['shop/moss-1', 'shop/moss-2', 'shop/trees/oak/leaves/l-2', 'shop/zoo-1']],
    ['that is replaced, only what is elsewhere', { spec: { size: 2 } }, ['shop/moss-1', 'shop/moss-2', 'shop/zoo-1']],
    ['that goes, not what goes with it', { absent: true }, ['shop/moss-2', 'shop/zoo-1']],
  ])('%s is left alone', (_name, own, expected) => {
    const goes: Attribute = {
      change: 'update',
      restarts: false,
      refersTo: { kind: 'tree', field: 'id', among: 'project', onRemoval: 'goes' },
    };
    const beside = { ...compute, ...bare, segment: null };
    const kinds: KindRules[] = [
      { ...beside, kind: 'zoo', section: 'zoos' },
      { ...TREE, attributes: { size: { change: 'replace', restarts: false } } },
      LEAF,
      { ...beside, kind: 'moss', section: 'mosses', attributes: { on: goes } },
    ];
    const found = [
      living('tree', 't-1', { size: 1 }),
      ...['l-1', 'l-2'].map((id) => living('leaf', id, {}, { parentId: 't-1' })),
      living('moss', 'moss-2', { on: 't-2' }),
      living('moss', 'moss-1', { on: 't-1' }),
      living('zoo', 'zoo-1'),
    ];
    const resources = [
      { ...oak, spec: { size: 1 }, ...own },
      { ...leaf('a'), pin: 'l-1', absent: true },
    ];
    expect(plan(resources, found, { kinds }).unmanaged.map(({ address }) => address)).toEqual(expected);
  });
});
