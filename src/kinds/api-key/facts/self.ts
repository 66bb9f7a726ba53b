// Which key is the run's own: the one, and the only one, whose last use moves whenever we call.
import type { ResourceId } from '../../../model/desired.ts';
import type { LiveResource } from '../../../model/live.ts';
import { liveKey } from '../live-key.ts';

/** How the credential that a run itself uses is looked for. */
interface OwnSearch {
  /** The list as it was read first. */
  readonly first: readonly LiveResource[];
  /** Reads the list again. */
  readonly look: () => Promise<readonly LiveResource[]>;
  /** Lets time pass; resolves with the service's time then. */
  readonly pause: (ms: number) => Promise<number>;
}

/** Longer than the second in which the service may count. */
const STEP_MS = 1100;
/** A last use that is older than the look by more is not of that look: the service shows uses late. */
const PROMPT_MS = 10_000;
/** Looks after the first; two in agreement are needed. */
const MAX_LOOKS = 4;

/**
 * The id of the key with which the lists are read, or null when the evidence does not single one out: between each two looks exactly one
 * key's last use moved to the time of the look, the same one at least twice. Other keys in heavy use, or times that lag, leave it open.
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
    // Our own look always moves ours; when nothing moved, the times lag and prove nothing.
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
