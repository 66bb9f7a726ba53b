// What may have been meant by a word: a typing error of a candidate, or the one candidate that has it as a part.
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
