// What carries operations out for real, where there is such a thing: a Postgres behind each compute.
import type { OperationRecord } from '../resources/operation/record.ts';

export interface Works {
  /** HOST:PORT at which clients connect. */
  readonly address: string;
  /** Told after each commit. */
  committed(): void;
  /** True while the work of an operation is not done: it ends no sooner. */
  isPending(operation: OperationRecord): boolean;
  /** Why the work of an operation failed; undefined where it did not. */
  failureOf(operation: OperationRecord): string | undefined;
  /** When somebody last used a compute: now while somebody does, undefined where nobody did. */
  lastUseMs(computeId: string): number | undefined;
}

/** What is to carry operations out cannot be had on this machine, or not as it was asked for. */
export class WorksError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'WorksError';
  }
}
