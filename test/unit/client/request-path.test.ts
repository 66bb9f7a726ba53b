// Paths of requests: an id that could climb out of its place makes none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainPath, withQuery } from '../../../src/client/http/request-parts.ts';

const SEGMENT = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,199}$/;

/** Segment by segment. */
function isPlain(path: string): boolean {
  const [before, ...segments] = path.split('/');
  return before === '' && segments.length > 0 && segments.every((segment) => SEGMENT.test(segment));
}

describe('a path', () => {
  it('is plain when each of its segments is', () => {
    const segment = fc.oneof(
      { weight: 6, arbitrary: fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,6}$/) },
      { weight: 1, arbitrary: fc.constantFrom('', '.', '..', '%2e', 'a%2fb', 'a?b', 'a#b', 'a\\b', 'a\n', ' ', 'é') },
      { weight: 1, arbitrary: fc.constantFrom('a'.repeat(200), 'a'.repeat(201)) },
    );
    const path = fc
      .tuple(
        fc.constantFrom('/', '/', '/', ''),
        fc.array(segment, { maxLength: 4 }),
        fc.constantFrom('', '', '/', '\n'),
      )
      .map(([start, segments, end]) => start + segments.join('/') + end);
    fc.assert(
      fc.property(path, (one) => {
        expect(isPlainPath(one)).toBe(isPlain(one));
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['', '/', 'a', '//', '/a//b', '/a/', '/a/../b', '/./a', '/a/b\n', '\n/a', '/a b', `/${'a'.repeat(201)}`])(
    '%j is none',
    (path) => expect(isPlainPath(path)).toBe(false),
  );

  it('takes time in proportion to its length, whatever follows', () => {
    expect(isPlainPath(`${'/a'.repeat(100_000)}!`)).toBe(false);
  });

  it('has its query behind it, encoded', () => {
    expect(withQuery('/a', {})).toBe('/a');
    expect(withQuery('/a', { limit: 4, cursor: 'x&y=z' })).toBe('/a?limit=4&cursor=x%26y%3Dz');
  });
});
