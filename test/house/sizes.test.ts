// The sizes: rooms of a dozen, files of one idea, functions that fit a screen, a sentence atop each file.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { headerViolations, limits, roomViolations, sizeViolations } from './laws/sizes.ts';
import { filesBelow, parseSource, readSourceTree, root } from './source-tree.ts';

const lines = (count: number, line: string): string => `${line}\n`.repeat(count);

describe('the tree', () => {
  it('has small files and functions that fit a screen', () => {
    expect(sizeViolations(readSourceTree())).toEqual([]);
  });

  it('has rooms that can be taken in at a glance', () => {
    expect(roomViolations(readSourceTree().map(({ path }) => path))).toEqual([]);
  });

  it('says atop each file what lives there', () => {
    const tests = filesBelow('test', '.ts').map((path) =>
      parseSource(path, readFileSync(`${root}/test/${path}`, 'utf8')),
    );
    expect(headerViolations([...readSourceTree(), ...tests])).toEqual([]);
  });
});

describe('a planted offence is seen', () => {
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

  it('a room too full, counted with its rooms, and too many rooms', () => {
    const full = Array.from({ length: limits.room }, (_, at) => `plan/match/a${at}.ts`);
    expect(roomViolations(full)).toEqual([]);
    expect(roomViolations([...full, 'plan/match/inner/b.ts'])).toEqual([
      `plan/match: ${limits.room + 1} files and rooms, at most ${limits.room}`,
    ]);
    const rooms = Array.from({ length: limits.room + 1 }, (_, at) => `room${at}/a.ts`);
    expect(roomViolations(rooms)).toEqual([`src: ${limits.room + 1} files and rooms, at most ${limits.room}`]);
  });

  const headers: readonly (readonly [name: string, text: string, isFine: boolean])[] = [
    ['a sentence', '// The one door to the clock.\nexport {};\n', true],
    ['a sentence of two lines', '// The one door to the clock,\n// and to its time zone.\nexport {};\n', true],
    ['a sentence after the shebang', '#!/usr/bin/env node\n// The street door of the program.\nexport {};\n', true],
    ['nothing', 'export {};\n', false],
    ['two words', '// The clock.\nexport {};\n', false],
    ['half a sentence', '// The one door to the clock\nexport {};\n', false],
  ];
  it.each(headers)('a file that begins with %s', (_, text, isFine) => {
    expect(headerViolations([parseSource('plan/a.ts', text)])).toHaveLength(isFine ? 0 : 1);
  });
});
