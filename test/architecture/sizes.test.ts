// Sizes: folders of a dozen entries, small files and functions, a sentence at the top of each file.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sizes } from './count-source.mjs';
import { headerViolations, limits, folderViolations, sizeViolations } from './rules/sizes.ts';
import { filesBelow, parseSource, readSourceTree, root } from './source-tree.ts';

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

/** Upper bounds of each part. They may only fall, but for what a new promise adds. */
const BUDGETS = {
  engine: { files: 167, lines: 27_230, tokens: 223_476 },
  'cli and render': { files: 108, lines: 11_280, tokens: 93_243 },
  'control-plane': { files: 115, lines: 12_435, tokens: 94_210 },
  src: { files: 414, lines: 51_999, tokens: 419_207 },
} as const;

describe('the tree', () => {
  it('keeps to its budgets', () => {
    const measured = sizes();
    const over = Object.entries(BUDGETS).flatMap(([part, budget]) =>
      (['files', 'lines', 'tokens'] as const)
        .filter((unit) => (measured[part]?.[unit] ?? Infinity) > budget[unit])
        .map((unit) => `${part}: ${measured[part]?.[unit]} ${unit}, at most ${budget[unit]}`),
    );
    expect(over).toEqual([]);
  });

  it('has small files and functions that fit a screen', () => {
    expect(sizeViolations(readSourceTree())).toEqual([]);
  });

  it('has folders of at most a dozen entries', () => {
    expect(folderViolations(readSourceTree().map(({ path }) => path))).toEqual([]);
  });

  it('says at the top of each file what it contains', () => {
    const tests = filesBelow('test', '.ts').map((path) =>
      parseSource(path, readFileSync(`${root}/test/${path}`, 'utf8')),
    );
    expect(headerViolations([...readSourceTree(), ...tests])).toEqual([]);
  });
});

describe('a planted violation is found', () => {
  it('a file too long', () => {
    const long = parseSource('plan/a.ts', lines(limits.file + 1, '// line'));
    expect(sizeViolations([long])).toEqual([`plan/a.ts: ${limits.file + 1} lines, at most ${limits.file}`]);
  });

  it('a function too long, whether declared, assigned or a method', () => {
    const body = lines(limits.function, '  void 0;');
    for (const text of [
      `function f() {\n${body}}\n`,
      `const f = () => {\n${body}};\n`,
      `class C {\n m() {\n${body}}\n}\n`,
    ]) {
      expect(sizeViolations([parseSource('plan/a.ts', text)]).join('\n')).toContain(`at most ${limits.function}`);
    }
  });

  it('a folder with too many files or folders', () => {
    const full = Array.from({ length: limits.folder }, (_, at) => `plan/match/a${at}.ts`);
    expect(folderViolations(full)).toEqual([]);
    expect(folderViolations([...full, 'plan/match/inner/b.ts'])).toEqual([
      `plan/match: ${limits.folder + 1} entries, at most ${limits.folder}`,
    ]);
    const folders = Array.from({ length: limits.folder + 1 }, (_, at) => `folder${at}/a.ts`);
    expect(folderViolations(folders)).toEqual([`src: ${limits.folder + 1} entries, at most ${limits.folder}`]);
  });

  const headers: readonly (readonly [name: string, text: string, isFine: boolean])[] = [
    ['a sentence', '// The one reader of the clock.\nexport {};\n', true],
    ['a sentence of two lines', '// The one reader of the clock,\n// and to its time zone.\nexport {};\n', true],
    ['a sentence after the shebang', '#!/usr/bin/env node\n// The entry of the program.\nexport {};\n', true],
    ['nothing', 'export {};\n', false],
    ['two words', '// The clock.\nexport {};\n', false],
    ['half a sentence', '// The one reader of the clock\nexport {};\n', false],
  ];
  it.each(headers)('a file that begins with %s', (_, text, isFine) => {
    expect(headerViolations([parseSource('plan/a.ts', text)])).toHaveLength(isFine ? 0 : 1);
  });
});
