// How a plan stands to other files, such as those that it shall be merged with: which of its changes are this change's own, and what was let go.
import type { Address } from '../address.ts';
import type { GuardChange } from './guard.ts';

/** Addresses of a plan, sorted. An address with several changes is pending only if all of them are. */
export interface Comparison {
  /** They have a difference that the other files would not make. */
  readonly fromThisChange: readonly Address[];
  /** The other files ask for the same already. */
  readonly alreadyPending: readonly Address[];
  /** Live resources that the other files manage and these files leave alone. */
  readonly noLongerManaged: readonly Address[];
  /** What these files guard otherwise than the other files. */
  readonly guardsChanged: readonly GuardChange[];
}
