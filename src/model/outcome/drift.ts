// Describes drift, the report of differences between desired and live state.
import type { Address } from '../address.ts';
import { PROJECT } from '../kind.ts';
import type { Change, Plan, PlanOptions, UnmanagedResource } from './plan.ts';

export type DriftStatus = 'in_sync' | 'drifted' | 'incomplete';

/** Attributes of a declared resource that were not compared, and why. Empty `paths` mean the whole resource. */
export interface NotCompared {
  readonly address: Address;
  readonly paths: readonly string[];
  readonly reason: string;
}

export interface UnlistedResource extends UnmanagedResource {
  readonly change?: Change;
}

/** True if an unlisted resource is drift: prune deletes it, or it is a project, which is reported only with `projects_complete`. */
export function countsUnlisted({ kind, pruned }: UnmanagedResource): boolean {
  return pruned || kind === PROJECT;
}

/** All lists are sorted by address. */
export interface DriftReport extends Pick<Plan, 'unread' | 'unplanned' | 'names'> {
  readonly status: DriftStatus;
  readonly selection: Pick<PlanOptions, 'target' | 'exclude'>;
  readonly changed: readonly Change[];
  readonly missing: readonly Change[];
  /** Members of sets that the service deleted at their expiry, with their contents: no drift, because the files set the expiry. */
  readonly expired?: readonly Change[];
  readonly unmanaged: readonly UnlistedResource[];
  readonly held: readonly Change[];
  readonly notCompared: readonly NotCompared[];
  /** Changes that only time makes due; they are no drift. */
  readonly due: readonly Change[];
}
