// Describes the result of a run, which grows step by step during the run.
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { ResourceId } from '../desired.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { OperationGlimpse, OutcomeCounts, RunStatus } from './event.ts';
import type { Step } from './plan.ts';
import type { UpkeepResult } from './upkeep.ts';

/**
 * Says how a step ended; `pending` and `running` occur only during the run. `satisfied`: the live state already matched · `blocked`: a
 * guard blocked the step at its turn.
 */
export type StepOutcome =
  | 'pending'
  | 'running'
  | 'done'
  | 'satisfied'
  | 'failed'
  | 'unknown'
  | 'timed_out'
  | 'skipped'
  | 'blocked'
  | 'not_started';

export interface StepResult extends Pick<Step, 'id' | 'address' | 'action'> {
  readonly outcome: StepOutcome;
  readonly resourceId: ResourceId | null;
  readonly operations: readonly OperationGlimpse[];
  readonly startedAtMs: number | null;
  readonly elapsedMs: number | null;
  readonly attempts: number;
  /** The reason for a failure, an unknown end or a skip. */
  readonly message: string | null;
  readonly hint?: string | undefined;
}

export interface ResourceResult {
  readonly id: ResourceId;
  /** The columns of tables besides the id, in order; their keys are names in machine-readable output. */
  readonly columns: Readonly<Record<string, string | null>>;
  readonly more?: JsonObject;
  /** False if the address labels one of several interchangeable resources; the next run may give the label to another one. */
  readonly pinned: boolean;
}

/** A resource whose secret could be neither stored nor revoked. */
export interface SecretLeft {
  readonly address: Address;
  readonly id: ResourceId;
  readonly command?: string | undefined;
}

/** A slot that was filled at the start of the run and is empty now. `id`: of the resource that has the slot, not of the one that left it. */
export interface Vacated {
  readonly id: ResourceId;
  readonly diagnostic: Diagnostic;
}

export interface RunResult {
  readonly status: RunStatus;
  readonly planHash: string;
  readonly steps: readonly StepResult[];
  readonly upkeep: readonly UpkeepResult[];
  readonly resources: Readonly<Record<Address, ResourceResult>>;
  readonly counts: OutcomeCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: number;
  readonly seconds: number;
  readonly secretsAtRisk: readonly SecretLeft[];
  /** Sorted by id. */
  readonly vacated: readonly Vacated[];
}
