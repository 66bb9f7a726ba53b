// What a plan takes away as a whole: branches left without a primary, in between or for good, and what needs a consent for it.
import { describe, expect, it } from 'vitest';
import { isJsonObject } from '../../../src/base/json.ts';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import type { PlanInput } from '../../../src/plan/input.ts';
import { planText } from './support/plan-text.ts';
import { allowing, IN_ONE_HOUR, planOf, type World, shop } from './support/world.ts';

/** `address: branch` of every branch that the plan says is left; with `until` where that is only in between. */
function left(plan: Plan): string[] {
  const running = plan.changes.filter(({ blockedBy }) => blockedBy.length === 0);
  return running.flatMap(({ address, impact, impactDetails: { no_primary: detail } }) => {
    expect(impact.includes('no_primary')).toBe(detail !== undefined);
    if (!isJsonObject(detail)) return [];
    const until = detail['until'] === null ? '' : ` until ${String(detail['until'])}`;
    return [`${address}: ${String(detail['branch_id'])}${until}`];
  });
}

const blocks = (plan: Plan): Record<string, string> =>
  Object.fromEntries(
    plan.changes.flatMap(({ name, blockedBy }) => (blockedBy.length > 0 ? [[name, blockedBy.join()]] : [])),
  );

const TWO = 'ep-a: { branch: br-a }, ep-b: { branch: br-b }';
const SWAP = 'a: { id: ep-a, branch: br-b, lifecycle: { via: br-v } }, b: { id: ep-b, branch: br-a }';
const CHAIN = 'a: { id: ep-a, branch: br-b }, b: { id: ep-b, branch: br-c }';
const unattended = (...words: string[]): Partial<PlanInput> => ({ consent: 'unattended', ...allowing(...words) });

describe('a branch is left without a primary', () => {
  it.each<[string, World, string[]]>([
    ['by a deletion', shop('a: { id: ep-a, state: absent }', TWO), ['shop/a: br-a']],
    [
      'by a prune',
      { file: 'shop: { prune: true, computes: { b: { branch: br-b } } }', live: `shop: { ${TWO} }` },
      ['shop/ep-a: br-a'],
    ],
    ['by a change of type', shop('a: { id: ep-a, branch: br-a, type: read_only }', TWO), ['shop/a: br-a']],
    ['by a move', shop('a: { id: ep-a, branch: br-c }', TWO), ['shop/a: br-a']],
    [
      'not by the move of a replica',
      shop('a: { id: ep-a, branch: br-c, type: read_only }', 'ep-a: { branch: br-a, type: read_only }'),
      [],
    ],
    ['at the end of a chain for good, else between', shop(CHAIN, TWO), ['shop/a: br-a', 'shop/b: br-b until shop/a']],
    ['in between by a swap', shop(SWAP, TWO), ['shop/a: br-a until shop/b', 'shop/b: br-b until shop/a']],
    [
      'in between where another is made in its place',
      shop('old: { id: ep-a, state: absent }, new: { branch: br-a, new: true }', TWO),
      ['shop/old: br-a until shop/new'],
    ],
    [
      'not where a second primary stays',
      shop('a: { id: ep-a, state: absent }', 'ep-a: { branch: br-a }, ep-b: { branch: br-a }'),
      [],
    ],
    ['not by a protected one', shop('a: { id: ep-a, state: absent }', TWO, { safety: [{ protect: ['shop/a'] }] }), []],
    ['not by what nobody consented to', shop(CHAIN, TWO, { input: unattended() }), []],
    ['for good if its filler is held back', shop(CHAIN, TWO, { input: unattended('move:shop/b') }), ['shop/b: br-b']],
    ['not by what is excluded', shop(CHAIN, TWO, { input: { exclude: ['shop/b'] } }), []],
    ['not by a restart, nor by being disabled', shop('a: { branch: br-a, disabled: true }', TWO), []],
  ])('%s', (_name, world, expected) => {
    const plan = planOf(world);
    expect(left(plan), planText(plan)).toEqual(expected);
  });

  it('is no loss where it was only passed through, since a run broke off there: the plan says whose way it is', () => {
    const words = (live: string): unknown[] =>
      planOf(shop(SWAP, live)).changes.flatMap(({ impactDetails: { no_primary: detail } }) =>
        isJsonObject(detail) ? [[detail['branch_id'], detail['passage'] ?? false, detail['words']]] : [],
      );
    const passed = [
      'br-v',
      true,
      'branch br-v is without a primary again: lifecycle.via uses this branch as the temporary branch',
    ];
    const waits =
      'branch br-b has no primary until shop/a is there; if the run is interrupted, the branch stays without a primary';
    expect(words('ep-a: { branch: br-v }, ep-b: { branch: br-b }')).toEqual([passed, ['br-b', false, waits]]);
    expect(words('ep-a: { branch: br-v }, ep-b: { branch: br-a }')).toEqual([passed]);
    const elsewhere = 'branch br-x is left without a primary: no client can write to the branch';
    expect(words('ep-a: { branch: br-x }, ep-b: { branch: br-a }')).toEqual([['br-x', false, elsewhere]]);
  });

  it.each<[string, World]>([
    ['by the lack of somebody who agrees', { input: unattended() }],
    ['by a window', { safety: [{ windows: [IN_ONE_HOUR] }] }],
    [
      'by a limit of the operator',
      {
        safety: [
          { maxRestarts: 0, isOperators: true },
          { windows: [IN_ONE_HOUR], isOperators: true },
        ],
      },
    ],
  ])('is told of what is held back %s as if it ran: the hash covers it', (_name, more) => {
    const plan = planOf(shop(CHAIN, TWO, more));
    expect(plan.steps).toEqual([]);
    const words = plan.changes.map(({ impact, impactDetails: { no_primary: detail } }) => [
      impact.includes('no_primary'),
      isJsonObject(detail) && detail['words'],
    ]);
    expect(words).toEqual([
      [true, 'branch br-a is left without a primary: no client can write to the branch'],
      [
        true,
        'branch br-b has no primary until shop/a is there; if the run is interrupted, the branch stays without a primary',
      ],
    ]);
  });

  it('is not told of what is held back for good', () => {
    const plan = planOf(shop('a: { id: ep-a, state: absent }', TWO, { safety: [{ protect: ['shop/a'] }] }));
    expect(plan.changes.flatMap(({ blockedBy }) => blockedBy)).not.toEqual([]);
    expect(plan.changes.flatMap(({ impact }) => impact)).not.toContain('no_primary');
  });

  it.each<[string, PlanInput['consent'], string[]]>([
    [
      'lacks a consent, too: whoever is asked for it reads what it costs',
      'unattended',
      ['if this change ran: branch br-a is left without a primary: no client can write to the branch'],
    ],
    ['lacks no consent', 'reviewed', []],
  ])('is told as a note at most of what is held back for good, and %s', (_name, consent, expected) => {
    const more: World = { safety: [{ protect: ['shop/a'] }], input: { consent } };
    const [change] = planOf(shop('a: { id: ep-a, state: absent }, b: { branch: br-b }', TWO, more)).changes;
    expect([change?.notes, change?.impact]).toEqual([expected, ['permanent', 'drops_connections']]);
  });

  it('before a move is told of the branch that nobody leaves for it', () => {
    const { changes } = planOf({
      file: `shop: { branches: { c: br-c }, computes: { ${CHAIN} } }`,
      live: `shop: { ${TWO} }`,
    });
    expect(changes.map(({ notes }) => notes)).toEqual([[], ['branch c (br-c) has no primary now']]);
  });

  it('and after a run that broke off in between, the plan says which branch has none', () => {
    const [, b] = planOf(shop(SWAP, 'ep-a: { branch: br-v }, ep-b: { branch: br-b }')).changes;
    expect(b?.notes).toContain('branch br-a has no primary now');
  });
});

describe('consent to what takes a service away', () => {
  const computes = `
    gone: { branch: br-a, disabled: true },
    moved: { id: ep-b, branch: br-c },
    off: { branch: br-d, disabled: true },
    pooled: { branch: br-e, pooler_enabled: true }`;
  const live = `
    ep-a: { branch: br-a, disabled: false },
    ep-b: { branch: br-b },
    ep-d: { branch: br-d, disabled: true },
    ep-e: { branch: br-e, pooler_enabled: false }`;

  it.each<[string, Partial<PlanInput>, Record<string, string>]>([
    ['a review is one', {}, {}],
    ['nobody has given it', unattended(), { gone: 'consent', moved: 'consent' }],
    ['to disable', unattended('disable:shop/gone'), { moved: 'consent' }],
    ['to move, by the live id', unattended('move:shop/ep-b'), { gone: 'consent' }],
    ['to everything', unattended('*:*'), {}],
    ['that to another action is none', unattended('restart:*', 'delete:*'), { gone: 'consent', moved: 'consent' }],
    [
      'without any impact, not even who can get in may change',
      { consent: 'no_impact' },
      { gone: 'consent', moved: 'consent', pooled: 'consent' },
    ],
  ])('%s', (_name, input, expected) => {
    expect(blocks(planOf(shop(computes, live, { input })))).toEqual(expected);
  });
});
