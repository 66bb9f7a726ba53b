// The page of the action says what action.yml declares; UPDATE=1 writes it.
import { expect, it } from 'vitest';
import { committedPage } from './committed.ts';
import { referenceAction } from './reference-action.ts';

it('docs/reference/github-action.md is current', async () => {
  const { committed, current } = await committedPage('docs/reference/github-action.md', referenceAction());
  expect(committed).toBe(current);
});
