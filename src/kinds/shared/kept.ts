// What keeps something from being removed, as far as it is known.
import type { Json } from '../../base/json.ts';
import type { RemovalGuard } from '../../plan/kind-rules.ts';

export interface Keeper {
  /** Undefined or null where nobody shows it. */
  readonly isSo: Json | undefined;
  /** Why that is an objection, in a sentence. */
  readonly why: string;
  /** The same where it is not known. */
  readonly unknown: string;
}

/** Refused for each keeper that is so; not known is never taken for no. */
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
