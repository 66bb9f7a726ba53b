// Describes the guards in force, which the files or the operator set, and the comparison of a plan with the plan of other files.
import type { Json } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { SourceRange } from '../source.ts';

export type LimitName = 'max_deletes' | 'max_drops' | 'max_restarts' | 'max_change_percent';

export type GuardName = 'protect' | 'hold' | 'ignore' | 'windows' | 'unless_idle' | LimitName;

export interface Guard {
  readonly guard: GuardName;
  /** The label of the guard's project; null for the whole account. */
  readonly project: string | null;
  /** The guarded resource, or the glob of a protection; null for a limit or for windows. */
  readonly address: Address | null;
  /** A number, windows, an ignored attribute or a hold. A protection has `true`, or `itself` if it covers only the resource itself. */
  readonly value: Json;
  readonly from: 'file' | 'operator';
  readonly source: SourceRange | null;
}

/** Says how a guard differs from the same guard in the other files; `changed` means neither looser nor tighter. */
export interface GuardChange extends Pick<Guard, 'project' | 'address'> {
  /** The name of a guard, or a key that affects every run (`prune`, `expect`, `secret`, `rotate`, …). */
  readonly guard: string;
  readonly change: 'added' | 'removed' | 'loosened' | 'tightened' | 'changed';
  /** The value in the other files; null if the guard is missing there. */
  readonly before: Json;
  readonly after: Json;
}

/** Sorted addresses. `alreadyPending`: the plan of the other files has the same changes for the address · `fromThisChange`: all others. */
export interface Comparison {
  readonly fromThisChange: readonly Address[];
  readonly alreadyPending: readonly Address[];
  /** Live resources that the other files manage and these files leave alone. */
  readonly noLongerManaged: readonly Address[];
  readonly guardsChanged: readonly GuardChange[];
}
