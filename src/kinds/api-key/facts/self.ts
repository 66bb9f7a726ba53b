// Finds the own key of the run: the only key whose last use moves with each of our requests.
import type { ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { liveKey } from '../live-key.ts';

interface OwnSearch {
  /** The list of the first reading. */
  readonly first: readonly LiveResource[];
  /** Reads the list again. */
  readonly look: () => Promise<readonly LiveResource[]>;
  /** Lets time pass, and resolves with the service's time. */
  readonly pause: (ms: number) => Promise<number>;
}

/** The service may count in whole seconds. */
const STEP_MS = 1100;
/** The service may show a use late, so an older use proves nothing about this look. */
const PROMPT_MS = 10_000;
/** Two looks in agreement are needed. */
const MAX_LOOKS = 4;

/**
 * Null if the evidence names no single key: the last use of exactly one key must move to the time of each look, at least twice. Other keys
 * in heavy use, or times that lag, leave the question open.
 */
export async function findOwnKey({ first, look, pause }: OwnSearch): Promise<ResourceId | null> {
  let before = usesOf(first);
  let candidates: ReadonlySet<string> | null = null;
  let agreements = 0;
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const sinceMs = (await pause(STEP_MS)) - PROMPT_MS;
    const uses = usesOf(await look());
    const hasMoved = ([id, usedMs]: readonly [string, number]): boolean =>
      usedMs > (before.get(id) ?? -Infinity) && usedMs >= sinceMs;
    const moved = new Set([...uses].filter(hasMoved).map(([id]) => id));
    before = uses;
    candidates = intersection(candidates, moved);
    // Our look always moves our own key. If no key moved, the times lag and prove nothing.
    if (candidates.size === 0) break;
    agreements = candidates.size === 1 ? agreements + 1 : 0;
    if (agreements === 2) return [...candidates][0] ?? null;
  }
  return null;
}

function intersection(former: ReadonlySet<string> | null, moved: ReadonlySet<string>): ReadonlySet<string> {
  return former === null ? moved : new Set([...moved].filter((id) => former.has(id)));
}

function usesOf(list: readonly LiveResource[]): ReadonlyMap<string, number> {
  return new Map(
    list.flatMap((live) => {
      const { id, lastUsedAtMs } = liveKey(live);
      return lastUsedAtMs === null ? [] : [[id, lastUsedAtMs] as const];
    }),
  );
}
