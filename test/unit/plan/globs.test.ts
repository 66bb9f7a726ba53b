// Patterns of addresses: part by part, with what is below, and as they have always been for addresses of two parts.
import { describe, expect, test } from 'vitest';
import { coversAddress, matchesGlob, matchesParts } from '../../../src/model/address.ts';
import { addressBelow } from '../../../src/model/kind.ts';
import { givenBy, namesLoss } from '../../../src/model/outcome/impact.ts';
import { processorMs } from '../../support/processor-time.ts';

describe('a protection or selection', () => {
  test.each<readonly [pattern: string, address: string, isCovered: boolean]>([
    ['shop', 'shop', true],
    ['shop', 'shop/primary', true],
    ['shop', 'shop/trees/oak/leaves/first', true],
    ['shop', 'shopping/primary', false],
    ['shop/*', 'shop/primary', true],
    ['shop/*', 'shop/trees/oak', true],
    ['shop/*', 'shop', true],
    ['shop/**', 'shop', true],
    ['shop/**', 'shop/trees/oak', true],
    ['shop/trees/oak', 'shop/trees/oak', true],
    ['shop/trees/oak', 'shop/trees/oak/leaves/first', true],
    ['shop/trees/oak', 'shop/trees/oaken', false],
    ['shop/trees/oak/**', 'shop/trees/oak', true],
    ['shop/trees/o*', 'shop/trees/oak/leaves/first', true],
    ['shop/tr*k', 'shop/trees/oak', false],
    ['*/primary', 'shop/primary', true],
    ['*/primary', 'shop/trees/primary', false],
    ['**/primary', 'shop/trees/primary', true],
    ['**/leaves/*', 'shop/trees/oak/leaves/first', true],
    ['shop/**/first', 'shop/trees/oak/leaves/first', true],
    ['shop/**/first', 'shop/trees/oak', false],
    ['*', 'shop/trees/oak', true],
    ['*primary', 'shop/primary', true],
    ['*oak', 'shop/trees/oak', false],
    ['', 'shop', false],
  ])('%s of %s: %s', (pattern, address, isCovered) => {
    expect(coversAddress(pattern, address)).toBe(isCovered);
  });

  test('takes no time for patterns made to take it', () => {
    const address = Array.from({ length: 2000 }, () => 'a').join('/');
    const pattern = `${Array.from({ length: 500 }, () => '**/a').join('/')}/b`;
    const from = processorMs();
    expect(coversAddress(pattern, address)).toBe(false);
    expect(processorMs() - from).toBeLessThan(2000);
  });
});

describe('part by part', () => {
  test.each<readonly [pattern: string, address: string, isMatch: boolean]>([
    ['shop/trees/*', 'shop/trees/oak', true],
    ['shop/trees/*', 'shop/trees/oak/leaves/first', false],
    ['shop/trees/**', 'shop/trees', true],
    ['shop/trees/**', 'shop/trees/oak/leaves/first', true],
    ['shop/*/oak', 'shop/trees/oak', true],
    ['shop/t?ees/oak', 'shop/trees/oak', true],
    ['shop/trees', 'shop/trees/oak', false],
  ])('%s of %s: %s', (pattern, address, isMatch) => {
    expect(matchesParts(pattern, address)).toBe(isMatch);
  });

  test('a star alone stands for slashes as well', () => {
    expect(matchesGlob('shop*', 'shop/trees/oak')).toBe(true);
  });
});

describe('a consent to a loss', () => {
  test.each<readonly [allowed: string, address: string, given: 'literal' | 'pattern' | null]>([
    ['shop', 'shop', 'literal'],
    ['shop/**', 'shop', null],
    ['shop/**', 'shop/trees/oak', 'pattern'],
    ['shop/trees/oak', 'shop/trees/oak', 'literal'],
    ['shop/trees/oak', 'shop/trees/oak/leaves/first', null],
    ['shop/trees/oak/**', 'shop/trees/oak', 'pattern'],
    ['shop/trees/oak/leaves/**', 'shop/trees/oak/leaves/first', 'pattern'],
    ['shop/trees/*', 'shop/trees/oak/leaves/first', null],
    ['shop/trees/oak/leaves/*', 'shop/trees/oak/leaves/first', null],
    ['shop/*/oak/leaves/first', 'shop/trees/oak/leaves/first', null],
    ['shop/tr*', 'shop/trees', null],
    ['*/trees/oak', 'shop/trees/oak', null],
    ['**', 'shop/trees/oak', null],
    ['/**', '/trees', null],
  ])('%s of %s: %s', (allowed, address, given) => {
    expect(givenBy({ word: 'drop', address }, [{ action: 'drop', address: allowed }])).toBe(given);
    expect(givenBy({ word: 'drop', address }, [{ action: '*', address: allowed }])).toBe(null);
  });

  test.each([
    ['shop', true],
    ['shop/trees/oak', true],
    ['shop/trees/o?k', true],
    ['shop/**', true],
    ['shop/trees/oak/leaves/first', true],
    ['shop/trees/oak/leaves/**', true],
    ['shop/t*/oak/**', true],
    ['shop/*', false],
    ['shop/trees/oak/*', false],
    ['shop/trees/oak/leaves/*', false],
    ['shop/trees/**/first', false],
    ['shop/*/oak/leaves/first', false],
    ['shop/trees/oak/leaves**', false],
    ['**', false],
    ['s*/trees/oak', false],
    ['/**', false],
  ])('may be written as %s: %s', (text, isFine) => {
    expect(namesLoss(text)).toBe(isFine);
  });

  test('counts as a pattern where only a pattern has named it', () => {
    const need = { word: 'drop', address: 'shop/trees/oak' };
    const named = { action: 'drop', address: 'shop/trees/oak' };
    const pattern = { action: 'drop', address: 'shop/**' };
    expect(givenBy(need, [pattern])).toBe('pattern');
    expect(givenBy(need, [pattern, named])).toBe('literal');
  });
});

test('a name is one part of an address, whatever is in it', () => {
  const below = (name: string): string => addressBelow('shop', { segment: 'trees' }, name);
  expect(['oak', 'a b/c', '*', '50%?', 'Eiche'].map(below)).toEqual([
    'shop/trees/oak',
    'shop/trees/a%20b%2Fc',
    'shop/trees/%2A',
    'shop/trees/50%25%3F',
    'shop/trees/Eiche',
  ]);
  expect(addressBelow(null, { segment: 'trees' }, 'a b')).toBe('trees/a b');
});
