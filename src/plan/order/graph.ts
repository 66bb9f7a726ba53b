// The graph of needs between steps: cycles, reachability, and needs that other needs imply.
import type { Step, StepId } from '../../model/outcome/plan.ts';

/** For each step, the steps that must be done before it. */
export type Needs = ReadonlyMap<StepId, ReadonlySet<StepId>>;

/** Records that `step` waits for `first`. */
export type Need = (step: Pick<Step, 'id'>, first: Pick<Step, 'id'>) => void;

export function needIn(needs: Map<StepId, Set<StepId>>): Need {
  return ({ id }, first) => {
    if (id === first.id) return;
    const known = needs.get(id);
    if (known === undefined) needs.set(id, new Set([first.id]));
    else known.add(first.id);
  };
}

/** All cycles among the needs. Each begins with its first step by name, and each step precedes the step that it needs. */
export function ringsOf(needs: Needs): StepId[][] {
  /** Steps that may still be in a cycle, with their needs in reverse order, so that the first by name is at the end. */
  const open = new Map([...needs].map(([id, firsts]) => [id, [...firsts].sort().reverse()]));
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
      // The path ends here: it closes a cycle, or its last step can be in none.
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

function firstOpen(open: ReadonlyMap<StepId, StepId[]>, id: StepId): StepId | undefined {
  const rest = open.get(id) ?? [];
  while (rest.length > 0 && !open.has(rest.at(-1) ?? '')) rest.pop();
  return rest.at(-1);
}

function rotated(ring: readonly StepId[]): StepId[] {
  const first = ring.indexOf([...ring].sort()[0] ?? '');
  return [...ring.slice(first), ...ring.slice(0, first)];
}

/** True if `from` must wait for `target`; false if the search gives up after `most` steps. */
export function mustFollow(needs: Needs, from: StepId, target: StepId, most: number = Infinity): boolean {
  const seen = new Set([from]);
  for (const id of seen) {
    if (seen.size > most) return false;
    for (const first of needs.get(id) ?? []) {
      if (first === target) return true;
      seen.add(first);
    }
  }
  return false;
}

/** With more needs than this, a superfluous need may stay: it is harmless, and the search takes long. */
const MOST_COMPARED = 100;

/** The sorted needs of a step, without those that its other needs imply. */
export function leastNeeds(needs: Needs, id: StepId): StepId[] {
  const firsts = [...(needs.get(id) ?? [])].sort();
  if (firsts.length < 2 || firsts.length > MOST_COMPARED) return firsts;
  const isImplied = (first: StepId): boolean =>
    firsts.some((other) => other !== first && mustFollow(needs, other, first, MOST_COMPARED));
  return firsts.filter((first) => !isImplied(first));
}
