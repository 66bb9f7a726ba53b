// The page of diagnostics has every code of the source, and no other; UPDATE=1 writes it.
import { expect, it } from 'vitest';
import { committedPage } from '../committed.ts';
import { catalogue } from './catalogue.ts';
import { blockCodes, diagnosticCodes } from './codes.ts';
import { referenceDiagnostics } from './page.ts';

const BLOCKS = 'Blocks';
const codesOf = (isBlock: boolean): readonly string[] => {
  const groups = catalogue.filter(({ title }) => (title === BLOCKS) === isBlock);
  return [...new Set(groups.flatMap(({ entries }) => Object.keys(entries)))].sort();
};

it('every code of a diagnostic has an entry, and every entry is a code', () => {
  expect(codesOf(false)).toEqual(diagnosticCodes());
});

it('every block has an entry, and every entry is a block', () => {
  expect(codesOf(true)).toEqual(blockCodes());
});

it('docs/reference/diagnostics.md is current', async () => {
  const { committed, current } = await committedPage('docs/reference/diagnostics.md', referenceDiagnostics());
  expect(committed).toBe(current);
});
