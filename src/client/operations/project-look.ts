// One look at a project: its log, newest first, until all awaited operations are seen, and then those that are missing.
import type { OperationRecord } from '../../model/live.ts';
import { ApiFailure } from '../failure.ts';
import { readOperation, readOperationLog } from './log.ts';
import type { Reader } from '../types.ts';
import type { Sighting } from './watched-operation.ts';

/** Awaited operations are among the newest; those of long ago are fetched one by one instead of paging back to them. */
const PAGES_MAX = 3;
const PAGE_MIN = 30;
const PAGE_MAX = 500;
/** Missing operations fetched at the same time. */
const FETCHES_TOGETHER = 8;

export interface ProjectLook {
  /** Newest first. */
  readonly operations: readonly OperationRecord[];
  readonly sightings: ReadonlyMap<string, Sighting>;
}

interface LookQuery {
  readonly projectId: string;
  readonly awaited: readonly string[];
  readonly signal: AbortSignal;
}

/** Rejects when the log cannot be read. An awaited operation that is in neither place is `absent`. */
export async function lookAtProject(reader: Reader, query: LookQuery): Promise<ProjectLook> {
  const { projectId, awaited, signal } = query;
  const { operations } = await readOperationLog(reader, {
    projectId,
    signal,
    limit: Math.min(PAGE_MAX, Math.max(PAGE_MIN, awaited.length * 2 + 10)),
    maxPages: PAGES_MAX,
    isEnough: (seen) => {
      const ids = new Set(seen.map(({ id }) => id));
      return awaited.every((id) => ids.has(id));
    },
  });
  const sightings = new Map<string, Sighting>(operations.map((operation) => [operation.id, operation]));
  const missing = awaited.filter((id) => !sightings.has(id));
  for (let from = 0; from < missing.length; from += FETCHES_TOGETHER) {
    const some = missing.slice(from, from + FETCHES_TOGETHER);
    const seen = await Promise.all(some.map((id) => fetchOne(reader, { projectId, id, signal })));
    some.forEach((id, at) => sightings.set(id, seen[at] ?? 'unseen'));
  }
  return { operations, sightings };
}

async function fetchOne(
  reader: Reader,
  query: { projectId: string; id: string; signal: AbortSignal },
): Promise<Sighting> {
  try {
    return (await readOperation(reader, query)) ?? 'unseen';
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    if (failure.status === 404) return 'absent';
    // Without the right to look, waiting is pointless; anything else passes.
    if (failure.failureClass === 'refused') throw failure;
    return 'unseen';
  }
}
