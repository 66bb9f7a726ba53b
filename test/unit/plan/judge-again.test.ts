// Saved plans under the limits of now: they may hold back, and never add.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import { kinds } from '../../../src/kinds/index.ts';
import type { SafetyLimits } from '../../../src/model/desired.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { Allowance } from '../../../src/plan/input.ts';
import { judgedAgain } from '../../../src/plan/guard/judge-again.ts';
import { planToJson } from '../../../src/plan/json/plan-json.ts';
import { openPlan, type OpenedPlan } from '../../../src/plan/json/saved-plan.ts';
import { planOfRecord } from '../../../src/plan/make-plan.ts';
import { branch, compute as computeOn, inputOfShop, type Shop } from './support/whole-shop.ts';
import { allowing, inputOf, NO_LIMITS, planOf, recordOf, type World } from './support/world.ts';

const world: World = {
  file: `
shop:
  computes:
    gone: { id: ep-a, branch: br-1, state: absent }
    other: { id: ep-b, branch: br-2, state: absent }
    made: { branch: br-3 }
    resized: { branch: br-4, max: 4 }`,
  live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 }, ep-d: { branch: br-4, max: 2 } }',
  safety: [{ maxDeletes: 3 }],
};
const sunday = { text: 'Sun 02:00-04:00 UTC', weekdays: [0], startMinute: 120, endMinute: 240, timeZone: 'UTC' };

const stamp = { timestamp: '2026-11-20T12:00:00.000Z', toolVersion: '1', expiresInMs: null };
const openedOf = (one: World): OpenedPlan =>
  openPlan(planToJson(planOf(one), { ...stamp, record: recordOf(inputOf(one)) }), {
    kinds: [compute],
    toolVersion: '1',
  }) as OpenedPlan;
const opened = openedOf(world);
/** The plan under these limits of now. */
const judged = (
  one: OpenedPlan,
  limits: readonly Partial<SafetyLimits>[] = [],
  { allow = [], isSigned = false }: { readonly allow?: readonly Allowance[]; readonly isSigned?: boolean } = {},
): Plan | null => {
  const now = { limits: limits.map((block) => ({ ...NO_LIMITS, ...block })), allow, isSigned };
  return judgedAgain(one, now, [compute])?.plan ?? null;
};
const ids = (plan: Plan | null): readonly string[] => plan?.steps.map(({ id }) => id) ?? ['nothing fits'];
const DELETES: Allowance = { action: 'delete', address: 'shop/*' };

function stepsUnder(limits: Partial<SafetyLimits>, ...allow: readonly Allowance[]): readonly string[] {
  return ids(judged(opened, [limits], { allow }));
}

const ALL = ['create:shop/made', 'delete:shop/gone', 'delete:shop/other', 'update:shop/resized'];

describe('a saved plan', () => {
  it('goes on as it was without limits', () => {
    expect(judged(opened)).toEqual(opened.plan);
    expect(stepsUnder({})).toEqual(ALL);
  });

  it.each<[string, Partial<SafetyLimits>, readonly string[]]>([
    ['a stricter count', { maxDeletes: 1 }, []],
    ['a looser count', { maxDeletes: 9 }, ALL],
    ['a protection', { protect: ['shop/ep-a'] }, ALL.filter((id) => id !== 'delete:shop/gone')],
    ['a project that is not in it', { project: 'blog', maxDeletes: 0 }, ALL],
    ['windows, which are judged when a step is sent', { windows: [sunday] }, ALL],
  ])('meets %s', (_name, limits, left) => {
    expect(stepsUnder(limits)).toEqual(left);
  });

  it('keeps its hash, and has the windows of now besides its own', () => {
    const plan = judged(opened, [{ windows: [sunday], maxDeletes: 0 }]);
    expect(plan?.planHash).toBe(opened.plan.planHash);
    expect(plan?.windows).toEqual([{ project: null, windows: [sunday] }]);
    expect(plan?.limitsExceeded.map(({ limit, allowed }) => [limit, allowed])).toEqual([['max_deletes', 0]]);
  });

  it.each([
    [false, ['max_deletes']],
    [true, ['max_deletes', 'max_drops']],
  ])('shows what whoever made it permitted as in force where it is signed: %s', (isSigned, guards) => {
    const permitted = openedOf({ ...world, safety: [{ maxDeletes: 3 }, { maxDrops: 5, isOperators: true }] });
    const plan = judged(permitted, [], { isSigned });
    expect(plan?.guards.map(({ guard }) => guard)).toEqual(guards);
  });

  it('is lifted over a limit by what is allowed now', () => {
    expect(stepsUnder({ maxDeletes: 0 }, DELETES)).toEqual(ALL);
  });

  it.each<[string, readonly Partial<SafetyLimits>[], boolean, readonly string[]]>([
    ['lifts no limit of the operator where anybody may have made it', [], false, []],
    ['lifts one where nobody but the holder of the key can have', [], true, ALL],
    ['lifts none that it was made under, and that is set again', [{ maxDeletes: 1, isOperators: true }], false, []],
  ])('what it was made with %s', (_name, safety, isSigned, left) => {
    const allowing = openedOf({ ...world, safety: [...safety], input: { allow: [DELETES] } });
    expect(ids(judged(allowing, [{ maxDeletes: 1, isOperators: true }], { isSigned }))).toEqual(left);
  });

  it('lifts what it was made under, where the operator sets nothing now', () => {
    const safety = [{ maxDeletes: 1, isOperators: true as const }];
    const allowing = openedOf({ ...world, safety, input: { allow: [DELETES] } });
    expect(ids(judged(allowing, [{ maxRestarts: 9, isOperators: true }]))).toEqual(ALL);
  });
});

describe('nothing that is said at apply', () => {
  const REPLICAS: World = {
    file: `shop: { computes: {
      one: { id: ep-one, branch: br-1, type: read_only, state: absent }, two: { id: ep-two, branch: br-1, type: read_only },
      c3: { branch: br-3, max: 4 }, c4: { branch: br-4, max: 4 } } }`,
    live: `shop: { ep-one: { branch: br-1, type: read_only }, ep-two: { branch: br-1, type: read_only },
      ep-c: { branch: br-3, max: 2 }, ep-d: { branch: br-4, max: 2 } }`,
  };
  const THIS: Allowance = { action: 'delete', address: 'shop/ep-one' };
  const OTHER: Allowance = { action: 'delete', address: 'shop/ep-two' };
  const RESTARTS: Allowance = { action: 'restart', address: 'shop/*' };
  /** The requests of the plan made with `made`, judged under these limits with these allowances. */
  const requestsOf = (
    one: World,
    limits: Partial<SafetyLimits>,
    allow: readonly Allowance[],
    isSigned: boolean = false,
  ): readonly string[] | null => {
    const plan = judged(openedOf(one), [{ ...limits, isOperators: true }], { allow, isSigned });
    return plan?.steps.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`).sort() ?? null;
  };

  it.each([false, true])('lets it do to one what it shows of another (signed: %s)', (isSigned) => {
    const made = { ...REPLICAS, input: { allow: [THIS] } };
    const all = ['DELETE ep-one', 'PATCH ep-c', 'PATCH ep-d'];
    expect(requestsOf(made, { maxDeletes: 5 }, [OTHER], isSigned)).toEqual(all);
    expect(requestsOf(made, { maxDeletes: 5 }, [OTHER, RESTARTS], isSigned)).toEqual(all);
  });

  it('takes from another word of it what that lifts', () => {
    const many = Array.from({ length: 9 }, (_, at): Allowance => ({ action: 'restart', address: `shop/x${at}` }));
    for (const allow of [
      [RESTARTS, THIS],
      [THIS, RESTARTS],
      [...many, THIS, RESTARTS, OTHER, ...many],
    ])
      expect(requestsOf(REPLICAS, { maxRestarts: 1 }, allow)).toEqual(['DELETE ep-one', 'PATCH ep-c', 'PATCH ep-d']);
  });

  it.each([false, true])('brings about what a limit held back when it was made (signed: %s)', (isSigned) => {
    const held = { ...world, safety: [{ maxDeletes: 1 }] };
    expect(openedOf(held).plan.steps).toEqual([]);
    expect(requestsOf(held, { protect: ['shop/ep-a'] }, [], isSigned)).toEqual([]);
    expect(requestsOf(held, { maxDeletes: 9 }, [DELETES], isSigned)).toEqual([]);
  });

  it('adds a step to those that were shown', () => {
    const { plan, ...of } = openedOf({ ...REPLICAS, input: { allow: [THIS] } });
    const shown = { ...of, plan: { ...plan, steps: plan.steps.slice(1) } };
    expect(judged({ ...of, plan }, [{ maxRestarts: 9 }], { isSigned: true })?.steps).toHaveLength(3);
    expect(judged(shown, [{ maxRestarts: 9 }], { isSigned: true })).toBeNull();
  });
});

describe('what the operator protects by the name of a project', () => {
  const zzz: SafetyLimits = { ...NO_LIMITS, protect: ['zzz/**'], isOperators: true };
  /** The steps of the plan that was made while the account called the project by the first name (null: nobody could tell), and of the same now. */
  function stepsAs(then: string | null, now: string, limits: readonly SafetyLimits[]): readonly (readonly string[])[] {
    const input = inputOf({ ...world, safety: [] });
    const called = (names: readonly (string | null)[]): typeof input.live => ({
      ...input.live,
      projects: input.live.projects.map((one) => ({ ...one, namesInAccount: names })),
    });
    const record = recordOf({ ...input, desired: { ...input.desired, safety: [zzz] }, live: called([then]) });
    const saved = planToJson(planOfRecord(record, [compute]), { ...stamp, record });
    const made = openPlan(saved, { kinds: [compute], toolVersion: '1' }) as OpenedPlan;
    const again = { ...made.record, input: { ...made.record.input, live: called([...new Set([then, now])]) } };
    return [made.plan, judged({ ...made, record: again }, limits)].map(ids);
  }
  const KEPT = ['create:shop/made', 'update:shop/resized'];

  it.each([
    ['could not be told', null, 'shop'],
    ['was another one', 'zzz', 'shop'],
    ['is the same', 'zzz', 'zzz'],
  ] as const)('stays held where that %s when the plan was made, and the rest is done', (_what, then, now) => {
    expect(stepsAs(then, now, [zzz])).toEqual([KEPT, KEPT]);
    expect(stepsAs(then, now, [{ ...NO_LIMITS, maxDeletes: 9 }])).toEqual([KEPT, KEPT]);
  });

  it('is held where it has that name by now', () => {
    expect(stepsAs('shop', 'zzz', [zzz])).toEqual([ALL, KEPT]);
  });
});

describe('a saved plan of every kind', () => {
  const judgedOf = async (
    shop: Shop,
    limits: readonly Partial<SafetyLimits>[],
    isSigned: boolean,
    ...allow: readonly string[]
  ): Promise<Plan | null> => {
    const record = recordOf(await inputOfShop({ live: LIVE, ...shop }));
    const saved = openPlan(planToJson(planOfRecord(record, kinds), { ...stamp, record }), {
      kinds,
      toolVersion: '1',
    }) as OpenedPlan;
    const now = { limits: limits.map((block) => ({ ...NO_LIMITS, ...block })), ...allowing(...allow), isSigned };
    return judgedAgain(saved, now, kinds)?.plan ?? null;
  };
  const LIVE = [branch('old'), computeOn('old', 'ep-1', { name: 'x', disabled: false })];
  const DROP = 'drop:shop/branches/old';
  const dropped: Shop = { entry: '{ branches: { old: { state: absent } } }', allow: [DROP] };

  it.each([
    ['consents to no loss unsigned', false, [], []],
    ['consents to its losses where it is signed', true, [], ['delete:shop/branches/old']],
    ['goes on with consent to the loss now', false, [DROP], ['delete:shop/branches/old']],
  ])('%s', async (_name, isSigned, allow, steps) => {
    expect(ids(await judgedOf(dropped, [], isSigned, ...allow))).toEqual(steps);
  });

  it('leaves out the attributes that it left out', async () => {
    const entry = '{ computes: { a: { branch: br-old, name: y, disabled: true } } }';
    const plan = await judgedOf({ entry, consent: 'unattended' }, [], false);
    expect(plan?.changes.map(({ attributes, blockedBy }) => [attributes[0]?.path, ...blockedBy])).toEqual([
      ['disabled', 'consent'],
      ['name'],
    ]);
    expect(ids(plan)).toEqual(['update:shop/a']);
  });

  it('keeps what its files say about drops, and the names that they mean', async () => {
    const project = { namesInAccount: ['real'] };
    const safety = [{ maxDrops: 2, protect: ['real/**'] }];
    const plan = await judgedOf({ ...dropped, project, safety }, [], false, DROP);
    expect(plan?.guards.map(({ guard }) => guard)).toEqual(['max_drops', 'protect']);
    expect(ids(plan)).toEqual(['delete:shop/branches/old']);
  });
});
