// Words that are cut to fit the line: nothing is lost or put between, and no cut puts a command to a build service at the beginning of a line.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shown } from '../../../src/render/text/escape.ts';
import { columnsOf, wrap } from '../../../src/render/text/width.ts';
import { runs } from '../../support/property-runs.ts';

/** No IPv6 address has such a letter, and every command has one. */
const COMMAND = /^\s*::[a-z-]*[g-z]/i;

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
    runs(300),
  );
});

it('without the breaks and their indents, no word has a blank in it that was not there', () => {
  const unit = fc.constantFrom('a', 'b', '-', '漢', '"');
  // Those about as long as a line are the hard ones.
  const about = fc.integer({ min: 66, max: 84 }).map((length) => 'x'.repeat(length));
  const letters = fc.oneof(about, fc.string({ unit, minLength: 1, maxLength: 200 }));
  const indent = fc.nat(12).map((columns) => ' '.repeat(columns));
  fc.assert(
    fc.property(fc.array(letters, { minLength: 1, maxLength: 4 }), indent, indent, (words, first, hanging) => {
      const lines = wrap(words.join(' '), { width: 80, indent: first, hanging });
      const ends = new Set(words.map((_, at) => words.slice(0, at + 1).join('').length));
      let letterCount = 0;
      for (const [at, line] of lines.entries())
        for (const character of line.slice((at === 0 ? first : hanging).length)) {
          if (character === ' ') expect(ends).toContain(letterCount);
          else letterCount += character.length;
        }
      expect(letterCount).toBe(words.join('').length);
    }),
    runs(300),
  );
});
