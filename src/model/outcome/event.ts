// Describes the events of a run. A run has no other output: renderers, the log and the exit code follow from the events.
import type { Address } from '../address.ts';
import type { ResourceId } from '../desired.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { OperationRecord } from '../live.ts';
import type { UpkeepResult } from './upkeep.ts';
import type { Action, Change, PlanSummary, StepAction, StepId } from './plan.ts';

/** Maps trueup's actions to Terraform's: a restart or move is an update, a rotation a create, a revocation a delete. */
export const TERRAFORM_ACTIONS: Readonly<Record<Action | StepAction, string>> = {
  create: 'create',
  update: 'update',
  move: 'update',
  replace: 'replace',
  delete: 'delete',
  restart: 'update',
  rotate: 'create',
  revoke: 'delete',
  none: 'noop',
};

export interface StepRef {
  readonly step: StepId;
  readonly address: Address;
  readonly action: StepAction;
}

export type OperationGlimpse = Pick<OperationRecord, 'id' | 'action' | 'status' | 'failuresCount'>;

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export type RunStatus = 'converged' | 'incomplete' | 'stale' | 'blocked' | 'interrupted' | 'error';

export interface OutcomeCounts {
  readonly done: number;
  readonly satisfied: number;
  readonly failed: number;
  readonly unknown: number;
  readonly timedOut: number;
  readonly skipped: number;
  readonly notStarted: number;
  readonly blocked: number;
  readonly added: number;
  readonly changed: number;
  readonly destroyed: number;
}

export const SO_ALREADY = 'the live state already matches';

/** Every event carries the wall time `atMs` at which it happened. */
export type ApplyEvent = { readonly atMs: number } & (
  | { readonly type: 'planned_change'; readonly change: Change }
  /** `halfReplaced`: how many replacements only remove the old resource, because the new one exists already. */
  | { readonly type: 'change_summary'; readonly summary: PlanSummary; readonly halfReplaced?: number }
  | ({ readonly type: 'apply_start'; readonly resourceId: ResourceId | null } & StepRef)
  | ({
      readonly type: 'apply_progress';
      readonly elapsedMs: number;
      readonly operation: OperationGlimpse | null;
      readonly progress: Progress;
      /** Says why the step waits for something other than its own operation; otherwise null. */
      readonly waitingFor: string | null;
    } & StepRef)
  | ({ readonly type: 'apply_complete'; readonly resourceId: ResourceId | null; readonly elapsedMs: number } & StepRef)
  | ({ readonly type: 'apply_errored'; readonly elapsedMs: number; readonly diagnostic: Diagnostic } & StepRef)
  /** The step is not sent: it is not needed (`satisfied`), a guard blocks it (`blocked`), or it cannot run. */
  | ({
      readonly type: 'step_skipped';
      readonly reason: string;
      readonly satisfied?: boolean;
      readonly blocked?: boolean;
      readonly resourceId?: ResourceId | null;
    } & StepRef)
  | ({
      readonly type: 'step_unknown';
      readonly elapsedMs: number;
      readonly reason: string;
      readonly timedOut: boolean;
    } & StepRef)
  | {
      readonly type: 'retry';
      readonly step: StepId | null;
      readonly address: Address | null;
      readonly method: string;
      readonly path: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly cause: string;
    }
  | {
      readonly type: 'secret_stored';
      readonly address: Address;
      readonly sink: string;
      readonly path?: string | undefined;
    }
  | ({ readonly type: 'upkeep' } & UpkeepResult)
  /** `blocked`: how many changes a guard blocks in this run. */
  | {
      readonly type: 'verify';
      readonly converged: boolean;
      readonly remaining: readonly string[];
      readonly blocked: number;
      /** True if verification shows no difference, although the run did not end well. */
      readonly matches?: boolean;
    }
  /** With the code `secret_at_risk`, `resourceId` is the resource whose secret no sink has, and `command` removes that resource. */
  | {
      readonly type: 'diagnostic';
      readonly diagnostic: Diagnostic;
      readonly resourceId?: ResourceId;
      readonly command?: string | undefined;
    }
  | {
      readonly type: 'run_finished';
      readonly status: RunStatus;
      readonly counts: OutcomeCounts;
      readonly requests: number;
      readonly seconds: number;
    }
);
