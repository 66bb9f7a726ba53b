// The bounds of a run: what is too deep, too much or too long is told before it is parsed, and for all files together.
import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../../src/base/text/words.ts';
import { measuredSyntax } from '../../../src/config/yaml/parse.ts';
import { load } from '../../support/files.ts';
import { profile } from './wide-profile.ts';

/** The bound on entries here. */
const ENTRIES = 12_000;

const codeOf = (text: string): string | null => {
  const syntax = measuredSyntax(text, ENTRIES);
  return 'code' in syntax ? syntax.code : null;
};
const nested = (depth: number, open: string, close: string): string =>
  `x: ${open.repeat(depth)}${close.repeat(depth)}\n`;
const stairs = (depth: number): string => Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}k:\n`).join('');

it.each<[string, string | null, string]>([
  ['of 63 brackets', null, nested(63, '[', ']')],
  ['of 64 brackets in a mapping', 'too_deep', nested(64, '[', ']')],
  ['of braces', 'too_deep', nested(80, '{a: ', '}')],
  ['of brackets that are closed again', null, `x: [${'[],'.repeat(1000)}]\n`],
  ['of brackets in quotes', null, `x: "${'['.repeat(1000)}"\ny: |\n  ${'['.repeat(1000)}\n# ${'['.repeat(1000)}\n`],
  ['of 64 stairs', null, stairs(64)],
  ['of 65 stairs', 'too_deep', stairs(65)],
  ['of stairs up and down', null, stairs(50).repeat(50)],
  ['of dashes', 'too_deep', `${'- '.repeat(200)}1\n`],
  ['of dashes in many lines', null, '- - 1\n'.repeat(1000)],
  ['of as many entries as may be', null, '- 1\n'.repeat(ENTRIES)],
  ['of one entry more', 'too_many_entries', '- 1\n'.repeat(ENTRIES + 1)],
  ['of quotes', 'too_complex', `x: ${'"" '.repeat(100_000)}\n`],
  ['of a long text in quotes', 'too_long', `x: "${'a'.repeat(700_000)}"\n`],
  ['of a long number', 'too_long', `x: ${'9'.repeat(70_000)}\n`],
  ['of a long text of many lines', 'too_long', `x: |\n${`  ${'a'.repeat(100)}\n`.repeat(60_000)}`],
])('a text: %s: %s', (_what, code, text) => {
  expect(codeOf(text)).toBe(code);
});

describe('the files of a run', () => {
  const codes = async (files: Readonly<Record<string, string>>, maxEntries?: number): Promise<readonly string[]> =>
    (await load({ files, ...(maxEntries === undefined ? {} : { maxEntries }) })).diagnostics.map(({ code }) => code);

  it('hold so many entries together', async () => {
    const half = { 'a.yaml': profile('a', 4000), 'b.yaml': profile('b', 4000) };
    expect(await codes(half, 10_000)).toEqual([]);
    expect(await codes({ ...half, 'c.yaml': profile('c', 2000) }, 10_000)).toEqual(['too_many_entries']);
  });

  it('take so much from their variables, each text and all together', async () => {
    const names = (count: number, text: string): string =>
      `version: 1\nprojects:\n${Array.from({ length: count }, (_, at) => `  p${at}: { name: "${at}${text}" }\n`).join('')}`;
    const told = async (text: string): Promise<readonly string[]> =>
      (await load({ files: { 'a.yaml': text }, variables: { x: 'y'.repeat(1000) } })).diagnostics.map(
        ({ code }) => code,
      );
    expect(await told(names(1, '${var:x}'.repeat(66)))).toEqual(['too_long']);
    expect(
      (await told(names(300, '${var:x}'.repeat(60)))).filter((code) => code === 'variable_expansion'),
    ).toHaveLength(1);
  });
});

it('a near miss among very many is found while that costs little', () => {
  const asked: number[] = [];
  const many = function* (): Iterable<string> {
    for (let at = 0; at < 1_000_000; at++) {
      asked.push(at);
      yield `profile-of-team-${String(at).padStart(7, '0')}`;
    }
  };
  expect(didYouMean('profile-of-tean-0000042', many())).toBe('profile-of-team-0000042');
  expect(asked.length).toBeLessThan(1000);
});
