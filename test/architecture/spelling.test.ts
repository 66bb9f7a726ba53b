// Spelling of documents and schemas. A word that the dictionary lacks goes into test/docs/known-words.txt.
import { expect, it } from 'vitest';
import { misspelt, wordsOf } from '../docs/spelling.mjs';

it('is American English', () => {
  expect(misspelt()).toEqual([]);
});

it('is checked for words, not for code', () => {
  expect(
    wordsOf("The plan's `plan_hash` of shop/primary, see plan.json and --allow; pgSettings are API members."),
  ).toEqual(['The', 'plan', 'of', 'see', 'and', 'are', 'members']);
});
