// Small graph questions about needs: rings, reachability, and which needs say nothing new.
import { roundsOf, type GraphNode } from '../../model/rounds.ts';
import type { StepId } from '../../model/outcome/plan.ts';

/** Step → the steps that must be done before it. */
export type Needs = ReadonlyMap<StepId, ReadonlySet<StepId>>;

/** Every ring among the needs; each is listed from its first step (by name) on, a step before the one that it needs. */
export function ringsOf(needs: Needs): StepId[][] {
  const { left } = roundsOf([...needs].map(([id, firsts]): GraphNode => ({ id, needs: [...firsts] })));
  /** What may still be in a ring, with its needs: the first by name comes last. */
  const open = new Map(left.map((node) => [node.id, [...node.needs].sort().reverse()]));
  const rings: StepId[][] = [];
  for (const start of [...open.keys()].sort()) {
    const way: StepId[] = open.has(start) ? [start] : [];
    const places = new Map(way.map((id, place) => [id, place]));
    for (let id = way.at(-1); id !== undefined; id = way.at(-1)) {
      const next = firstOpen(open, id);
      const back = next === undefined ? way.length - 1 : places.get(next);
      if (next !== undefined && back === undefined) {
        places.set(next, way.length);
        way.push(next);
        continue;
      }
      // Either the way came round, and what lies on it since then is a ring, or it leads on to none.
      const over = way.splice(back ?? 0);
      if (next !== undefined) rings.push(rotated(over));
      for (const one of over) {
        places.delete(one);
        open.delete(one);
      }
    }
  }
  return rings;
}

/** The first of its needs, by name, that is still open. */
function firstOpen(open: ReadonlyMap<StepId, StepId[]>, id: StepId): StepId | undefined {
  const rest = open.get(id) ?? [];
  while (rest.length > 0 && !open.has(rest.at(-1) ?? '')) rest.pop();
  return rest.at(-1);
}

function rotated(ring: readonly StepId[]): StepId[] {
  const first = ring.indexOf([...ring].sort()[0] ?? '');
  return [...ring.slice(first), ...ring.slice(0, first)];
}

/** How many more steps may be looked at. */
export interface Budget {
  left: number;
}

/** True when `from` cannot start before `target` is done; false as well where the budget is spent before that shows. */
export function mustFollow(needs: Needs, from: StepId, target: StepId, budget: Budget = { left: Infinity }): boolean {
  const seen = new Set<StepId>();
  const queue = [from];
  for (let id = queue.pop(); id !== undefined && budget.left >= 0; id = queue.pop()) {
    for (const first of needs.get(id) ?? []) {
      if (first === target) return true;
      if (!seen.has(first)) {
        seen.add(first);
        budget.left--;
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
    firsts.some((other) => other !== first && mustFollow(needs, other, first, { left: MOST_COMPARED }));
  return firsts.filter((first) => !isImplied(first));
}
