// The order of a graph: what a node needs comes before it.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundsOf, type GraphNode } from '../../../src/base/rounds.ts';
import { runs } from '../../support/property-runs.ts';

const node = (id: string, ...needs: string[]): GraphNode => ({ id, needs });

it('orders any graph so that needs come first', () => {
  const graph = fc.array(fc.array(fc.nat({ max: 30 }), { maxLength: 4 }), { maxLength: 30 });
  fc.assert(
    fc.property(graph, fc.integer(), (edges, seed) => {
      const nodes = edges.map((needs, at) =>
        node(`s${at}`, ...new Set(needs.filter((need) => need < at).map((need) => `s${need}`))),
      );
      const shuffled = [...nodes].sort((a, b) => (hash(a.id, seed) < hash(b.id, seed) ? -1 : 1));
      const { rounds, left } = roundsOf(shuffled);
      const ordered = rounds.flat().map(({ id }) => id);
      expect(left).toEqual([]);
      expect([...ordered].sort()).toEqual(nodes.map(({ id }) => id).sort());
      for (const { id, needs } of nodes)
        for (const need of needs) expect(ordered.indexOf(need)).toBeLessThan(ordered.indexOf(id));
    }),
    runs(100),
  );
});

it('leaves out a cycle and what waits for it', () => {
  const { rounds, left } = roundsOf([node('a', 'b'), node('b', 'a'), node('c', 'a'), node('d', 'nothing')]);
  expect(rounds.flat().map(({ id }) => id)).toEqual(['d']);
  expect(left.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});

it('takes very many nodes that need one', () => {
  const many = Array.from({ length: 200_000 }, (_, at) => node(`b${at}`, 'a'));
  expect(roundsOf([...many, node('a')]).rounds.flat()).toHaveLength(200_001);
});

function hash(text: string, seed: number): number {
  let value = seed | 0;
  for (const character of text) value = Math.imul(value ^ character.charCodeAt(0), 0x9e3779b1);
  return value >>> 0;
}
