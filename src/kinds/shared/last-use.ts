// Facts about a removal: the last use of computes, the size and names of data that is deleted, and refusals.
import { bytesWords, listOfFirst } from '../../base/text/words.ts';
import { isoTime, millisecondsOf } from '../../base/time/clock.ts';
import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import type { LiveResource, Stake } from '../../model/live.ts';
import type { RemovalGuard } from '../../plan/kind-rules.ts';

/** Wall time; Infinity while a compute is in use, null if none ever was. */
export function lastUseOf(computes: readonly LiveResource[]): number | null {
  const times = computes.flatMap(({ observed: { current_state: state, last_active: last } }) => {
    // A compute in any other state may serve clients now.
    if (state !== 'idle') return [Infinity];
    return millisecondsOf(last) ?? [];
  });
  return times.length === 0 ? null : times.reduce((last, ms) => Math.max(last, ms));
}

export function lastUseTold(computes: readonly LiveResource[]): { readonly words: string; readonly facts: JsonObject } {
  const lastMs = lastUseOf(computes);
  if (lastMs === Infinity) return { words: 'in use now', facts: { in_use: true } };
  const at = lastMs === null ? null : isoTime(lastMs);
  const never = computes.length === 0 ? 'no compute serves it' : 'never used';
  return { words: at === null ? never : `last used ${at}`, facts: { last_active: at } };
}

const NAMED = 10;

/** `the role app`, `the databases orders and stock`. */
export function namedWords(one: string, many: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [`the ${names.length === 1 ? one : many} ${listOfFirst(names.toSorted(), NAMED)}`];
}

/** Empty if no branch shows its size. */
export function sizeTold(branches: readonly LiveResource[]): { readonly words: string; readonly facts: JsonObject } {
  const sizes = branches.flatMap(({ observed: { logical_size: size } }) => (typeof size === 'number' ? [size] : []));
  if (sizes.length === 0) return { words: '', facts: {} };
  const size = sizes.reduce((sum, one) => sum + one, 0);
  return { words: ` (${bytesWords(size)})`, facts: { logical_size: size } };
}

export function stakeOf(computes: readonly LiveResource[], branches: readonly LiveResource[]): Stake {
  const lastMs = lastUseOf(computes);
  const usedAt = lastMs === null ? null : lastMs === Infinity ? 'now' : isoTime(lastMs);
  const versions = branches.flatMap(({ id, observed: { last_reset_at: reset, written_data_bytes: written } }) =>
    reset === undefined && written === undefined ? [] : [canonicalJson([id, reset ?? null, written ?? null])],
  );
  const { logical_size: bytes } = sizeTold(branches).facts;
  return {
    usedAt,
    version: versions.length === 0 ? null : versions.sort().join(' '),
    bytes: typeof bytes === 'number' ? bytes : null,
  };
}

export interface Keeper {
  /** Undefined or null if it is not known. */
  readonly isSo: Json | undefined;
  readonly why: string;
  readonly unknown: string;
}

/** An unknown fact blocks a removal too. */
export function keptBy(keepers: readonly Keeper[]): RemovalGuard {
  const refusing = keepers.filter(({ isSo }) => isSo === true);
  const unknown = keepers.filter(({ isSo = null }) => isSo === null);
  return {
    blockedBy: [
      ...(refusing.length === 0 ? [] : (['refused'] as const)),
      ...(unknown.length === 0 ? [] : (['unread'] as const)),
    ],
    notes: [...refusing.map(({ why }) => why), ...unknown.map((one) => one.unknown)],
  };
}
