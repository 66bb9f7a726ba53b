// Events of a run: the only output of its execution. Renderers, the log and the exit code follow from them.
import type { Address } from '../address.ts';
import type { ResourceId } from '../desired.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { UpkeepResult } from './upkeep.ts';
import type { Action, Change, PlanSummary, StepAction, StepId } from './plan.ts';

/** Terraform's actions for ours: a restart or move is an update, a rotation a create, a revocation a delete. */
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

/** The action under which a change is counted: a reset in place is an update. */
export function tallyOf({ action, before }: Pick<Change, 'action' | 'before'>): Action {
  return action === 'rotate' && before !== null ? 'update' : action;
}

export interface StepRef {
  readonly step: StepId;
  readonly address: Address;
  readonly action: StepAction;
}

export interface OperationGlimpse {
  readonly id: string;
  readonly action: string;
  readonly status: string;
  readonly failuresCount: number;
}

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
  /** `halfReplaced`: replacements whose new resource exists already, so that only the old one must be removed. */
  | { readonly type: 'change_summary'; readonly summary: PlanSummary; readonly halfReplaced?: number }
  | ({ readonly type: 'apply_start'; readonly resourceId: ResourceId | null } & StepRef)
  | ({
      readonly type: 'apply_progress';
      readonly elapsedMs: number;
      readonly operation: OperationGlimpse | null;
      readonly progress: Progress;
      /** Why the step waits, in words, if not for its own operation; otherwise null. */
      readonly waitingFor: string | null;
    } & StepRef)
  | ({ readonly type: 'apply_complete'; readonly resourceId: ResourceId | null; readonly elapsedMs: number } & StepRef)
  | ({ readonly type: 'apply_errored'; readonly elapsedMs: number; readonly diagnostic: Diagnostic } & StepRef)
  /** The step is not sent: it is not needed (`satisfied`), a guard blocks it (`blocked`), or it cannot run. `reason` says why. */
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
  /** `blocked`: the number of changes that a guard blocks in this run. */
  | {
      readonly type: 'verify';
      readonly converged: boolean;
      readonly remaining: readonly string[];
      readonly blocked: number;
      /** True if verification shows no difference, although a step did not end well. */
      readonly matches?: boolean;
    }
  /** `resourceId` with the code `secret_at_risk`: the resource whose secret no sink has; `command` removes the resource. */
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
