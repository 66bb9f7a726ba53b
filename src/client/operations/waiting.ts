// What a waiter of operations is asked and answers.
import type { OperationRecord } from '../../model/live.ts';

/** An operation that a reply of ours named. */
export interface OperationRef {
  readonly id: string;
  readonly projectId: string;
  readonly action: string;
  /** Status in the reply that named it. */
  readonly status: string;
  readonly failuresCount: number;
}

/**
 * How a wait ended. `finished`: all ended well (finished or skipped) · `failed`: one of them ended ill, and the others ended or were open at the deadline · `vanished`: the service
 * does not know one of them · `timed_out`: still running at the deadline.
 */
export interface WaitOutcome {
  readonly end: 'finished' | 'failed' | 'vanished' | 'timed_out';
  /** The operations as last seen. */
  readonly operations: readonly OperationRecord[];
}

export interface WaitOptions {
  /** On the clock's monotonic scale. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  /** True for an operation of the log that the wait is for as well, although nobody named it. */
  readonly isOwn?: (operation: OperationRecord) => boolean;
  /** The action of a last operation whose cancellation takes nothing back. */
  readonly last?: string | undefined;
  /** Called at each look, for each operation that it shows. */
  readonly onLook?: (operation: OperationRecord) => void;
}

/** One poll loop per project serves all waits (api-rules 7.8). */
export interface OperationWaiter {
  /** Waits until all of `operations` (of one project) have ended. Rejects with the signal's reason, or `ApiFailure` when polling is refused. */
  settled(operations: readonly OperationRef[], options: WaitOptions): Promise<WaitOutcome>;
  /** Waits until the project has no operation under way that conflicts with a write (it answered 423); false at the deadline. */
  quiet(projectId: string, options: WaitOptions): Promise<boolean>;
}
