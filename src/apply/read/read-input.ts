// The input of a reading. Of an earlier reading, only the parts that may have changed are read again.
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
  /** Tells when enough of a project's operation log was read, for what its lists show; null = the log is not read. */
  readonly needHistory: (project: LiveProject, live: readonly LiveResource[]) => IsEnough | null;
  /** Which live resources the declarations of a project (null: of the account) are, or will be copies of, by what was read of it so far. */
  readonly livePlaces: (
    own: readonly DesiredResource[],
    project: LiveProject | null,
    resources: readonly LiveResource[],
  ) => ReadonlyMap<Address, LivePlace>;
  /** The declarations that rules of the files make for what was read of a project. */
  readonly ruled?: (
    own: readonly DesiredResource[],
    project: LiveProject,
    resources: readonly LiveResource[],
  ) => readonly DesiredResource[];
  /**
   * Those of the resources of which the files declare something that the list does not show: they are asked for by themselves. What may be shown in part
   * alone (`isPartial`) tells nothing by what it leaves out.
   */
  readonly untold?: (
    own: readonly DesiredResource[],
    project: LiveProject,
    resources: readonly LiveResource[],
    isPartial: boolean,
  ) => readonly LiveResource[];
  readonly sinks: SinkLookup;
  /** The requests of earlier runs for secrets, by the journal. */
  readonly orphans: () => Promise<readonly JsonObject[]>;
  /** The allowances of the user: they may bring removals into the plan. */
  readonly allow?: readonly Allowance[];
  /** Each list is read once: what only guards removals is not looked for. */
  readonly once?: boolean;
  /** True if all of these kinds is read, declared or not. */
  readonly isWhole?: boolean;
  /** An earlier reading that still holds in part; null = none. */
  readonly known?: KnownReading | null;
}

/** A whole reading of the same desired state, and where it holds no longer. */
export interface KnownReading {
  readonly live: LiveState;
  /** Ids of the projects to read again; null stands for what is account-wide. */
  readonly changed: ReadonlySet<string | null>;
  /** Projects may have got other names since: each is looked for anew. */
  readonly isOld?: true;
}

/** The reading, known but for `changed`; nothing where a part of it failed, since nobody knows what that part holds. */
export function knownOf(live: LiveState, changed: KnownReading['changed']): KnownReading | null {
  return live.unread.length > 0 ? null : { live, changed };
}

/** True when what belongs to this project (null: the account) is to be read. */
export function isToRead(known: KnownReading | null, projectId: string | null): boolean {
  if (known === null || known.changed.has(projectId)) return true;
  // A project that was created since then was not read yet.
  return projectId !== null && !known.live.projects.some(({ id }) => id === projectId);
}

/** The parts of the earlier reading that still hold. */
export function knownPart(known: KnownReading | null): {
  readonly resources: readonly LiveResource[];
  readonly histories: readonly (readonly [string, OperationHistory])[];
} {
  return {
    resources: (known?.live.resources ?? []).filter(({ projectId }) => !isToRead(known, projectId)),
    histories: [...(known?.live.histories ?? [])].filter(([id]) => !isToRead(known, id)),
  };
}
