// The input for reading the live state. From an earlier reading, only the parts that may have changed are read again.
import type { JsonObject } from '../../base/json.ts';
import type { Clock } from '../../base/time/clock.ts';
import type { Reader } from '../../client/types.ts';
import type { Address } from '../../model/address.ts';
import type { DesiredResource, DesiredState } from '../../model/desired.ts';
import type { LivePlace, LiveProject, LiveResource, LiveState, OperationHistory } from '../../model/live.ts';
import type { Allowance, Selection } from '../../plan/input.ts';
import type { KindRemote, SinkLookup } from '../kind-remote.ts';
import type { IsEnough } from '../../client/operations/log.ts';

export interface ReadLiveInput extends Selection {
  readonly desired: DesiredState;
  readonly kinds: readonly KindRemote[];
  readonly reader: Reader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Returns a test whether enough of a project's operation log was read, given its lists; null if the log need not be read. */
  readonly needHistory: (project: LiveProject, live: readonly LiveResource[]) => IsEnough | null;
  /** Matches the declarations of a project (null: of the account) with the live resources that they are, or will be copies of. */
  readonly livePlaces: (
    own: readonly DesiredResource[],
    project: LiveProject | null,
    resources: readonly LiveResource[],
  ) => ReadonlyMap<Address, LivePlace>;
  /** The declarations that templates of the files produce for the live resources of a project. */
  readonly ruled?: (
    own: readonly DesiredResource[],
    project: LiveProject,
    resources: readonly LiveResource[],
  ) => readonly DesiredResource[];
  /** The resources to read by their own routes for declared attributes. With `isPartial`, a list may leave attributes out. */
  readonly untold?: (
    own: readonly DesiredResource[],
    project: LiveProject,
    resources: readonly LiveResource[],
    isPartial: boolean,
  ) => readonly LiveResource[];
  readonly sinks: SinkLookup;
  readonly orphans: () => Promise<readonly JsonObject[]>;
  /** The allowances of the user; with them the plan may contain more removals. */
  readonly allow?: readonly Allowance[];
  /** Reads each list only once, and skips what only guards removals. */
  readonly once?: boolean;
  readonly isWhole?: boolean;
  readonly known?: KnownReading | null;
}

/** A complete reading of the same desired state, and the parts of it that no longer hold. */
export interface KnownReading {
  readonly live: LiveState;
  /** Ids of the projects to read again; null stands for the account-wide resources. */
  readonly changed: ReadonlySet<string | null>;
  /** Set if projects may have been renamed since, so each is found again. */
  readonly isOld?: true;
}

/** The reading with the projects to read again; null if a part of it failed, because that part is unknown. */
export function knownOf(live: LiveState, changed: KnownReading['changed']): KnownReading | null {
  return live.unread.length > 0 ? null : { live, changed };
}

export function isToRead(known: KnownReading | null, projectId: string | null): boolean {
  if (known === null || known.changed.has(projectId)) return true;
  // A project that was created after the earlier reading was not read yet.
  return projectId !== null && !known.live.projects.some(({ id }) => id === projectId);
}

export function knownPart(known: KnownReading | null): {
  readonly resources: readonly LiveResource[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
} {
  return {
    resources: (known?.live.resources ?? []).filter(({ projectId }) => !isToRead(known, projectId)),
    histories: [...(known?.live.histories ?? [])].filter(([id]) => !isToRead(known, id)),
  };
}
