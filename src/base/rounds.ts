// Sorts a graph into rounds: each node needs only nodes of earlier rounds.

export interface GraphNode {
  readonly id: string;
  readonly needs: readonly string[];
}

export interface Rounds<T> {
  /** Each node stands in the round after its last need; within a round the given order stays. */
  readonly rounds: readonly (readonly T[])[];
  /** The nodes in a cycle, and the nodes that wait for a cycle. */
  readonly left: readonly T[];
}

/** Sorts the nodes into rounds; a need that names no node counts as met. */
export function roundsOf<T extends GraphNode>(nodes: readonly T[]): Rounds<T> {
  const ids = new Set(nodes.map(({ id }) => id));
  const open = new Map(nodes.map(({ id, needs }) => [id, new Set(needs.filter((need) => ids.has(need)))]));
  const dependents = new Map<string, T[]>(nodes.map(({ id }) => [id, []]));
  for (const node of nodes) for (const need of open.get(node.id) ?? []) dependents.get(need)?.push(node);
  const at = new Map(nodes.map(({ id }, index) => [id, index]));
  const rounds: T[][] = [];
  let ready = nodes.filter(({ id }) => open.get(id)?.size === 0);
  while (ready.length > 0) {
    rounds.push(ready);
    const freed = ready.flatMap(({ id }) =>
      (dependents.get(id) ?? []).filter((node) => isFreed(open.get(node.id), id)),
    );
    ready = freed.sort((a, b) => (at.get(a.id) ?? 0) - (at.get(b.id) ?? 0));
  }
  return { rounds, left: nodes.filter(({ id }) => (open.get(id)?.size ?? 0) > 0) };
}

function isFreed(needs: Set<string> | undefined, id: string): boolean {
  needs?.delete(id);
  return needs?.size === 0;
}
