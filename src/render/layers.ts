// A layered layout of a graph: every node right of all that it needs, neighbours near each other.

export interface GraphNode {
  readonly id: string;
  readonly needs: readonly string[];
}

export interface Placed {
  readonly layer: number;
  readonly row: number;
}

/** Layer and row of every node. Rings (which no plan has) end where they began, at the layer reached so far. */
export function layersOf(nodes: readonly GraphNode[]): Map<string, Placed> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const layer = new Map<string, number>();
  let waiting = [...nodes];
  while (waiting.length > 0) {
    const ready = waiting.filter((node) => node.needs.every((id) => !byId.has(id) || layer.has(id)));
    const chosen = ready.length > 0 ? ready : waiting.slice(0, 1);
    for (const node of chosen) layer.set(node.id, Math.max(-1, ...node.needs.map((id) => layer.get(id) ?? -1)) + 1);
    const settled = new Set(chosen);
    waiting = waiting.filter((node) => !settled.has(node));
  }
  return placedRows(nodes, layer);
}

/** Within a layer, nodes go by the mean row of what they need, then by their own order. */
function placedRows(nodes: readonly GraphNode[], layer: ReadonlyMap<string, number>): Map<string, Placed> {
  const placed = new Map<string, Placed>();
  const layers = groupByLayer(nodes, layer);
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

function groupByLayer(nodes: readonly GraphNode[], layer: ReadonlyMap<string, number>): GraphNode[][] {
  const layers: GraphNode[][] = [];
  for (const node of nodes) (layers[layer.get(node.id) ?? 0] ??= []).push(node);
  return layers;
}
