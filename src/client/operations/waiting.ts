// The interface of the waiter for operations.
import type { OperationRecord } from '../../model/live.ts';

/**
 * `finished`: all ended well · `failed`: one failed, and the others ended or were open at the deadline · `vanished`: the service does
 * not know one of them · `timed_out`: still running at the deadline.
 */
export interface WaitOutcome {
  readonly end: 'finished' | 'failed' | 'vanished' | 'timed_out';
  /** As the last look showed them. */
  readonly operations: readonly OperationRecord[];
}

export interface WaitOptions {
  /** Monotonic. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** True for an operation of the log that belongs to the same step, although no reply named it. */
  readonly isOwn?: (operation: OperationRecord) => boolean;
  /** Action whose cancellation, at the end, does not undo the change. */
  readonly last?: string | undefined;
  /** Called at each look, for each operation. */
  readonly onLook?: (operation: OperationRecord) => void;
}

/** One poll loop per project serves all waits (api-rules 7.8). */
export interface OperationWaiter {
  /** Waits for the end of all `operations` of a reply, which are of one project. Rejects with the reason of the signal, or `ApiFailure` if the service refuses looks. */
  settled(operations: readonly OperationRecord[], options: WaitOptions): Promise<WaitOutcome>;
  /** Waits, after a 423, until no operation of the project conflicts with a write; false at the deadline. */
  quiet(projectId: string, options: WaitOptions): Promise<boolean>;
}
