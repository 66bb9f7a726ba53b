// Last uses of keys: noted in memory with every request, written with the next commit, so that reads need not wait for the disk.
import type { KeyRecord } from './records.ts';
import type { State } from './state.ts';

/** Uses that are not in the store yet. */
export class KeyUses {
  readonly #pending: Map<string, { readonly atMs: number; readonly address: string }> = new Map();

  note(keyId: string, atMs: number, address: string): void {
    this.#pending.set(keyId, { atMs, address });
  }

  /** When the key was last used, as far as that was noted. */
  lastMs({ id, lastUsedMs = -Infinity }: KeyRecord): number {
    return this.#pending.get(id)?.atMs ?? lastUsedMs;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Writes them, as part of the transaction under way. */
  write(state: State): void {
    for (const [id, use] of this.#pending) {
      const key = state.keys.get(id);
      if (key !== undefined) state.put('keys', { ...key, lastUsedMs: use.atMs, lastUsedFrom: use.address });
    }
    this.#pending.clear();
  }
}
