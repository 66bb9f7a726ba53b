// Protects a build service's log: no word that is cut to fit the line puts a command at the beginning of the next one.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shown } from '../../../src/render/text.ts';
import { columnsOf, wrap } from '../../../src/render/width.ts';

const COMMAND = /^\s*::/;

it('a cut right before a command goes one character earlier', () => {
  const word = `${'x'.repeat(20)}::error::oops`;
  expect(wrap(word, { width: 20 })).toEqual(['x'.repeat(19), 'x::error::oops']);
});

it('wherever a word is cut, no line begins with a command, and nothing is lost', () => {
  const piece = fc.constantFrom('::', ':', 'a', 'word', '漢', '😀', '::error::', '##[group]', ' ', ':::::');
  const text = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 40 }), (words, width) => {
      const outside = shown(words, 500);
      const lines = wrap(outside, { width });
      expect(lines.filter((line) => COMMAND.test(line))).toEqual([]);
      expect(lines.filter((line) => columnsOf(line) > width)).toEqual([]);
      expect(lines.join('').replaceAll(' ', '')).toBe(outside.replaceAll(' ', ''));
    }),
    { numRuns: 300 },
  );
});
