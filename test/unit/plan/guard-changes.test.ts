// What became of guards between two sets of files, in the words of a reviewer: added, removed, loosened, tightened.
import { describe, expect, it } from 'vitest';
import type { DesiredState, SafetyLimits, TimeWindow } from '../../../src/model/desired.ts';
import { guardsOf, guardChanges } from '../../../src/plan/guard/guards-in-force.ts';
import { at, inputOf, NO_LIMITS, shop } from './support/world.ts';

const window = (text: string): TimeWindow => ({ text, weekdays: [], startMinute: 0, endMinute: 1, timeZone: 'UTC' });
const limits = (...blocks: readonly Partial<SafetyLimits>[]): Pick<DesiredState, 'resources' | 'safety'> => ({
  resources: [],
  safety: blocks.map((block) => ({ ...NO_LIMITS, ...block })),
});
const file = (lifecycle: string): Pick<DesiredState, 'resources' | 'safety'> =>
  inputOf(shop(`a: { branch: br-1, lifecycle: { ${lifecycle} } }`)).desired;

/** Computes as they are, with nothing below, or as if something were. */
const NO_PARENTS = [{ parent: null }];
const COMPUTES_ARE_PARENTS = [{ parent: 'compute' }];

function changed(
  before: Pick<DesiredState, 'resources' | 'safety'>,
  after: Pick<DesiredState, 'resources' | 'safety'>,
  kinds: readonly { readonly parent: string | null }[] = NO_PARENTS,
): readonly string[] {
  return guardChanges(guardsOf(before, kinds), guardsOf(after, kinds))
    .map(({ change, guard, project, address }) => [change, guard, project ?? '-', address ?? '-'].join(' '))
    .toSorted();
}

const AT = (value: number, until: string): string =>
  `{ path: autoscaling_limit_max_cu, value: ${value}, until: ${until}, reason: INC-1 }`;
const HOLD = (until: string, value = 8): string => `hold: [${AT(value, until)}]`;

describe('limits', () => {
  it.each<[string, readonly Partial<SafetyLimits>[], readonly Partial<SafetyLimits>[], readonly string[]]>([
    ['all gone', [{ maxDeletes: 1, protect: ['*/p'] }], [], ['removed max_deletes - -', 'removed protect - */p']],
    ['new', [], [{ maxRestarts: 0 }], ['added max_restarts - -']],
    ['more let through', [{ maxDeletes: 1 }], [{ maxDeletes: 5 }], ['loosened max_deletes - -']],
    ['less let through', [{ maxChangePercent: 50 }], [{ maxChangePercent: 5 }], ['tightened max_change_percent - -']],
    ['more drops than where nobody says', [], [{ maxDrops: 5 }], ['loosened max_drops - -']],
    ['as many as where nobody says', [], [{ maxDrops: 1 }], ['added max_drops - -']],
    ['one of a project, beside one of all', [], [{ project: 'shop', maxDrops: 1 }], ['loosened max_drops shop -']],
    [
      'more of a project than of all before',
      [{ maxDrops: 3 }],
      [{ project: 'shop', maxDrops: 9 }],
      ['loosened max_drops shop -', 'removed max_drops - -'],
    ],
    ['none of a project', [], [{ project: 'shop', maxDrops: 0 }], ['added max_drops shop -']],
    [
      'many of a project, where all together may be fewer',
      [{ maxDrops: 1 }],
      [{ maxDrops: 1 }, { project: 'shop', maxDrops: 9 }],
      ['added max_drops shop -'],
    ],
    ['fewer drops', [{ maxDrops: 5 }], [{ maxDrops: 2 }], ['tightened max_drops - -']],
    ['a shorter time without use', [{ unlessIdleMs: 7000 }], [{ unlessIdleMs: 5000 }], ['loosened unless_idle - -']],
    ['a longer one', [{ unlessIdleMs: 5000 }], [{ unlessIdleMs: 7000 }], ['tightened unless_idle - -']],
    ['the longer of two', [{ unlessIdleMs: 5000 }, { unlessIdleMs: 7000 }], [{ unlessIdleMs: 7000 }], []],
    ['the same twice', [{ maxDeletes: 1 }], [{ maxDeletes: 1 }, { maxDeletes: 3 }], []],
    [
      'of one project',
      [{ project: 'shop', maxDeletes: 1 }],
      [{ maxDeletes: 1 }],
      ['added max_deletes - -', 'removed max_deletes shop -'],
    ],
    ['of the operator', [{ maxDeletes: 1, isOperators: true }], [], []],
    ['elsewhere in the file', [{ maxDeletes: 1, source: at(1) }], [{ maxDeletes: 1, source: at(9) }], []],
    ['a second one', [{ windows: [window('a')] }], [{ windows: [window('a'), window('b')] }], ['loosened windows - -']],
    ['one fewer', [{ windows: [window('a'), window('b')] }], [{ windows: [window('a')] }], ['tightened windows - -']],
    ['no windows', [{ windows: [window('a')] }], [{}], ['removed windows - -']],
    ['other windows', [{ windows: [window('a')] }], [{ windows: [window('b')] }], ['changed windows - -']],
    [
      'a second block of windows',
      [{ windows: [window('a')] }],
      [{ windows: [window('a')] }, { windows: [window('b')] }],
      ['changed windows - -'],
    ],
    [
      'some other windows',
      [{ windows: [window('a'), window('b')] }],
      [{ windows: [window('a'), window('c')] }],
      ['changed windows - -'],
    ],
    [
      'one of two blocks of windows gone',
      [{ windows: [window('a')] }, { windows: [window('b')] }],
      [{ windows: [window('b')] }],
      ['changed windows - -'],
    ],
    [
      'two blocks of windows that are alike',
      [{ windows: [window('a')] }, { windows: [window('b')] }],
      [{ windows: [window('a')] }, { windows: [window('b')] }, { windows: [window('b')] }],
      [],
    ],
  ])('%s', (_name, before, after, says) => {
    expect(changed(limits(...before), limits(...after))).toEqual(says);
  });

  it('of all below a resource are others than its own', () => {
    const pattern = { ...limits({ project: 'shop', protect: ['shop/a'] }), resources: [] };
    const both = ['added protect shop shop/a', 'removed protect shop shop/a'];
    expect(changed(pattern, file('protect: true'), COMPUTES_ARE_PARENTS)).toEqual(both);
    // Where nothing can lie below they are one.
    expect(changed(pattern, file('protect: true'))).toEqual([]);
  });
});

it.each<[string, string, string, readonly string[]]>([
  ['a protection gone', 'protect: true', '', ['removed protect shop shop/a']],
  ['another attribute left alone', '', 'ignore: [pooler_mode]', ['added ignore shop shop/a']],
  ['one of two ignored', 'ignore: [name, pooler_mode]', 'ignore: [name]', ['removed ignore shop shop/a']],
  [
    'one of two holds of a value gone',
    `hold: [${AT(8, '2026-12-01')}, ${AT(8, '2026-12-01').replace('max', 'min')}]`,
    HOLD('2026-12-01'),
    ['removed hold shop shop/a'],
  ],
  [
    'the longer of two holds of a value gone',
    `hold: [${AT(8, '2027-01-01')}, ${AT(8, '2026-12-01').replace('INC-1', 'INC-2')}]`,
    `hold: [${AT(8, '2026-12-01').replace('INC-1', 'INC-2')}]`,
    ['changed hold shop shop/a'],
  ],
  ['a longer hold', HOLD('2026-12-01'), HOLD('2027-01-01'), ['tightened hold shop shop/a']],
  ['a shorter hold', HOLD('2027-01-01'), HOLD('2026-12-01'), ['loosened hold shop shop/a']],
  ['another value', HOLD('2026-12-01'), HOLD('2026-12-01', 4), ['added hold shop shop/a', 'removed hold shop shop/a']],
  [
    'a second hold of an attribute, whichever stands first',
    `hold: [${AT(8, '2026-12-01')}]`,
    `hold: [${AT(4, '2026-11-30')}, ${AT(8, '2026-12-01')}]`,
    ['added hold shop shop/a'],
  ],
  [
    'two holds of one value are as the longer one',
    `hold: [${AT(8, '2027-12-01')}, ${AT(8, '2026-12-01')}]`,
    `hold: [${AT(8, '2026-12-01')}]`,
    ['loosened hold shop shop/a'],
  ],
])('lifecycles: %s', (_name, before, after, says) => {
  expect(changed(file(before), file(after))).toEqual(says);
});
