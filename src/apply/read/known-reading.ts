// An earlier reading that still holds in part: only what may have changed since is read again.
import type { LiveResource, LiveState, OperationHistory } from '../../model/live.ts';

/** A whole reading of the same wish, and where it holds no longer. */
export interface KnownReading {
  readonly live: LiveState;
  /** Ids of the projects to read again; null stands for what is account-wide. */
  readonly changed: ReadonlySet<string | null>;
}

/** True when what belongs to this project (null: the account) is to be read. */
export function isToRead(known: KnownReading | null, projectId: string | null): boolean {
  if (known === null || known.changed.has(projectId)) return true;
  // One that came into being since was not read yet.
  return projectId !== null && !known.live.projects.some(({ id }) => id === projectId);
}

/** What of the earlier reading holds; nothing without one. */
export function knownPart(known: KnownReading | null): {
  readonly resources: readonly LiveResource[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
} {
  return {
    resources: (known?.live.resources ?? []).filter(({ projectId }) => !isToRead(known, projectId)),
    histories: [...(known?.live.histories ?? [])].filter(([id]) => !isToRead(known, id)),
  };
}
