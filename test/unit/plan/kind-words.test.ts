// What a kind is asked while planning, what it answers, and what it holds against removals.
import { describe, expect, it } from 'vitest';
import type { RemovalGuard } from '../../../src/plan/kind-rules.ts';
import { ONE, oneAs, planWith, saying } from './support/own-kind.ts';
import { allowing, type World, shop } from './support/world.ts';

describe('what a kind is asked', () => {
  const asked = (world: World): { differs: boolean; restarts: boolean }[] => {
    const seen: { differs: boolean; restarts: boolean }[] = [];
    planWith(
      saying(({ differs, restarts }) => {
        seen.push({ differs, restarts });
        return {};
      }),
      world,
    );
    return seen;
  };
  const file = (entry: string): World => oneAs(`a: ${entry}`);

  it.each<[string, World, boolean, boolean]>([
    ['what is equal', ONE, false, false],
    ['what changes in place', file('{ branch: br-1, pooler_enabled: true }'), true, false],
    ['what restarts', file('{ branch: br-1, max: 4 }'), true, true],
    ['what is to be made', file('{ branch: br-2, new: true }'), true, false],
    ['what shall go', file('{ branch: br-1, type: read_write, state: absent }'), true, false],
    ['what shall go and is gone', file('{ branch: br-2, type: read_write, state: absent }'), false, false],
    ['what failed before and is sent again', { ...ONE, log: ['1h apply_config failed ep-a'] }, true, true],
  ])('tells of %s whether it differs and restarts', (_name, world, differs, restarts) => {
    expect(asked(world)).toEqual([{ differs, restarts }]);
  });
});

describe('what a kind answers', () => {
  it.each<[string, World]>([
    ['of what is there', ONE],
    ['of what is to be made', { ...ONE, live: 'shop: {}' }],
    ['of what shall go', oneAs('a: { id: ep-a, state: absent }')],
    ['of what is gone', shop('a: { id: ep-a, state: absent }')],
  ])('%s is told: notes, diagnostics, and what it could not judge', (_name, world) => {
    const plan = planWith(
      saying({
        notes: ['a word'],
        diagnostics: [{ severity: 'warning', code: 'kind_says', message: 'beware', address: 'shop/a' }],
        unread: ['the past of a'],
      }),
      world,
    );
    expect(plan.changes[0]?.notes[0]).toBe('a word');
    expect(plan.diagnostics.filter(({ code }) => code === 'kind_says')).toHaveLength(1);
    expect(plan.unread).toEqual([{ what: 'shop/a', projectId: 'shop-1', reason: 'the past of a' }]);
  });

  it('of what is not selected is not told', () => {
    const plan = planWith(saying({ unread: ['the past of a'] }), { ...ONE, input: { exclude: ['shop/a'] } });
    expect(plan.unread).toEqual([]);
  });

  it.each([
    ['create', { ...ONE, live: 'shop: {}' }],
    ['update', oneAs('a: { branch: br-1, max: 4 }')],
  ])('holds its own change back: %s', (action, world) => {
    const plan = planWith(saying({ blockedBy: ['protect'] }), world);
    expect(plan.changes).toMatchObject([{ action, blockedBy: ['protect'] }]);
  });

  it('holds nothing back where there is no change', () => {
    const plan = planWith(saying({ blockedBy: ['protect'] }), ONE);
    expect(plan.changes).toMatchObject([{ action: 'none', blockedBy: [] }]);
  });
});

describe('what a kind holds against a removal', () => {
  const guard: RemovalGuard = { blockedBy: [], notes: ['in use'] };
  const removals: readonly (readonly [string, World])[] = [
    ['by the file', oneAs('a: { id: ep-a, state: absent }')],
    ['as part of a replacement', oneAs('a: { id: ep-a, branch: br-1, type: read_only }')],
    [
      'by a prune rule',
      {
        file: 'shop: { prune: true, computes: { b: { branch: br-2 } } }',
        live: 'shop: { ep-a: { branch: br-1 }, ep-b: { branch: br-2 } }',
      },
    ],
  ];

  it.each(removals)('%s is said with what else there is to note, once', (_name, world) => {
    const own = saying({ notes: ['in use', 'old'] });
    const plan = planWith({ ...own, removalGuard: () => guard }, world);
    const change = plan.changes.find(({ action }) => action !== 'none');
    expect(change?.notes.filter((note) => note === 'in use')).toEqual(['in use']);
    if (change?.origin !== 'prune') expect(change?.notes).toContain('old');
  });

  it('may be a block that no allowance lifts', () => {
    const plan = planWith(
      { removalGuard: () => ({ ...guard, blockedBy: ['protect'] }) },
      oneAs('a: { id: ep-a, state: absent }', { input: allowing('*:*') }),
    );
    expect(plan.changes).toMatchObject([{ action: 'delete', blockedBy: ['protect'] }]);
  });
});

describe('a kind that chooses', () => {
  const asked = (world: World): string[] => {
    const seen: string[] = [];
    const plan = planWith(
      {
        choose: ({ address }, candidates) => {
          seen.push([address, ...candidates.map(({ id }) => id)].join(' '));
          const [live = null, ...companions] = candidates;
          return { live, companions: companions.slice(0, 1), because: 'chosen', guess: false, diagnostics: [] };
        },
      },
      world,
    );
    return [...seen, ...plan.unmanaged.map(({ id }) => id)];
  };

  it('sees, for each declaration in turn, what nobody has claimed yet of its pool', () => {
    expect(
      asked(
        shop(
          'b: { branch: br-1 }, a: { branch: br-1 }, c: { branch: br-2 }',
          'ep-1: { branch: br-1 }, ep-2: { branch: br-1 }, ep-3: { branch: br-1 }, ep-4: { branch: br-1 }, ep-5: { branch: br-1 }, ep-6: { branch: br-3 }',
        ),
      ),
    ).toEqual(['shop/a ep-1 ep-2 ep-3 ep-4 ep-5', 'shop/b ep-3 ep-4 ep-5', 'shop/c', 'ep-5', 'ep-6']);
  });
});
