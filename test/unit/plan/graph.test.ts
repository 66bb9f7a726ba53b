// Small graph questions, and the changes that wait for each other.
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../support/processor-time.ts';
import { mustFollow, ringsOf, type Needs } from '../../../src/plan/order/reference-needs.ts';

/** `a<b,c d<e`: a needs b and c, d needs e. */
function needsOf(text: string): Needs {
  const entries = text.split(' ').map((word) => word.split('<'));
  return new Map(entries.map(([id = '', firsts = '']) => [id, new Set(firsts.split(','))]));
}

describe('rings among needs', () => {
  it.each([
    ['of none', 'a<b b<c', []],
    ['of two', 'a<b b<a', ['a b']],
    ['begin with the lowest name, whoever is written first', 'c<a b<c a<b', ['a b c']],
    ['are found from without', 'a<c c<d d<c', ['c d']],
    ['are found by each of their members only once', 'a<b b<a c<a', ['a b']],
    ['are several', 'a<b b<a d<c c<d', ['a b', 'c d']],
    ['that share a member end when it is gone', 'a<b b<a,c c<b', ['a b']],
    ['do not hold what only leads to their end', 'a<b b<a,x x<y', ['a b']],
    ['of many needs follow the first by name', 'a<c,b b<a c<a', ['a b']],
    ['begin with the lowest name, also when it is entered elsewhere', 'a<d d<c c<b b<d', ['b d c']],
  ])('%s: %s', (_name, needs, rings) => {
    expect(ringsOf(needsOf(needs)).map((ring) => ring.join(' '))).toEqual(rings);
    const turned = new Map([...needsOf(needs)].reverse().map(([id, firsts]) => [id, new Set([...firsts].reverse())]));
    expect(ringsOf(turned).map((ring) => ring.join(' '))).toEqual(rings);
  });

  it('leave the needs as they were', () => {
    const needs = needsOf('a<b b<a c<d');
    ringsOf(needs);
    expect(needs).toEqual(needsOf('a<b b<a c<d'));
  });
});

it('very many rings, and very long ones, are found in no time', () => {
  const count = 50_000;
  const pairs = Array.from({ length: count }, (_, at) => `${at}<${at % 2 === 0 ? at + 1 : at - 1}`).join(' ');
  const long = Array.from({ length: count }, (_, at) => `${at}<${(at + 1) % count}`).join(' ');
  const start = processorMs();
  expect(ringsOf(needsOf(pairs))).toHaveLength(count / 2);
  expect(ringsOf(needsOf(long)).map((ring) => ring.length)).toEqual([count]);
  // A busy machine gets some slack.
  expect(processorMs() - start).toBeLessThan(5000);
});

it.each([
  ['what it needs', 'a<b', 'a', 'b', true],
  ['what that needs in turn', 'a<b b<c c<d', 'a', 'd', true],
  ['by any of several ways', 'a<b,c c<d', 'a', 'd', true],
  ['not what needs it', 'a<b', 'b', 'a', false],
  ['not what nobody needs', 'a<b c<d', 'a', 'd', false],
  ['not itself', 'a<b', 'a', 'a', false],
  ['itself in a ring', 'a<b b<a', 'a', 'a', true],
  ['nothing else in a ring', 'a<b b<a c<d', 'a', 'd', false],
])('must follow: %s: %s', (_name, needs, from, target, expected) => {
  expect(mustFollow(needsOf(needs), from, target)).toBe(expected);
});
