// The bounds of a run: what is too deep, too much or too long is told before it is parsed, and for all files together.
import { describe, expect, it } from 'vitest';
import { didYouMean } from '../../../src/base/text/words.ts';
import { MAX_ENTRIES } from '../../../src/config/limits.ts';
import { measuredSyntax } from '../../../src/config/yaml/measure.ts';
import { load } from './world.ts';

const codeOf = (text: string): string | null => {
  const syntax = measuredSyntax(text, MAX_ENTRIES);
  return 'code' in syntax ? syntax.code : null;
};
const nested = (depth: number, open: string, close: string): string =>
  `x: ${open.repeat(depth)}${close.repeat(depth)}\n`;
const stairs = (depth: number): string => Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}k:\n`).join('');

describe('a text', () => {
  it.each<[string, string, string | null]>([
    ['of 63 brackets', nested(63, '[', ']'), null],
    ['of 64 brackets in a mapping', nested(64, '[', ']'), 'too_deep'],
    ['of braces', nested(80, '{a: ', '}'), 'too_deep'],
    ['of brackets that are closed again', `x: [${'[],'.repeat(1000)}]\n`, null],
    ['of brackets in quotes', `x: "${'['.repeat(1000)}"\ny: |\n  ${'['.repeat(1000)}\n# ${'['.repeat(1000)}\n`, null],
    ['of 64 stairs', stairs(64), null],
    ['of 65 stairs', stairs(65), 'too_deep'],
    ['of stairs up and down', stairs(50).repeat(50), null],
    ['of anchors', `x: ${'&a '.repeat(129)}1\n`, 'too_deep'],
    ['of tags', `x: ${'!!str '.repeat(200)}1\n`, 'too_deep'],
    ['of dashes', `${'- '.repeat(200)}1\n`, 'too_deep'],
    ['of dashes in many lines', '- - 1\n'.repeat(1000), null],
    ['of as many entries as may be', '- 1\n'.repeat(MAX_ENTRIES), null],
    ['of one entry more', '- 1\n'.repeat(MAX_ENTRIES + 1), 'too_many_entries'],
    [
      'of many quoted entries on a line',
      `x: { ${Array.from({ length: 100_000 }, (_, at) => `"k${at}": "v"`).join(', ')} }\n`,
      null,
    ],
    ['of many comments', 'x: 1 # y\n'.repeat(100_000), null],
    ['of quotes', `x: ${'"" '.repeat(100_000)}\n`, 'too_complex'],
    ['of escapes', `x: "${'\\x41'.repeat(60_000)}"\n`.repeat(20), 'too_complex'],
    ['of a long text in quotes', `x: "${'a'.repeat(700_000)}"\n`, 'too_long'],
    ['of many texts in quotes', `x: "${'a'.repeat(60_000)}"\n`.repeat(140), 'too_complex'],
    ['of a long number', `x: ${'9'.repeat(70_000)}\n`, 'too_long'],
    ['of a long text of many lines', `x: |\n${`  ${'a'.repeat(100)}\n`.repeat(60_000)}`, 'too_long'],
  ])('%s: %s', (_what, text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});

describe('the files of a run', () => {
  const profile = (name: string, entries: number): string =>
    `version: 1\nprofiles:\n  ${name}:\n    settings:\n      pg_settings:\n${Array.from({ length: entries }, (_, at) => `        ${name}${at}: a\n`).join('')}`;
  const codes = async (files: Readonly<Record<string, string>>, maxEntries?: number): Promise<readonly string[]> =>
    (await load({ files, ...(maxEntries === undefined ? {} : { maxEntries }) })).diagnostics.map(({ code }) => code);

  it('hold so many entries together', async () => {
    const half = { 'a.yaml': profile('a', 4900), 'b.yaml': profile('b', 4900) };
    expect(await codes(half, 10_000)).toEqual([]);
    expect(await codes({ ...half, 'c.yaml': profile('c', 300) }, 10_000)).toEqual(['too_many_entries']);
  });

  it('expand to so many values by their profiles', async () => {
    const computes = (count: number): string =>
      `projects:\n  shop:\n    branches: { main: br-a }\n    use: a\n    computes:\n${Array.from({ length: count }, (_, at) => `      c${at}: { branch: main, type: read_only }\n`).join('')}`;
    expect(await codes({ 'a.yaml': `${profile('a', 10_000)}${computes(90)}` })).toEqual([]);
    expect(await codes({ 'a.yaml': `${profile('a', 10_000)}${computes(110)}` })).toEqual(['profile_expansion']);
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
