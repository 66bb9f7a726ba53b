// `moved_from`: what is still to move, what has moved already, and what nobody can tell.
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/model/outcome/plan.ts';
import { at, planOf, type World } from './support/world.ts';

/** Computes of project shop, one a line from line 2 on; live ones by id. */
function shop(computes: readonly string[], live: string): World {
  return { file: `shop:\n  computes:\n${computes.map((one) => `    ${one}`).join('\n')}`, live: `shop: { ${live} }` };
}

function decided({ changes }: Plan): string[] {
  return changes.map(
    ({ action, address, resourceId, matchedBy }) => `${action} ${address} ${resourceId}: ${matchedBy}`,
  );
}

describe('a declaration with moved_from', () => {
  it.each<[string, World, string[]]>([
    [
      'moves who is there',
      shop(['a: { branch: br-2, moved_from: br-1 }'], 'ep-1: { branch: br-1 }'),
      ['move shop/a ep-1: moved_from: the read_write compute of br-1'],
    ],
    [
      'has moved when its place is held and the other is empty',
      shop(['a: { branch: br-2, moved_from: br-1 }'], 'ep-1: { branch: br-2 }'),
      ['none shop/a ep-1: the read_write compute of br-2'],
    ],
    [
      'has moved when both are held: an unlisted one is at its old place by now',
      shop(['a: { branch: br-2, moved_from: br-1 }'], 'ep-1: { branch: br-2 }, ep-2: { branch: br-1 }'),
      ['none shop/a ep-1: the read_write compute of br-2'],
    ],
    [
      'moves in when the holder of its place is about to be deleted',
      shop(
        ['a: { branch: br-2, moved_from: br-1 }', 'old: { id: ep-2, state: absent }'],
        'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }',
      ),
      ['move shop/a ep-1: moved_from: the read_write compute of br-1', 'delete shop/old ep-2: pinned id'],
    ],
    [
      'moves in when the holder of its place is about to move',
      shop(
        ['a: { branch: br-2, moved_from: br-1 }', 'b: { id: ep-2, branch: br-3 }'],
        'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }',
      ),
      ['move shop/a ep-1: moved_from: the read_write compute of br-1', 'move shop/b ep-2: pinned id'],
    ],
    [
      'moves along a chain whose links are written in any order',
      shop(
        ['a: { branch: br-2, moved_from: br-1 }', 'b: { branch: br-3, moved_from: br-2 }'],
        'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }',
      ),
      [
        'move shop/a ep-1: moved_from: the read_write compute of br-1',
        'move shop/b ep-2: moved_from: the read_write compute of br-2',
      ],
    ],
    [
      'and state: absent goes by its own place alone',
      shop(['a: { branch: br-2, type: read_write, moved_from: br-1, state: absent }'], 'ep-1: { branch: br-1 }'),
      ['none shop/a null: the resource does not exist'],
    ],
  ])('%s', (_name, world, expected) => {
    const plan = planOf(world);
    expect(decided(plan)).toEqual(expected);
    expect(plan.diagnostics).toEqual([]);
  });

  it.each<[string, World, object]>([
    [
      'nobody is there',
      shop(['a: { branch: br-2, moved_from: br-1 }'], ''),
      {
        code: 'moved_from_empty',
        message: 'shop/a cannot move: br-1 has no resource to move',
        hint: 'Remove moved_from to create a new resource, or write the id: of the resource that moves.',
      },
    ],
    [
      'who is there is claimed by another, which is shown',
      shop(['a: { branch: br-2, moved_from: br-1 }', 'b: { id: ep-1, branch: br-1 }'], 'ep-1: { branch: br-1 }'),
      {
        code: 'claimed_twice',
        message: 'shop/a cannot move: shop/b claims ep-1',
        hint: 'Remove moved_from, or remove the other declaration.',
        related: [{ message: 'shop/b claims it here', range: at(3) }],
      },
    ],
    [
      'it is a replica: several may be there',
      shop(['a: { branch: br-2, type: read_only, moved_from: br-1 }'], 'ep-1: { branch: br-1, type: read_only }'),
      {
        code: 'moved_from_without_place',
        message: 'moved_from of shop/a is ambiguous: several resources may be there',
        hint: 'Write the id: of the resource instead.',
      },
    ],
  ])('is refused at its line when %s', (_name, world, expected) => {
    const plan = planOf(world);
    expect(plan.steps).toEqual([]);
    expect(plan.diagnostics).toMatchObject([{ severity: 'error', address: 'shop/a', range: at(2), ...expected }]);
  });

  it('moves nothing to a slot whose holder stays', () => {
    const stays = shop(
      ['a: { branch: br-2, moved_from: br-1 }', 'b: { id: ep-2, branch: br-2 }'],
      'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }',
    );
    expect(decided(planOf(stays))).toEqual([
      'create shop/a null: no live resource matches',
      'none shop/b ep-2: pinned id',
    ]);
  });

  it('that is refused is made by no other way', () => {
    const [change] = planOf(shop(['a: { branch: br-2, moved_from: br-1 }'], '')).changes;
    expect(change).toMatchObject({ action: 'none', resourceId: null, matchedBy: 'no resource can move here' });
    expect(change?.notes).toEqual(['not changed: the resource that would move here is not available']);
  });
});

describe('a ring of moved_from', () => {
  const swap = ['a: { branch: br-2, moved_from: br-1 }', 'b: { branch: br-1, moved_from: br-2 }'];
  const held = 'ep-1: { branch: br-1 }, ep-2: { branch: br-2 }';

  it('is refused once, with all its members', () => {
    const { steps, diagnostics } = planOf(shop(swap, held));
    expect(steps).toEqual([]);
    expect(diagnostics).toMatchObject([
      {
        severity: 'error',
        code: 'ring',
        message: expect.stringMatching(/^these moves form a cycle, .*: shop\/a → shop\/b → shop\/a /) as string,
        hint: 'Write the id: and lifecycle.via on one of the moves; lifecycle.via names a branch without a primary.',
        address: 'shop/a',
        range: at(2),
        related: [{ message: 'shop/b: the primary of br-2 → the primary of br-1', range: at(3) }],
      },
    ]);
  });

  it.each([
    [
      'of three is drawn from place to place',
      ['br-2, moved_from: br-1', 'br-3, moved_from: br-2', 'br-1, moved_from: br-3'],
      ['shop/a → shop/b → shop/c → shop/a'],
    ],
    [
      'is no other ring’s business',
      ['br-2, moved_from: br-1', 'br-1, moved_from: br-2', 'br-4, moved_from: br-3', 'br-3, moved_from: br-4'],
      ['shop/a → shop/b → shop/a', 'shop/c → shop/d → shop/c'],
    ],
    [
      'does not hold whoever only wants to move in',
      ['br-2, moved_from: br-1', 'br-1, moved_from: br-2', 'br-5, moved_from: br-4'],
      ['shop/a → shop/b → shop/a'],
    ],
    [
      'is only what goes round, not what leads into it',
      ['br-3, moved_from: br-1', 'br-2, moved_from: br-1', 'br-1, moved_from: br-2'],
      ['shop/b → shop/c → shop/b'],
    ],
  ])('%s', (_name, moves, rings) => {
    const computes = moves.map((move, index) => `${'abcd'.charAt(index)}: { branch: ${move} }`);
    const live = [1, 2, 3, 4].map((at) => `ep-${at}: { branch: br-${at} }`).join(', ');
    const { diagnostics } = planOf(shop(computes, live));
    const drawn = diagnostics.flatMap(({ message }) => /run first: ([^(]*) \(/.exec(message)?.[1] ?? []);
    expect(drawn).toEqual(rings);
  });
});
