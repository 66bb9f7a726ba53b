// What nobody declares any more goes last, for kinds whose users may be about to change over.
import { describe, expect, it } from 'vitest';
import { intent, planWith, REVOKED, saying } from './support/own-kind.ts';
import type { World } from './support/world.ts';

/** In shop one is made, one replaced, one pruned and one deleted by name; in blog one is pruned. */
const WORLD: World = {
  file: `
shop:
  prune: { type: [read_only] }
  computes:
    changed: { id: ep-c, branch: br-3, type: read_only }
    gone: { id: ep-g, state: absent }
    made: { branch: br-1, new: true }
blog: { prune: true, computes: { stays: { branch: br-1 } } }`,
  live: `
shop:
  ep-c: { branch: br-3 }
  ep-g: { branch: br-2 }
  ep-x: { branch: br-2, type: read_only }
blog:
  ep-b: { branch: br-1 }
  ep-y: { branch: br-2, type: read_only }`,
};

const needs = (plan: ReturnType<typeof planWith>): string[] =>
  plan.steps.map(({ id, needs: firsts }) => [id, ...firsts].join(' < '));
const blocks = (plan: ReturnType<typeof planWith>): string[] =>
  plan.changes
    .filter(({ blockedBy }) => blockedBy.length > 0)
    .map(({ address, blockedBy }) => `${address} ${blockedBy.join()}`);

describe('where removals go last', () => {
  it('what is pruned waits for everything that its scope makes, and nothing else waits', () => {
    expect(needs(planWith(REVOKED, WORLD))).toEqual([
      'create:shop/changed',
      'create:shop/made',
      'revoke:blog/ep-y',
      'revoke:shop/changed < create:shop/changed',
      'revoke:shop/ep-x < create:shop/changed < create:shop/made',
      'revoke:shop/gone',
    ]);
  });

  it('what is pruned is held with a creation that is held, in its scope', () => {
    const plan = planWith(
      { ...REVOKED, ...saying(({ live }) => (live === null ? { blockedBy: ['protect'] } : {})) },
      WORLD,
    );
    expect(blocks(plan)).toEqual(['shop/ep-x dependency', 'shop/made protect']);
  });

  it('a replacement that is held holds nothing: its old one stays', () => {
    const plan = planWith(REVOKED, { ...WORLD, safety: [{ protect: ['shop/changed'] }] });
    expect(blocks(plan)).toEqual(['shop/changed protect']);
  });

  it.each([
    [false, ['shop/a protect']],
    [true, ['shop/a protect', 'shop/ep-x dependency']],
  ])('a rotation that is held holds it once it would run (due ones run: %s)', (due, expected) => {
    const plan = planWith(
      {
        ...REVOKED,
        ...saying(() => ({ intents: [intent('rotate', null, { due: true, blockedBy: ['protect'] })] })),
      },
      {
        file: 'shop: { prune: true, computes: { a: { branch: br-1, type: read_only } } }',
        live: 'shop: { ep-a: { branch: br-1, type: read_only }, ep-x: { branch: br-2, type: read_only } }',
        input: { due },
      },
    );
    expect(blocks(plan)).toEqual(expected);
  });

  it('what a rotation leaves behind waits for what is made', () => {
    const plan = planWith(
      {
        ...REVOKED,
        ...saying(({ live }) => ({ intents: [intent('rotate', null), intent('revoke', live, { origin: 'rotate' })] })),
      },
      {
        file: 'shop: { computes: { a: { branch: br-1, type: read_only } } }',
        live: 'shop: { ep-a: { branch: br-1, type: read_only } }',
      },
    );
    expect(needs(plan)).toEqual(['revoke:shop/a < rotate:shop/a', 'rotate:shop/a']);
  });
});

describe('where they need not', () => {
  it('what is pruned waits for nothing', () => {
    expect(needs(planWith({}, WORLD))).toContain('delete:shop/ep-x');
  });

  it('and is not held with what is held', () => {
    const plan = planWith(
      saying(({ live }) => (live === null ? { blockedBy: ['protect'] } : {})),
      WORLD,
    );
    expect(blocks(plan)).toEqual(['shop/made protect']);
  });
});
