// Tracks the present state of a run from its events, for the log.
import type { ApplyEvent, OperationGlimpse, Progress, StepRef } from '../../model/outcome/event.ts';
import type { StepId } from '../../model/outcome/plan.ts';

export interface RunningStep extends StepRef {
  readonly startedAtMs: number;
  readonly operation: OperationGlimpse | null;
  readonly waitingFor: string | null;
}

/** Events that show that the service has answered. */
const ANSWERED: ReadonlySet<ApplyEvent['type']> = new Set(['apply_progress', 'apply_complete', 'verify']);

/** The state of a run. Adding an event takes the same time, however many steps are running. */
export class RunTracker {
  readonly running: Map<StepId, RunningStep> = new Map();
  startedAtMs: number | null = null;
  /** The time since which every read has failed; null while the service answers. */
  silentSinceMs: number | null = null;
  progress: Progress = { done: 0, total: 0 };

  add(event: ApplyEvent): void {
    this.startedAtMs ??= event.atMs;
    if (event.type === 'retry') {
      if (event.method === 'GET') this.silentSinceMs ??= event.atMs;
      return;
    }
    if (ANSWERED.has(event.type)) this.silentSinceMs = null;
    switch (event.type) {
      case 'apply_start': {
        const { step, address, action, atMs: startedAtMs } = event;
        this.running.set(step, { step, address, action, startedAtMs, operation: null, waitingFor: null });
        return;
      }
      case 'apply_progress': {
        const { step, address, action, operation, waitingFor } = event;
        const startedAtMs = event.atMs - event.elapsedMs;
        this.running.set(step, { step, address, action, startedAtMs, operation, waitingFor });
        this.progress = event.progress;
        return;
      }
      case 'apply_complete':
      case 'apply_errored':
      case 'step_unknown':
      case 'step_skipped':
        return this.#end(event.step);
      case 'run_finished':
        return this.running.clear();
      default:
    }
  }

  #end(step: StepId): void {
    this.running.delete(step);
    const { done, total } = this.progress;
    this.progress = { done: Math.min(done + 1, total), total };
  }
}
