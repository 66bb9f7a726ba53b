// A layered layout of a graph: every node right of all that it needs, neighbours near each other.
import { roundsOf, type GraphNode } from '../model/rounds.ts';

export interface Placed {
  readonly layer: number;
  readonly row: number;
}

/** Layer and row of every node. What is in a ring (which no plan has) stands in a layer of its own. */
export function layersOf(nodes: readonly GraphNode[]): Map<string, Placed> {
  const { rounds, left } = roundsOf(nodes);
  return placedRows(left.length === 0 ? rounds : [...rounds, left]);
}

/** Within a layer, nodes go by the mean row of what they need, then by their own order. */
function placedRows(layers: readonly (readonly GraphNode[])[]): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  layers.forEach((inner, at) => {
    const weighted = inner.map((node, order) => {
      const rows = node.needs.flatMap((id) => placed.get(id)?.row ?? []);
      return { node, order, weight: rows.length === 0 ? order : rows.reduce((sum, row) => sum + row, 0) / rows.length };
    });
    weighted
      .toSorted((a, b) => a.weight - b.weight || a.order - b.order)
      .forEach(({ node }, row) => placed.set(node.id, { layer: at, row }));
  });
  return placed;
}
