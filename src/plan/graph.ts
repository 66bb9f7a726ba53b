// Small graph questions about needs: rings, reachability, and which needs say nothing new.
import type { StepId } from '../model/plan.ts';

/** Step → the steps that must be done before it. */
export type Needs = ReadonlyMap<StepId, ReadonlySet<StepId>>;

/** Every ring among the needs; each is listed from its first step (by name) on, a step before the one that it needs. */
export function ringsOf(needs: Needs): StepId[][] {
  const open = new Map([...needs].map(([id, firsts]) => [id, new Set(firsts)]));
  const rings: StepId[][] = [];
  for (;;) {
    settleAll(open);
    const start = [...open.keys()].sort()[0];
    if (start === undefined) return rings;
    const ring = ringFrom(start, open);
    rings.push(ring);
    for (const id of ring) open.delete(id);
  }
}

/** Removes, again and again, what needs nothing that is still open. */
function settleAll(open: Map<StepId, Set<StepId>>): void {
  const dependents = new Map<StepId, StepId[]>();
  for (const [id, firsts] of open)
    for (const first of firsts) {
      if (!open.has(first)) firsts.delete(first);
      else dependents.set(first, [...(dependents.get(first) ?? []), id]);
    }
  const ready = [...open].filter(([, firsts]) => firsts.size === 0).map(([id]) => id);
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    open.delete(id);
    for (const dependent of dependents.get(id) ?? []) {
      const firsts = open.get(dependent);
      firsts?.delete(id);
      if (firsts?.size === 0) ready.push(dependent);
    }
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

/** True when `from` cannot start before `target` is done. */
export function mustFollow(needs: Needs, from: StepId, target: StepId): boolean {
  const seen = new Set<StepId>();
  const queue = [from];
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
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

/** The needs of a step without those that another of its needs waits for anyway; sorted. */
export function leastNeeds(needs: Needs, id: StepId): StepId[] {
  const firsts = [...(needs.get(id) ?? [])].sort();
  if (firsts.length < 2) return firsts;
  return firsts.filter((first) => !firsts.some((other) => other !== first && mustFollow(needs, other, first)));
}
