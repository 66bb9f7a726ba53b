// The page of outputs says what the schemas describe; UPDATE=1 writes it.
import { expect, it } from 'vitest';
import { committedPage } from './committed.ts';
import { referenceOutputs } from './reference-outputs.ts';

it('docs/reference/outputs.md is current', async () => {
  const { committed, current } = await committedPage('docs/reference/outputs.md', referenceOutputs());
  expect(committed).toBe(current);
});
