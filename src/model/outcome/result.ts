// How a run ended, step by step: written as it goes, read back by whoever comes later.
import type { JsonObject } from '../../base/json.ts';
import type { Address } from '../address.ts';
import type { ResourceId } from '../desired.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { OperationGlimpse, OutcomeCounts, RunStatus } from './event.ts';
import type { StepAction, StepId } from './plan.ts';
import type { UpkeepResult } from './upkeep.ts';

/** How a step ended; `pending` and `running` only while the run goes on. `satisfied` = it was so already; `blocked` = held back by a guard when its turn came. */
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

export interface StepResult {
  readonly id: StepId;
  readonly address: Address;
  readonly action: StepAction;
  readonly outcome: StepOutcome;
  readonly resourceId: ResourceId | null;
  readonly operations: readonly OperationGlimpse[];
  readonly startedAtMs: number | null;
  readonly elapsedMs: number | null;
  readonly attempts: number;
  /** Why it failed, is unknown or was skipped. */
  readonly message: string | null;
  /** What to do about it; left out where nothing can be told. */
  readonly hint?: string;
}

/** A managed resource as the read-back shows it. */
export interface ResourceResult {
  readonly id: ResourceId;
  /** What stands beside the id in tables, in the order of the columns; by the names of machine outputs. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** What its kind tells besides; no secret. */
  readonly more?: JsonObject;
  /** False where its address is a label of interchangeable ones: another may have it after the next run. */
  readonly pinned: boolean;
}

/** A key whose value could be neither stored nor revoked. */
export interface SecretLeft {
  readonly address: Address;
  readonly id: ResourceId;
  /** For a shell: what revokes it by hand. */
  readonly command?: string;
}

/** A place of capacity one that was held when the run began and is empty now. */
export interface Vacated {
  /** As results name the place. */
  readonly id: ResourceId;
  /** That it is so, how that is known, and what to do. */
  readonly diagnostic: Diagnostic;
}

export interface RunResult {
  readonly status: RunStatus;
  readonly planHash: string;
  readonly steps: readonly StepResult[];
  /** What was done besides the changes, in its order. */
  readonly upkeep: readonly UpkeepResult[];
  readonly resources: Readonly<Record<Address, ResourceResult>>;
  readonly counts: OutcomeCounts;
  readonly diagnostics: readonly Diagnostic[];
  readonly requests: number;
  readonly seconds: number;
  /** Ids of keys whose value could be neither stored nor revoked. */
  readonly secretsAtRisk: readonly SecretLeft[];
  /** Sorted by id. */
  readonly vacated: readonly Vacated[];
}
