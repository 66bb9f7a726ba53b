// A guard in force: what the files, or the operator besides them, do not let a run do.
import type { Json } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { SourceRange } from '../source.ts';

/** The count limits of safety blocks. */
export type LimitName = 'max_deletes' | 'max_drops' | 'max_restarts' | 'max_change_percent';

export type GuardName = 'protect' | 'hold' | 'ignore' | 'windows' | 'unless_idle' | LimitName;

export interface Guard {
  readonly guard: GuardName;
  /** Label of the project that it covers; null for the whole account. */
  readonly project: string | null;
  /** The resource, or the glob of a protection; null for what counts or opens for all. */
  readonly address: Address | null;
  /** The number, the windows, the attribute left alone, the hold; for a protection `true`, or `itself` where it covers nothing below. */
  readonly value: Json;
  /** Who set it: the files, or the operator besides them. */
  readonly from: 'file' | 'operator';
  readonly source: SourceRange | null;
}

/** How a guard stands to the one of other files. `changed`: neither looser nor tighter. */
export interface GuardChange extends Pick<Guard, 'project' | 'address'> {
  /** A guard, or the member of the files in which a standing order is written (`prune`, `expect`, `secret`, `rotate`, …). */
  readonly guard: string;
  readonly change: 'added' | 'removed' | 'loosened' | 'tightened' | 'changed';
  /** Null where it was, or is, not there. */
  readonly before: Json;
  readonly after: Json;
}
