// The differences between desired and live state, as a report.
import type { Unplanned } from '../diagnostic.ts';
import type { Address } from '../address.ts';
import type { ResourceId } from '../desired.ts';
import { PROJECT } from '../kind.ts';
import type { Change, PlanOptions, UnmanagedResource } from './plan.ts';
import type { Unread } from '../live.ts';

export type DriftStatus = 'in_sync' | 'drifted' | 'incomplete';

/** Attributes of a declared resource that were not compared, and why. An empty list stands for the whole resource. */
export interface NotCompared {
  readonly address: Address;
  readonly paths: readonly string[];
  readonly reason: string;
}

export interface UnlistedResource extends UnmanagedResource {
  readonly change?: Change;
}

/** True if an unlisted resource counts as drift. Unlisted projects always do: they are reported only if the files list all projects. */
export function countsUnlisted({ kind, pruned }: UnmanagedResource): boolean {
  return pruned || kind === PROJECT;
}

/** The report of the differences; its lists are sorted by address. */
export interface DriftReport {
  readonly status: DriftStatus;
  readonly selection: Pick<PlanOptions, 'target' | 'exclude'>;
  readonly changed: readonly Change[];
  readonly missing: readonly Change[];
  /** Expired members of sets, with their contents: the next apply re-creates them, so they are never drift. Missing if there are none. */
  readonly expired?: readonly Change[];
  readonly unmanaged: readonly UnlistedResource[];
  readonly held: readonly Change[];
  readonly notCompared: readonly NotCompared[];
  readonly unread: readonly Unread[];
  readonly unplanned: readonly Unplanned[];
  /** Changes that become due by time alone, which are never drift. */
  readonly due: readonly Change[];
  /** Names of the referenced live resources, by id; missing in a saved report. */
  readonly names?: Readonly<Record<ResourceId, string>>;
}
