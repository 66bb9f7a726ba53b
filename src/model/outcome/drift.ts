// What a comparison of desired and live state found, for those who only want to know.
import type { Unplanned } from '../diagnostic.ts';
import type { Address } from '../address.ts';
import type { ResourceId } from '../desired.ts';
import { PROJECT } from '../kind.ts';
import type { Change, PlanOptions, UnmanagedResource } from './plan.ts';
import type { Unread } from '../live.ts';

export type DriftStatus = 'in_sync' | 'drifted' | 'incomplete';

/** Attributes of a declared resource at which nobody looked, and why. An empty list of paths means the whole resource. */
export interface NotCompared {
  readonly address: Address;
  readonly paths: readonly string[];
  readonly reason: string;
}

/** A live resource that no file lists, with its deletion where a prune rule asks for that. */
export interface UnlistedResource extends UnmanagedResource {
  readonly change?: Change;
}

/** Whether a resource that no file lists makes the account differ from the files: a prune rule asks for its deletion, or the files list all projects. */
export function countsUnlisted({ kind, pruned }: UnmanagedResource): boolean {
  // Nobody looks for a project that no file lists, unless the files list all.
  return pruned || kind === PROJECT;
}

/** The differences, sorted by address. */
export interface DriftReport {
  readonly status: DriftStatus;
  /** What of the files was compared. */
  readonly selection: Pick<PlanOptions, 'target' | 'exclude'>;
  /** Live resources that differ from their declaration. */
  readonly changed: readonly Change[];
  /** Declared resources that do not exist. */
  readonly missing: readonly Change[];
  readonly unmanaged: readonly UnlistedResource[];
  /** Resources with a difference that a hold lets be. */
  readonly held: readonly Change[];
  readonly notCompared: readonly NotCompared[];
  readonly unread: readonly Unread[];
  readonly unplanned: readonly Unplanned[];
  /** Driven by the clock: never counted as drift. */
  readonly due: readonly Change[];
  /** Names of the live resources that differences refer to, by id; left out of a saved report. */
  readonly names?: Readonly<Record<ResourceId, string>>;
}
