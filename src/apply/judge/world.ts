// Shares each reading of a scope between steps, and reads the scope again only if the reading is too old for a step.
import { assert } from '../../base/assert.ts';
import type { Clock } from '../../base/time/clock.ts';
import { ApiFailure } from '../../client/failure.ts';
import type { Reader } from '../../client/types.ts';
import type { KindName, ResourceId } from '../../model/desired.ts';
import { scopeKey, type ScopeId } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { KindRemote } from '../kind-remote.ts';

/** Pauses between readings of a list that may lag behind a write. */
export const LAG_PAUSES_MS: readonly number[] = [500, 1000, 2000, 4000];

interface WorldInput {
  readonly kinds: ReadonlyMap<KindName, KindRemote>;
  readonly reader: Reader;
  readonly clock: Clock;
  /** Ids of resources that this run created; the service may not show a list below them yet. */
  readonly made?: () => Iterable<ResourceId>;
}

interface Reading {
  readonly startedAtMs: number;
  readonly resources: Promise<readonly LiveResource[]>;
}

export class World {
  readonly #input: WorldInput;
  readonly #readings = new Map<string, Reading>();

  constructor(input: WorldInput) {
    this.#input = input;
  }

  /** Returns a reading that began after `afterMs` (monotonic). */
  async list(scope: ScopeId, afterMs: number, signal: AbortSignal): Promise<readonly LiveResource[]> {
    const reading = this.#readings.get(scopeKey(scope));
    if (reading === undefined || reading.startedAtMs <= afterMs) return this.reread(scope, signal);
    return reading.resources.catch(async (error: unknown) => {
      // Another step began this reading and aborted it, so this step starts a new one.
      if (error instanceof ApiFailure || signal.aborted) throw error;
      return this.reread(scope, signal);
    });
  }

  async reread(scope: ScopeId, signal: AbortSignal): Promise<readonly LiveResource[]> {
    const key = scopeKey(scope);
    const startedAtMs = this.#input.clock.monotonicMs();
    const resources = this.#read(scope, signal);
    this.#readings.set(key, { startedAtMs, resources });
    try {
      return await resources;
    } catch (error) {
      if (this.#readings.get(key)?.resources === resources) this.#readings.delete(key);
      throw error;
    }
  }

  /** Returns the monotonic time when the newest reading began; -Infinity if the scope was not read. */
  readAtMs(scope: ScopeId): number {
    return this.#readings.get(scopeKey(scope))?.startedAtMs ?? -Infinity;
  }

  async #read(scope: ScopeId, signal: AbortSignal): Promise<readonly LiveResource[]> {
    const { kinds, reader, clock, made } = this.#input;
    const remote = kinds.get(scope.kind);
    assert(remote !== undefined, `there is no kind ${scope.kind}`);
    for (const pauseMs of LAG_PAUSES_MS)
      try {
        return await remote.list(reader, scope, signal);
      } catch (error) {
        const isNew = [...(made?.() ?? [])].includes(scope.parentId ?? scope.projectId ?? '');
        const mayLag = error instanceof ApiFailure && (error.status === 404 || error.failureClass === 'unusable');
        if (!mayLag || !isNew) throw error;
        await clock.sleep(pauseMs, signal);
      }
    return remote.list(reader, scope, signal);
  }
}
