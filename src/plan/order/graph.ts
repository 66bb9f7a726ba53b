// Small graph questions about needs: rings, reachability, and which needs say nothing new.
import { roundsOf, type GraphNode } from '../../model/rounds.ts';
import type { StepId } from '../../model/outcome/plan.ts';

/** Step → the steps that must be done before it. */
export type Needs = ReadonlyMap<StepId, ReadonlySet<StepId>>;

/** Every ring among the needs; each is listed from its first step (by name) on, a step before the one that it needs. */
export function ringsOf(needs: Needs): StepId[][] {
  const rings: StepId[][] = [];
  let open: readonly GraphNode[] = [...needs].map(([id, firsts]) => ({ id, needs: [...firsts] }));
  for (;;) {
    const { left } = roundsOf(open);
    const ids = new Set(left.map(({ id }) => id));
    const waits = new Map(left.map((node) => [node.id, new Set(node.needs.filter((id) => ids.has(id)))]));
    const start = [...ids].sort()[0];
    if (start === undefined) return rings;
    const ring = ringFrom(start, waits);
    rings.push(ring);
    open = left.filter(({ id }) => !ring.includes(id));
  }
}

/** Everything still open needs something open, so following needs must come round. */
function ringFrom(start: StepId, open: ReadonlyMap<StepId, ReadonlySet<StepId>>): StepId[] {
  const path: StepId[] = [];
  for (let id = start; ;) {
    const seen = path.indexOf(id);
    if (seen >= 0) return rotated(path.slice(seen));
    path.push(id);
    id = [...(open.get(id) ?? [])].sort()[0] ?? start;
  }
}

function rotated(ring: readonly StepId[]): StepId[] {
  const first = ring.indexOf([...ring].sort()[0] ?? '');
  return [...ring.slice(first), ...ring.slice(0, first)];
}

/** True when `from` cannot start before `target` is done; `most` steps are looked at for that. */
export function mustFollow(needs: Needs, from: StepId, target: StepId, most: number = Infinity): boolean {
  const seen = new Set<StepId>();
  const queue = [from];
  for (let id = queue.pop(); id !== undefined && seen.size <= most; id = queue.pop()) {
    for (const first of needs.get(id) ?? []) {
      if (first === target) return true;
      if (!seen.has(first)) {
        seen.add(first);
        queue.push(first);
      }
    }
  }
  return false;
}

/** Among more needs, and farther along a chain, one too many says nothing wrong, and looking for it takes long. */
const MOST_COMPARED = 100;

/** The needs of a step without those that another of its needs waits for anyway; sorted. */
export function leastNeeds(needs: Needs, id: StepId): StepId[] {
  const firsts = [...(needs.get(id) ?? [])].sort();
  if (firsts.length < 2 || firsts.length > MOST_COMPARED) return firsts;
  const isImplied = (first: StepId): boolean =>
    firsts.some((other) => other !== first && mustFollow(needs, other, first, MOST_COMPARED));
  return firsts.filter((first) => !isImplied(first));
}
