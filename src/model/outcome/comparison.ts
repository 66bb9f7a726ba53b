// The comparison of a plan with other files, such as those before a merge: new changes, pending ones, and resources no longer managed.
import type { Address } from '../address.ts';
import type { GuardChange } from './guard.ts';

/** Sorted addresses of a plan. An address with several changes is pending only if all its changes are pending. */
export interface Comparison {
  readonly fromThisChange: readonly Address[];
  readonly alreadyPending: readonly Address[];
  /** Live resources that the other files manage and these files leave alone. */
  readonly noLongerManaged: readonly Address[];
  readonly guardsChanged: readonly GuardChange[];
}
