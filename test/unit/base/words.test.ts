// What may have been meant by a word: a typing error of a candidate, or the one candidate that has it as a part.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { didYouMean } from '../../../src/base/text/words.ts';

const KEYS = ['autoscaling_limit_min_cu', 'autoscaling_limit_max_cu', 'pooler_enabled', 'pooler_mode', 'branch'];

it.each([
  ['brnach', 'branch'],
  ['min_cu', 'autoscaling_limit_min_cu'],
  ['Autoscaling_Limit_Min_CU', 'autoscaling_limit_min_cu'],
  // Of several, none is guessed; and a part that is no word of it is none.
  ['pooler', undefined],
  ['imit_min_cu', undefined],
  ['cu', undefined],
])('%s', (word, meant) => {
  expect(didYouMean(word, KEYS)).toBe(meant);
});

it('finds whatever is a third of its letters away, whatever the edits', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'é', '_', '1'), minLength: 6, maxLength: 20 });
  const edit = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('insert', 'remove', 'replace', 'swap'),
    letter: fc.constantFrom('a', 'b', 'x', 'y', 'ß'),
  });
  fc.assert(
    fc.property(letters, fc.array(edit, { maxLength: 4 }), (candidate, edits) => {
      const word = edits.reduce((text, { at, how, letter }) => {
        const place = at % Math.max(1, text.length);
        const [before, here, after] = [text.slice(0, place), text.slice(place, place + 1), text.slice(place + 1)];
        if (how === 'insert') return before + letter + here + after;
        if (how === 'remove') return before + after;
        if (how === 'replace') return before + letter + after;
        return before + after.slice(0, 1) + here + after.slice(1);
      }, candidate);
      // Beside others a swap counts as two: what is edited between letters that were swapped is no swap of neighbours any more.
      const swaps = edits.length === 1 ? 0 : edits.filter(({ how }) => how === 'swap').length;
      fc.pre(edits.length + swaps <= Math.max(1, Math.floor(word.length / 3)));
      expect(didYouMean(word, [candidate])).toBe(candidate);
    }),
  );
});
