// Patterns of addresses: part by part, with what is below, and as they have always been for addresses of two parts.
import { describe, expect, test } from 'vitest';
import { coversAddress, matchesGlob, matchesParts } from '../../../src/model/address.ts';

describe('a protection or selection', () => {
  test.each<readonly [pattern: string, address: string, isCovered: boolean]>([
    ['shop', 'shop', true],
    ['shop', 'shop/primary', true],
    ['shop', 'shop/trees/oak/leaves/first', true],
    ['shop', 'shopping/primary', false],
    ['shop/*', 'shop/primary', true],
    ['shop/*', 'shop/trees/oak', true],
    ['shop/*', 'shop', false],
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
    const from = performance.now();
    expect(coversAddress(pattern, address)).toBe(false);
    expect(performance.now() - from).toBeLessThan(2000);
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
