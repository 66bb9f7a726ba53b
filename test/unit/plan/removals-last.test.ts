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

const blocks = (plan: ReturnType<typeof planWith>): string[] =>
  plan.changes
    .filter(({ blockedBy }) => blockedBy.length > 0)
    .map(({ address, blockedBy }) => `${address} ${blockedBy.join()}`);

describe('where removals go last', () => {
  it('a replacement that is held holds nothing: its old one stays', () => {
    const plan = planWith(REVOKED, { ...WORLD, safety: [{ protect: ['shop/changed'] }] });
    expect(blocks(plan)).toEqual(['shop/changed protect']);
  });

  it.each([
    [false, ['shop/a protect']],
    [true, ['shop/a protect', 'shop/ep-x dependency']],
  ])('a rotation that is held holds it once it would run (due ones run: %s)', (due, expected) => {
    const plan = planWith(
      { ...REVOKED, ...saying({ intents: [intent('rotate', null, { due: true, blockedBy: ['protect'] })] }) },
      {
        file: 'shop: { prune: true, computes: { a: { branch: br-1, type: read_only } } }',
        live: 'shop: { ep-a: { branch: br-1, type: read_only }, ep-x: { branch: br-2, type: read_only } }',
        input: { due },
      },
    );
    expect(blocks(plan)).toEqual(expected);
  });
});

describe('where they need not', () => {
  it('what is pruned waits for nothing', () => {
    expect(planWith({}, WORLD).steps.find(({ id }) => id === 'delete:shop/ep-x')?.needs).toEqual([]);
  });

  it('and is not held with what is held', () => {
    const plan = planWith(
      saying(({ live }) => (live === null ? { blockedBy: ['protect'] } : {})),
      WORLD,
    );
    expect(blocks(plan)).toEqual(['shop/made protect']);
  });
});
