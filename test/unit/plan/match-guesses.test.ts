// Protects what a plan remembers of a match that is only a guess, and of resources that are all the same.
import { describe, expect, it } from 'vitest';
import { compute } from '../../../src/kinds/compute/compute.ts';
import type { Choice, KindRules } from '../../../src/plan/kind-rules.ts';
import { isUnpinned } from '../../../src/plan/match/match-state.ts';
import { matchAll } from '../../../src/plan/match/match-all.ts';
import { actionsIn, permission, planOfShop } from './support/whole-shop.ts';
import { allowing, inputOf, planOf, shop } from './support/world.ts';

const R = 'branch: br-1, type: read_only';
const live = (...more: readonly string[]): string => more.map((one, at) => `ep-${at + 1}: { ${R}${one} }`).join(', ');

describe('a guess by counting', () => {
  it.each([
    ['is no choice between one and one', `a: { ${R} }`, live(''), false],
    ['is a choice between two live ones', `a: { ${R} }`, live('', ''), true],
    ['is a choice between two declarations', `a: { ${R} }, b: { ${R} }`, live(''), true],
    ['is a choice beside a pinned one', `a: { ${R} }, b: { ${R}, id: ep-2 }`, live('', ', name: x'), true],
  ])('%s', (_, computes, there, isMany) => {
    const [first] = matchAll(inputOf(shop(computes, there))).matchings.flatMap(({ bindings }) => bindings);
    expect(first?.guess?.isMany).toBe(isMany);
  });

  it('takes what stays before what goes', () => {
    const [goes, stays] = [`a: { ${R}, max: 1, state: absent }`, `b: { ${R}, max: 1 }`];
    expect(actionsIn(planOf(shop(`${goes}, ${stays}`, live(', max: 1'))))).toEqual(['none shop/a', 'none shop/b ep-1']);
  });

  it('is the removal by a name that two have', () => {
    const { changes } = planOf(shop(`a: { ${R}, name: x, state: absent }`, live(', name: x', ', name: x')));
    expect(changes).toMatchObject([{ action: 'delete', resourceId: 'ep-1', blockedBy: ['ambiguous'] }]);
  });
});

it.each([
  ['has a slot', 'a: { branch: br-1, name: null }', '', false],
  ['has an id', `a: { ${R}, id: ep-1, name: null }`, live(''), false],
  ['has an id that is gone, and a name', `a: { ${R}, id: ep-9, name: x }`, live(', name: x'), false],
  ['has an id that is gone, and is counted', `a: { ${R}, id: ep-9 }`, live(''), true],
  ['has its label as its name', `a: { ${R} }`, live(', name: a'), false],
  ['is counted in spite of its label', `a: { ${R} }`, live(''), true],
  ['is new and has its label as its name', `a: { ${R} }`, '', false],
  ['is new and has no name', `a: { ${R}, name: null }`, '', true],
])('the plan shows if only a guess links a declaration that %s', (_, computes, there, expected) => {
  const [matching] = matchAll(inputOf(shop(computes, there))).matchings;
  expect(matching?.bindings.map((binding) => isUnpinned(matching.scope, binding))).toEqual([expected]);
});

it('a project with nothing in it has nothing to match', () => {
  expect(matchAll(inputOf(shop(''))).matchings).toEqual([]);
});

describe('a kind that chooses', () => {
  const [STAYS, GOES] = [`a: { ${R} }`, `a: { ${R}, state: absent }`];
  const guess = { guess: true };
  it.each<[string, string, string, Partial<Choice>, string]>([
    ['has its choice', STAYS, '', guess, 'ep-1 and ep-2, of ep-1 ep-2'],
    ['has its choice without a guess', STAYS, '', {}, 'ep-1 and ep-2'],
    ['guesses what goes', GOES, '', guess, 'ep-1 and ep-2, of ep-1 ep-2'],
    ['is told what goes', GOES, 'delete:shop/ep-2', guess, 'ep-2 and ep-1, of ep-1 ep-2'],
    ['is told of another', GOES, 'delete:shop/ep-3', guess, 'ep-1 and ep-2, of ep-1 ep-2'],
    ['is sure of what goes', GOES, 'delete:shop/ep-2', {}, 'ep-1 and ep-2'],
    ['is told of what stays', STAYS, 'delete:shop/ep-2', guess, 'ep-1 and ep-2, of ep-1 ep-2'],
    ['chooses none', GOES, 'delete:shop/ep-2', { ...guess, live: null }, 'none and ep-2, of ep-2'],
  ])('%s', (_, computes, word, choice, expected) => {
    const choose: KindRules['choose'] = (_desired, [first = null, ...others]) => {
      const plain = { live: first, because: 'so', companions: others.slice(0, 1), guess: false, diagnostics: [] };
      return { ...plain, ...choice };
    };
    const input = { ...inputOf(shop(computes, live('', '', ''))), kinds: [{ ...compute, choose }] };
    const { matchings } = matchAll({ ...input, ...(word === '' ? {} : allowing(word)) });
    const told = matchings[0]?.bindings.map(({ live: own, companions, guess: guessed }) => {
      const of = guessed === null ? '' : `, of ${guessed.members.map(({ id }) => id).join(' ')}`;
      expect(guessed?.isMany).toBe(guessed === null ? undefined : guessed.members.length > 1);
      return `${own?.id ?? 'none'} and ${companions.map(({ id }) => id).join(' ')}${of}`;
    });
    expect(told).toEqual([expected]);
  });
});

it('two permissions of one e-mail are one, and neither is unlisted', async () => {
  const there = [permission('a@x.org', 'p-1'), permission('a@x.org', 'p-2'), permission('b@x.org', 'p-3')];
  const plan = await planOfShop({ beside: 'permissions: { a@x.org: {} }', live: there });
  expect(actionsIn(plan)).toEqual(['none shop/permissions/a@x.org p-1']);
  expect([plan.diagnostics, plan.unmanaged.map(({ id }) => id)]).toEqual([[], ['p-3']]);
});
