// Guards: what is held back, by which word, and what is let through.
import { describe, expect, it } from 'vitest';
import type { SafetyLimits } from '../../../src/model/desired.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { dedent, planText } from './support/plan-text.ts';
import { allowing, IN_ONE_HOUR, planOf, type World, shop } from './support/world.ts';

/** One of each: an update that changes who can get in, a resize, a replacement, a deletion, a creation. */
const world: World = {
  file: `
shop:
  computes:
    easy: { branch: br-1, pooler_enabled: true }
    gone: { id: ep-gone, state: absent }
    new: { branch: br-9 }
    other: { id: ep-other, branch: br-3, type: read_only }
    size: { branch: br-4, max: 2 }`,
  live: `
shop:
  ep-easy: { branch: br-1, pooler_enabled: false }
  ep-gone: { branch: br-2 }
  ep-other: { branch: br-3 }
  ep-size: { branch: br-4, max: 1 }`,
};

function blocks(input: Partial<PlanInput>, safety: Partial<SafetyLimits>[] = []): Record<string, string> {
  const plan = planOf({ ...world, safety, input });
  return Object.fromEntries(
    plan.changes.filter(({ blockedBy }) => blockedBy.length > 0).map(({ name, blockedBy }) => [name, blockedBy.join()]),
  );
}

it.each<[string, Partial<PlanInput>, Record<string, string>]>([
  ['a review consents to everything', { consent: 'reviewed' }, {}],
  ['nobody consents to what removes', { consent: 'unattended' }, { gone: 'consent', other: 'consent' }],
  ['an allowance lets what it names', { consent: 'unattended', ...allowing('delete:shop/*') }, { other: 'consent' }],
  ['or to everything', { consent: 'unattended', ...allowing('*:*') }, {}],
  ['an allowance of a live one', { consent: 'unattended', ...allowing('replace:shop/ep-other') }, { gone: 'consent' }],
  [
    'no-impact lets only what harms nobody',
    { consent: 'no_impact' },
    { easy: 'consent', gone: 'consent', other: 'consent', size: 'consent' },
  ],
  [
    'and no allowance lets more',
    { consent: 'no_impact', ...allowing('*:*/*') },
    { easy: 'consent', gone: 'consent', other: 'consent', size: 'consent' },
  ],
])('consent: %s', (_name, input, expected) => {
  expect(blocks(input)).toEqual(expected);
});

it('a prune rule asks for deletions, and is nobody’s consent to them', () => {
  const blocked = (input: Partial<PlanInput>): (readonly string[])[] =>
    planOf({
      file: 'shop: { prune: true, computes: { a: { branch: br-1 } } }',
      live: 'shop: { ep-a: { branch: br-1 }, ep-x: { branch: br-2, type: read_only } }',
      input,
    })
      .changes.filter(({ action }) => action === 'delete')
      .map(({ blockedBy }) => blockedBy);
  expect(blocked({ consent: 'unattended' })).toEqual([['consent']]);
  expect(blocked({ consent: 'no_impact' })).toEqual([['consent']]);
  expect(blocked({ consent: 'reviewed' })).toEqual([[]]);
  expect(blocked({ consent: 'unattended', ...allowing('delete:shop/ep-x') })).toEqual([[]]);
});

it('dependents wait with what they need', () => {
  const plan = planOf({
    file: `
shop:
  computes:
    a: { id: ep-a, state: absent, lifecycle: { protect: true } }
    b: { branch: br-1, new: true }
    c: { id: ep-c, branch: br-2 }
    d: { id: ep-d, branch: br-3, lifecycle: { protect: true }, type: read_only }
    e: { id: ep-e, branch: br-4, pooler_enabled: true }`,
    live: `
shop:
  ep-a: { branch: br-1 }
  ep-c: { branch: br-3 }
  ep-d: { branch: br-2 }
  ep-e: { branch: br-4 }`,
  });
  expect(planText(plan)).toBe(
    dedent(`
      delete shop/a ep-a [permanent drops_connections] blocked by protect
      create shop/b blocked by dependency
      move shop/c ep-c [other_data drops_connections cold_start] blocked by dependency
        branch_id: br-3 → br-2
      replace shop/d ep-d [permanent drops_connections host_changes] blocked by protect
        branch_id: br-2 → br-3
        type: read_write → read_only
      update shop/e ep-e [access_changes]
        pooler_enabled: false → true
      steps
        update:shop/e PATCH /projects/shop-1/endpoints/ep-e {endpoint:{pooler_enabled:true}}`),
  );
});

describe('target and exclude', () => {
  it.each<[string, Partial<PlanInput>, string[]]>([
    ['a name', { target: ['shop/easy'] }, ['update:shop/easy']],
    ['a live id', { target: ['shop/ep-gone'] }, ['delete:shop/gone']],
    ['a glob without some', { target: ['shop/*'], exclude: ['*/ep-*', '*/new'] }, []],
    [
      'all but one',
      { exclude: ['shop/other'] },
      ['create:shop/new', 'delete:shop/gone', 'update:shop/easy', 'update:shop/size'],
    ],
  ])('%s', (_name, input, ids) => {
    expect(planOf({ ...world, input }).steps.map(({ id }) => id)).toEqual(ids);
  });

  it('blocks what needs something that is not selected', () => {
    const plan = planOf(
      shop(
        'a: { id: ep-a, branch: br-2 }, b: { id: ep-b, branch: br-3 }',
        'ep-a: { branch: br-1 }, ep-b: { branch: br-2 }',
        { input: { target: ['shop/a'] } },
      ),
    );
    expect(plan.changes.map(({ address, blockedBy }) => [address, blockedBy])).toEqual([['shop/a', ['dependency']]]);
    // The plan does not show what it needs, so it has to name it.
    expect(plan.changes[0]?.waitsFor).toBe('shop/b');
  });
});

describe('hold and ignore', () => {
  const held = (until: string, value: number): World => ({
    file: `
shop:
  computes:
    a: { branch: br-1, max: 2, pooler_enabled: true, lifecycle: { ignore: [pooler_enabled], hold: [{ path: autoscaling_limit_max_cu, value: ${value}, until: ${until}, reason: INC-1 }] } }`,
    live: 'shop: { ep-a: { branch: br-1, max: 16, pooler_enabled: false } }',
  });

  it.each<[string, World, string]>([
    ['let a difference be', held('2026-12-01', 16), 'none shop/a ep-a\n  held autoscaling_limit_max_cu: 16 (wanted 2)'],
    [
      'end',
      held('2026-11-01', 16),
      `
      update shop/a ep-a [drops_connections]
        autoscaling_limit_max_cu: 16 → 2 !
      steps
        update:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{autoscaling_limit_max_cu:2}}`,
    ],
    [
      'are for one value only',
      held('2026-12-01', 8),
      `
      update shop/a ep-a [drops_connections]
        autoscaling_limit_max_cu: 16 → 2 !
      steps
        update:shop/a PATCH /projects/shop-1/endpoints/ep-a {endpoint:{autoscaling_limit_max_cu:2}}`,
    ],
  ])('%s', (_name, small, plan) => {
    expect(planText(planOf(small))).toBe(dedent(plan));
  });

  it.each([
    ['2026-11-20T12:00:00Z', 'update'],
    ['2026-11-20T12:00:01Z', 'none'],
  ])('hold until before %s: then %s', (until, action) => {
    expect(planOf(held(until, 16)).changes[0]?.action).toBe(action);
  });

  it.each([
    ['one that holds now, whatever stands before it', [8, '2026-11-30'], [16, '2026-12-01'], 'none'],
    ['one that has ended before', [16, '2026-11-01'], [16, '2026-12-01'], 'none'],
    ['none of both', [16, '2026-11-01'], [8, '2026-12-01'], 'update'],
  ])('several on an attribute: %s', (_name, one, other, action) => {
    const holds = [one, other]
      .map(
        ([value, until]) =>
          `{ path: autoscaling_limit_max_cu, value: ${value}, until: ${until}, reason: INC-${value} }`,
      )
      .join(', ');
    const plan = planOf(
      shop(`a: { branch: br-1, max: 2, lifecycle: { hold: [${holds}] } }`, 'ep-a: { branch: br-1, max: 16 }'),
    );
    expect(plan.changes[0]?.action).toBe(action);
    // What stands longest in the way is told where nothing holds.
    if (action === 'update') expect(plan.changes[0]?.notes.join()).toMatch(/INC-8.* is for another live value/);
  });
});

describe('while the time is not known', () => {
  const small: World = {
    file: `
shop:
  computes:
    easy: { branch: br-1, pooler_enabled: true }
    held: { branch: br-2, max: 2, lifecycle: { hold: [{ path: autoscaling_limit_max_cu, value: 1, until: 2026-01-01 }] } }
    old: { branch: br-3, restart: { not_before: 2026-11-01 } }
    size: { branch: br-4, max: 2 }`,
    live: `
shop:
  ep-easy: { branch: br-1, pooler_enabled: false }
  ep-held: { branch: br-2, max: 1 }
  ep-old: { branch: br-3, created: 2026-01-01, started: 2026-10-01 }
  ep-size: { branch: br-4, max: 1 }`,
  };
  const told = (input: Partial<PlanInput>, safety: Partial<SafetyLimits>[] = []): readonly (readonly string[])[] => {
    const { changes, diagnostics } = planOf({ ...small, safety, input });
    const actions = changes.map(({ name, action, blockedBy }) => [name, action, ...blockedBy].join(' '));
    return [actions, diagnostics.map(({ code, message }) => `${code}: ${message}`)];
  };
  const DOUBT = { clockDoubt: 'two clocks' };
  const WARNING = [expect.stringMatching(/^clock_unknown: .*two clocks/)];

  it('changes that time alone causes are held, and that is said', () => {
    const free = ['easy update', 'held update', 'old restart', 'size update'];
    expect(told({})).toEqual([free, []]);
    expect(told(DOUBT)).toEqual([['easy update', 'held none', 'old restart clock_unknown', 'size update'], WARNING]);
    const windows = [{ windows: [{ ...IN_ONE_HOUR, startMinute: 0, endMinute: 1440 }] }];
    expect(told({}, windows)).toEqual([free, []]);
    expect(told(DOUBT, windows)[0]).toEqual([
      'easy update',
      'held none',
      'old restart clock_unknown window',
      'size update clock_unknown window',
    ]);
  });

  it('nothing is said where nothing is held', () => {
    expect(told({ ...DOUBT, target: ['shop/easy'] })).toEqual([['easy update'], []]);
    expect(told({ ...DOUBT, target: ['shop/held'] })).toEqual([['held none'], WARNING]);
  });
});

it('a protected declaration with a pin that is gone makes nothing', () => {
  const file = 'a: { id: ep-gone, branch: br-1, type: read_only, lifecycle: { protect: true } }';
  expect(planOf(shop(file)).changes.map(({ action, blockedBy }) => [action, ...blockedBy])).toEqual([
    ['create', 'stale_pin'],
  ]);
});

it.each([
  [2, 2, []],
  [60, 50, ['candidate: ep-109 (no label), 0.25 CU, never seen active', 'and 40 more candidates']],
])('a removal that may hit any of %i lists %i of them', (count, listed, last) => {
  const replicas = Array.from({ length: count }, (_, at) => `ep-${100 + at}: { branch: br-1, type: read_only }`);
  const computes = 'a: { branch: br-1, type: read_only }, z: { branch: br-1, type: read_only, state: absent }';
  const removal = planOf(shop(computes, replicas.join(', '))).changes.find(({ address }) => address === 'shop/z');
  expect([removal?.action, removal?.blockedBy]).toEqual(['delete', ['ambiguous']]);
  const candidates = removal?.candidates?.map(({ id, address }) => `${id} ${address}`) ?? [];
  expect(candidates.slice(0, 3)).toEqual(['ep-100 shop/a', 'ep-101 shop/z', 'ep-102 null'].slice(0, count));
  expect(candidates).toHaveLength(listed);
  expect(removal?.notes.filter((note) => note.includes('candidate')).slice(Math.min(9, count))).toEqual(last);
});
