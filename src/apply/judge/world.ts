// Shares the readings of scopes between steps, and reads a scope again only if its reading is too old.
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { KindName, ResourceId } from '../../model/desired.ts';
import { scopeKey, type ScopeId } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindRemote } from '../kind-remote.ts';

/** How new a reading must be to serve a question. */
export interface Age {
  /** It began after this, monotonic. */
  readonly afterMs: number;
  /** No write of this run in the scope was sent after it began, because somebody may have reacted to that write. */
  readonly beforeWrites: boolean;
}

export interface World {
  /** The resources of a scope by a reading of that age. Rejects with `ApiFailure`. */
  list(scope: ScopeId, age: Age, signal: AbortSignal): Promise<readonly LiveResource[]>;
  reread(scope: ScopeId, signal: AbortSignal): Promise<readonly LiveResource[]>;
  /** A write in the scope is about to be sent. */
  writes(scope: ScopeId): void;
  /** When the newest reading of a scope began, monotonic; -Infinity when there was none. */
  readAtMs(scope: ScopeId): number;
}

interface WorldInput {
  readonly kinds: ReadonlyMap<KindName, KindRemote>;
  readonly reader: Reader;
  readonly clock: Clock;
  /** The ids of resources that this run made: a list below one of them may not exist yet. */
  readonly made?: () => Iterable<ResourceId>;
}

/** Pauses between looks while a list may lag. */
export const LAG_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000];

interface Reading {
  readonly startedAtMs: number;
  readonly resources: Promise<readonly LiveResource[]>;
  isWrittenOver: boolean;
}

export function createWorld({ kinds, reader, clock, made = () => [] }: WorldInput): World {
  const readings = new Map<string, Reading>();
  const seen = new Map<string, { readonly startedAtMs: number; readonly resources: readonly LiveResource[] }>();

  const listed = async (remote: KindRemote, scope: ScopeId, signal: AbortSignal): Promise<readonly LiveResource[]> => {
    const isNew = (id: ResourceId): boolean => [...made()].includes(id);
    for (const pauseMs of LAG_PAUSES_MS)
      try {
        return await remote.list(reader, scope, signal);
      } catch (error) {
        const isLate = error instanceof ApiFailure && error.status === 404 && isNew(scope.parentId ?? '');
        if (!isLate) throw error;
        await clock.sleep(pauseMs, signal);
      }
    return remote.list(reader, scope, signal);
  };
  const reread = async (scope: ScopeId, signal: AbortSignal): Promise<readonly LiveResource[]> => {
    const remote = kinds.get(scope.kind);
    assert(remote !== undefined, `there is no kind ${scope.kind}`);
    const key = scopeKey(scope);
    const startedAtMs = clock.monotonicMs();
    const resources = listed(remote, scope, signal).then((shown) => {
      // If two readings overlap, the one that began later counts for both.
      const last = seen.get(key);
      if (last !== undefined && last.startedAtMs > startedAtMs) return last.resources;
      seen.set(key, { startedAtMs, resources: shown });
      return shown;
    });
    readings.set(key, { startedAtMs, resources, isWrittenOver: false });
    try {
      return await resources;
    } catch (error) {
      if (readings.get(key)?.resources === resources) readings.delete(key);
      throw error;
    }
  };
  const ofAge = (scope: ScopeId, { afterMs, beforeWrites }: Age): Reading | null => {
    const reading = readings.get(scopeKey(scope));
    if (reading === undefined || reading.startedAtMs <= afterMs) return null;
    return beforeWrites && reading.isWrittenOver ? null : reading;
  };
  return {
    async list(scope, age, signal) {
      const reading = ofAge(scope, age);
      if (reading === null) return reread(scope, signal);
      return reading.resources.catch(async (error: unknown) => {
        // The step that began the reading gave it up.
        if (error instanceof ApiFailure || signal.aborted) throw error;
        return reread(scope, signal);
      });
    },
    reread,
    writes(scope) {
      const reading = readings.get(scopeKey(scope));
      if (reading !== undefined) reading.isWrittenOver = true;
    },
    readAtMs: (scope) => readings.get(scopeKey(scope))?.startedAtMs ?? -Infinity,
  };
}
