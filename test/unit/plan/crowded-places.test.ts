// Places that hold more than they may, and places that two want; nothing there is changed, and all declarations concerned are named.
import { describe, expect, it } from 'vitest';
import { at, planOf, type World, shop } from './support/world.ts';

const CROWD = 'ep-1: { branch: br-1 }, ep-2: { branch: br-1 }';
const NOBODY = 'none shop/a null: several live resources hold the slot of this address';
const B_HAS_NO_PLACE = 'shop/b: shop/b cannot be the primary of br-1: shop/a is the primary of br-1 already';
const WORDS = 'only one live resource can be the primary of br-1, but the account has ep-1 and ep-2';

/** Computes of project shop, one a line from line 2 on; `live` beside the crowd of br-1. */
function crowded(computes: readonly string[], live: string = ''): World {
  return {
    file: `shop:\n  computes:\n${computes.map((one) => `    ${one}`).join('\n')}`,
    live: `shop: { ${CROWD}${live} }`,
  };
}

describe('a place that two hold', () => {
  it.each<[string, World, string[]]>([
    ['whoever is declared there', crowded(['a: { branch: br-1, max: 2 }']), [NOBODY]],
    ['whoever is pinned there', crowded(['a: { id: ep-2, branch: br-1, max: 2 }']), ['none shop/a ep-2: pinned id']],
    ['whoever shall leave it', crowded(['a: { id: ep-1, branch: br-3 }']), ['none shop/a ep-1: pinned id']],
    ['whoever shall be deleted there', crowded(['a: { id: ep-1, state: absent }']), ['none shop/a ep-1: pinned id']],
    ['whoever shall move away by moved_from', crowded(['a: { branch: br-3, moved_from: br-1 }']), [NOBODY]],
    ['a newcomer', crowded(['a: { id: ep-3, branch: br-1, type: read_write }'], ', ep-3: { branch: br-3 }'), [NOBODY]],
  ])('holds %s', (_name, world, expected) => {
    const plan = planOf(world);
    expect(plan.changes.map((one) => `${one.action} ${one.address} ${one.resourceId}: ${one.matchedBy}`)).toEqual(
      expected,
    );
    expect(plan.changes[0]?.notes).toEqual([`not changed: ${WORDS}`]);
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'crowded_place',
        message: `${WORDS}; trueup changes none of these resources`,
        address: 'shop/a',
        range: at(2),
      },
    ]);
  });

  it('names everybody who is declared there', () => {
    const { diagnostics } = planOf(
      crowded(['a: { branch: br-1 }', 'b: { id: ep-2, branch: br-1 }', 'c: { branch: br-1, type: read_only }']),
    );
    expect(diagnostics[0]?.related).toEqual([{ message: 'shop/b is declared here, too', range: at(3) }]);
  });

  it('is nobody else’s business', () => {
    const plan = planOf(crowded(['a: { branch: br-3, max: 2 }'], ', ep-3: { branch: br-3, max: 1 }'));
    expect(plan.steps.map(({ id }) => id)).toEqual(['update:shop/a']);
    expect(plan.diagnostics.map(({ severity, address }) => [severity, address])).toEqual([['warning', 'shop/ep-1']]);
  });

  it('is no place of replicas, which may be many', () => {
    const plan = planOf(
      shop(
        'a: { branch: br-1, type: read_only }',
        'ep-1: { branch: br-1, type: read_only }, ep-2: { branch: br-1, type: read_only }',
      ),
    );
    expect(plan.diagnostics).toEqual([]);
  });
});

describe('a place that two want', () => {
  it.each<[string, World, string[]]>([
    ['by two declarations of it', shop('a: { branch: br-1 }, b: { branch: br-1 }'), [B_HAS_NO_PLACE]],
    [
      'by who is there and who is pinned elsewhere',
      shop('a: { branch: br-1 }, b: { id: ep-2, branch: br-1 }', 'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }'),
      [B_HAS_NO_PLACE],
    ],
    [
      'by who is there, however that one changes, and who is pinned elsewhere',
      shop(
        'a: { branch: br-1, max: 2 }, b: { id: ep-2, branch: br-1 }',
        'ep-1: { branch: br-1, max: 1 }, ep-2: { branch: br-2 }',
      ),
      [B_HAS_NO_PLACE],
    ],
    [
      'by one that is made and one that moves there',
      shop('a: { id: ep-1, branch: br-2 }, b: { branch: br-2, new: true }', 'ep-1: { branch: br-1 }'),
      ['shop/a: shop/a cannot be the primary of br-2: shop/b is the primary of br-2 already'],
    ],
    [
      'and that a stranger holds',
      shop('a: { id: ep-1, branch: br-2 }', 'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }'),
      ['shop/a: shop/a cannot be the primary of br-2: ep-2 is the primary of br-2 already, and no file lists ep-2'],
    ],
  ])('is an error: %s', (_name, world, expected) => {
    const plan = planOf(world);
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics.map(({ address, message }) => `${address}: ${message}`)).toEqual(expected);
    expect(plan.diagnostics.every(({ code, severity }) => code === 'place_held' && severity === 'error')).toBe(true);
  });

  it.each([
    [
      'a: { branch: br-1, type: read_write, state: absent }, b: { branch: br-1 }',
      ['none shop/a null', 'none shop/b ep-1'],
    ],
    [
      'a: { branch: br-1 }, b: { branch: br-1, type: read_write, state: absent }',
      ['none shop/a ep-1', 'none shop/b null'],
    ],
  ])('is had by who shall stay, in whatever order: %s', (computes, expected) => {
    const { changes } = planOf(shop(computes, 'ep-1: { branch: br-1 }'));
    expect(changes.map(({ action, address, resourceId }) => `${action} ${address} ${resourceId}`)).toEqual(expected);
  });
});

it('a declaration that does not say where is nothing live, not even what does not say so either', () => {
  const plan = planOf(shop('a: { id: ep-none, type: read_only }', 'ep-1: { type: read_only }'));
  expect(plan.changes.map(({ action, resourceId }) => [action, resourceId])).toEqual([['none', null]]);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(['cannot_create', 'stale_pin']);
});
