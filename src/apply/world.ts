// The live lists that steps are judged by: read again only when what is at hand is too old for the question.
import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { ApiFailure } from '../client/failure.ts';
import type { Reader } from '../client/types.ts';
import type { KindName } from '../model/desired.ts';
import type { LiveResource, LiveState } from '../model/live.ts';
import type { KindRemote } from './kind-remote.ts';

/** One scope: all resources of a kind in a project, or in the account (`projectId` null). */
export interface Scope {
  readonly kind: KindName;
  readonly projectId: string | null;
}

export interface World {
  /** The resources of a scope by a fresh reading that began after `afterMs` (monotonic; null = whenever). Rejects with `ApiFailure`. */
  list(scope: Scope, afterMs: number | null, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** The same by a reading that begins now. */
  reread(scope: Scope, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** What the last reading of a scope showed; null when there was none. */
  lastSeen(scope: Scope): readonly LiveResource[] | null;
}

export interface WorldInput {
  readonly kinds: ReadonlyMap<KindName, KindRemote>;
  readonly reader: Reader;
  readonly clock: Clock;
  /** The reading that a plan made in this run rests on. */
  readonly planned: { readonly live: LiveState; readonly startedAtMs: number } | null;
}

/** How long a reading serves the steps that follow it. */
const READING_FRESH_MS = 2000;
/** How long the reading of a plan made in this run serves its own steps: the plan is judged against nothing newer. */
const PLAN_READING_FRESH_MS = 30_000;

interface Reading {
  readonly startedAtMs: number;
  readonly freshMs: number;
  readonly resources: Promise<readonly LiveResource[]>;
}

export function createWorld({ kinds, reader, clock, planned }: WorldInput): World {
  const readings = new Map<string, Reading>();
  const seen = new Map<string, readonly LiveResource[]>();
  if (planned !== null)
    for (const [key, list] of plannedScopes(planned.live, kinds)) {
      seen.set(key, list);
      const { startedAtMs } = planned;
      readings.set(key, { startedAtMs, freshMs: PLAN_READING_FRESH_MS, resources: Promise.resolve(list) });
    }

  const reread = async (scope: Scope, signal: AbortSignal): Promise<readonly LiveResource[]> => {
    const remote = kinds.get(scope.kind);
    assert(remote !== undefined, `there is no kind ${scope.kind}`);
    const key = keyOf(scope);
    const resources = remote.list(reader, scope.projectId, signal);
    readings.set(key, { startedAtMs: clock.monotonicMs(), freshMs: READING_FRESH_MS, resources });
    try {
      seen.set(key, await resources);
      return await resources;
    } catch (error) {
      if (readings.get(key)?.resources === resources) readings.delete(key);
      throw error;
    }
  };
  return {
    async list(scope, afterMs, signal) {
      const reading = readings.get(keyOf(scope));
      const isLater = reading !== undefined && (afterMs === null || reading.startedAtMs > afterMs);
      if (!isLater || clock.monotonicMs() - reading.startedAtMs > reading.freshMs) return reread(scope, signal);
      return reading.resources.catch(async (error: unknown) => {
        // Given up by whoever began it.
        if (error instanceof ApiFailure || signal.aborted) throw error;
        return reread(scope, signal);
      });
    },
    reread,
    lastSeen: (scope) => seen.get(keyOf(scope)) ?? null,
  };
}

function keyOf({ kind, projectId }: Scope): string {
  return `${kind} ${projectId ?? ''}`;
}

/** What the plan's reading showed of each scope; a project that was read and is empty counts too. */
function plannedScopes(
  live: LiveState,
  kinds: ReadonlyMap<KindName, KindRemote>,
): ReadonlyMap<string, readonly LiveResource[]> {
  const unread = new Set(live.unread.map(({ projectId }) => projectId));
  const scopes = new Map<string, LiveResource[]>();
  for (const { id } of live.projects)
    for (const { kind, scope } of kinds.values())
      if (scope === 'project' && !unread.has(id)) scopes.set(keyOf({ kind, projectId: id }), []);
  for (const resource of live.resources) {
    const key = keyOf(resource);
    const known = scopes.get(key);
    if (known === undefined) scopes.set(key, [resource]);
    else known.push(resource);
  }
  return scopes;
}
