// Guards in force: the limits that the files or the operator set for a run.
import type { Json } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { SourceRange } from '../source.ts';

/** The count limits of safety blocks. */
export type LimitName = 'max_deletes' | 'max_drops' | 'max_restarts' | 'max_change_percent';

export type GuardName = 'protect' | 'hold' | 'ignore' | 'windows' | 'unless_idle' | LimitName;

export interface Guard {
  readonly guard: GuardName;
  /** The label of its project; null for the whole account. */
  readonly project: string | null;
  /** The resource, or the glob of a protection; null for a limit or a window. */
  readonly address: Address | null;
  /** The number, the windows, the ignored attribute, the hold; for a protection `true`, or `itself` if it covers nothing below. */
  readonly value: Json;
  /** The files or the operator. */
  readonly from: 'file' | 'operator';
  readonly source: SourceRange | null;
}

/** The change of a guard against other files. `changed`: neither looser nor tighter. */
export interface GuardChange extends Pick<Guard, 'project' | 'address'> {
  /** A guard, or the key of a standing order (`prune`, `expect`, `secret`, `rotate`, …). */
  readonly guard: string;
  readonly change: 'added' | 'removed' | 'loosened' | 'tightened' | 'changed';
  /** Null if the guard is missing there. */
  readonly before: Json;
  readonly after: Json;
}
