// The page of diagnostics has every code of the source with what to do, and no other.
import { expect, it } from 'vitest';
import { pageAt } from '../committed.ts';
import { blockCodes, diagnosticCodes } from './codes.ts';

const page = pageAt('docs/reference/diagnostics.md');
const sections = page.split(/^(?=## )/m).slice(1);
const isOfBlocks = (section: string): boolean => section.startsWith('## Blocks\n');

/** Codes with one entry share a line: `` - `a`, `b`: what to do. `` */
const entriesOf = (section: string): readonly (readonly string[])[] =>
  [...section.matchAll(/^- ((?:`[a-z_]+`(?:, )?)+): \S.*\.$/gm)].map(([, codes = '']) =>
    [...codes.matchAll(/[a-z_]+/g)].map(([code]) => code),
  );
const codesIn = (some: readonly string[]): readonly string[] =>
  [...new Set(some.flatMap((section) => entriesOf(section).flat()))].sort();

it('every code of a diagnostic has an entry, and every entry is a code', () => {
  expect(codesIn(sections.filter((section) => !isOfBlocks(section)))).toEqual(diagnosticCodes());
});

it('every block has an entry, and every entry is a block', () => {
  expect(codesIn(sections.filter(isOfBlocks))).toEqual(blockCodes());
});

it('a section has an introduction, and its entries in order, each code once', () => {
  for (const section of sections) {
    const entries = entriesOf(section);
    const [, intro, ...rest] = section.trim().split('\n\n');
    expect(intro).toMatch(/^[A-Z].*\.$/);
    expect(rest).toHaveLength(1);
    expect(rest[0]?.split('\n')).toHaveLength(entries.length);
    const firsts = entries.map(([first = '']) => first);
    expect(firsts).toEqual(firsts.toSorted());
    expect(new Set(entries.flat()).size).toBe(entries.flat().length);
  }
});
