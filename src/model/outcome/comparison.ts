// The comparison of a plan with other files, such as those before a merge: its own changes, pending ones, and resources that it drops.
import type { Address } from '../address.ts';
import type { GuardChange } from './guard.ts';

/** Addresses of a plan, sorted. An address with several changes is pending only if all of them are. */
export interface Comparison {
  /** Changes that the other files would not make. */
  readonly fromThisChange: readonly Address[];
  /** Changes that the other files ask for already. */
  readonly alreadyPending: readonly Address[];
  /** Live resources that the other files manage and these files leave alone. */
  readonly noLongerManaged: readonly Address[];
  /** Guards that differ from those of the other files. */
  readonly guardsChanged: readonly GuardChange[];
}
