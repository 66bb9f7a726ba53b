// Compares a plan with the plan of other files, such as those before a merge.
import type { Address } from '../address.ts';
import type { GuardChange } from './guard.ts';

/** Lists the plan's addresses, sorted. An address is pending if the other files lead to exactly the same changes there. */
export interface Comparison {
  readonly fromThisChange: readonly Address[];
  readonly alreadyPending: readonly Address[];
  /** Live resources that the other files manage and these files leave alone. */
  readonly noLongerManaged: readonly Address[];
  readonly guardsChanged: readonly GuardChange[];
}
