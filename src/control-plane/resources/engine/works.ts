// Real effects of operations, if there are any: a Postgres behind each compute.
import type { OperationRecord } from '../operation/record.ts';

export interface Works {
  /** HOST:PORT at which clients connect. */
  readonly address: string;
  /** Called after each commit. */
  committed(): void;
  /** True while the work of an operation is not done: it ends no sooner. */
  isPending(operation: OperationRecord): boolean;
  /** Why the work of an operation failed; undefined where it did not. */
  failureOf(operation: OperationRecord): string | undefined;
  /** When somebody last used a compute: now while somebody does, undefined where nobody did. */
  lastUseMs(computeId: string): number | undefined;
}

/** The real service behind operations is missing on this machine, or unusable as requested. */
export class WorksError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorksError';
  }
}
