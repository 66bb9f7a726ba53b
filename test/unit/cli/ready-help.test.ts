// Help made ahead: what the build wrote is what the program says, and only what asks for help gets it.
import { describe, expect, it } from 'vitest';
import { main } from '../../../src/cli/main.ts';
import { askedFor, READY_COLUMNS, readyHelp, readyTexts } from '../../../src/cli/ready-help.ts';
import { fakeIo } from '../../support/fake-io.ts';

const texts = readyTexts(new URL('../../../dist/cli/code/help.json', import.meta.url));

describe('help made ahead', () => {
  it('is there for each command', () => {
    expect(Object.keys(texts)).toEqual(expect.arrayContaining(['', 'init', 'plan', 'apply', 'completion']));
  });

  it.each(Object.keys(texts))('of "%s" is what the program says', async (name) => {
    const words = name === '' ? [] : [name];
    for (const line of [
      [...words, '--help'],
      [...words, '-h'],
      ['help', ...words],
    ]) {
      const io = fakeIo({ cwd: '/', columns: READY_COLUMNS });
      expect({ line, code: await main(line, io), text: io.out() }).toEqual({ line, code: 0, text: texts[name] });
    }
  });

  it('is none for words that only look like an entry', () => {
    for (const word of ['constructor', 'toString', '__proto__', 'nobody']) expect(readyHelp(['help', word])).toBeNull();
  });

  it.each<[string[], string | null]>([
    [['--help'], ''],
    [['-h'], ''],
    [['help'], ''],
    [['help', 'plan'], 'plan'],
    [['plan', '--help'], 'plan'],
    [['plan', '-h'], 'plan'],
    [[], null],
    [['plan'], null],
    [['help', '--help'], null],
    [['--help', 'plan'], null],
    [['--local', '--help'], null],
    [['plan', '--local', '--help'], null],
    [['help', 'plan', 'apply'], null],
  ])('%j asks for %j', (words, name) => {
    expect(askedFor(words)).toBe(name);
  });
});
