// How an execution ended as a whole; its events tell how each step did.
import type { Halt, SecretAtRisk } from './run.ts';

export interface ExecutionReport {
  /** Why steps were kept from starting; null when each had its turn. */
  readonly halted: Halt | 'interrupted' | null;
  readonly secretsAtRisk: readonly SecretAtRisk[];
}
