// Paths of requests: an id that could climb out of its place makes none.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainPath, withQuery } from '../../../src/client/api-client.ts';
import { runs } from '../../support/property-runs.ts';

/** What stands for itself, and what is escaped. */
const CHARACTER = /%[0-9A-F]{2}|[^%]/gy;

/** Segment by segment: it is what it becomes when it is decoded and encoded, and leads nowhere else. */
function isPlain(path: string): boolean {
  const [before, ...segments] = path.split('/');
  return before === '' && segments.length > 0 && segments.every(isSegment);
}

function isSegment(segment: string): boolean {
  const length = segment.match(CHARACTER)?.length ?? 0;
  if (length === 0 || length > 200 || /^\.+$/.test(segment)) return false;
  try {
    return encodeURIComponent(decodeURIComponent(segment)) === segment;
  } catch {
    return false;
  }
}

describe('a path', () => {
  it('is plain when each of its segments is', () => {
    const segment = fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,6}$/) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map(encodeURIComponent) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('', ...'. .. %2e a%2fb %2E ..%2E ..x a% a?b a#b a\\b é'.split(' '), 'a\n', ' '),
      },
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
      runs(1000),
    );
  });

  it.each([
    '',
    '/',
    'a',
    '//',
    '/a//b',
    '/a/',
    '/a/../b',
    '/a/..',
    '/./a',
    '/a%2f',
    '/a/b\n',
    '\n/a',
    '/a b',
    `/${'a'.repeat(201)}`,
  ])('%j is none', (path) => expect(isPlainPath(path)).toBe(false));

  const NAMES = ['a/b', '..x', '../../api_keys', 'a b', 'é', '😀', '%2e%2e', "it's (a) *!", 'a?b#c\\d', '{shop/x}'];
  it.each([...NAMES, 'é'.repeat(31)])('takes the name %j as one segment, which a URL keeps as it is', (name) => {
    const path = `/branches/br-1/roles/${encodeURIComponent(name)}`;
    expect(isPlainPath(path)).toBe(true);
    expect(new URL(path, 'http://h').pathname).toBe(path);
  });

  it('takes time in proportion to its length, whatever follows', () => {
    expect(isPlainPath(`${'/a'.repeat(100_000)}?`)).toBe(false);
  });

  it('has its query behind it, encoded', () => {
    expect(withQuery('/a', {})).toBe('/a');
    expect(withQuery('/a', { limit: 4, cursor: 'x&y=z' })).toBe('/a?limit=4&cursor=x%26y%3Dz');
  });
});
