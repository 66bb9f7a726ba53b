// The page of the command line says what the program declares; UPDATE=1 writes it.
import { expect, it } from 'vitest';
import { committedPage } from './committed.ts';
import { referenceCli } from './reference-cli.ts';

it('docs/reference/cli.md is current', async () => {
  const { committed, current } = await committedPage('docs/reference/cli.md', referenceCli());
  expect(committed).toBe(current);
});
