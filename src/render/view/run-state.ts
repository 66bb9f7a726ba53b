// The current state of a run, updated from its events for the progress displays.
import type { ApplyEvent, OperationGlimpse, Progress, StepRef } from '../../model/outcome/event.ts';
import type { ResourceId } from '../../model/desired.ts';
import type { StepId } from '../../model/outcome/plan.ts';

export interface RunningStep extends StepRef {
  readonly resourceId: ResourceId | null;
  readonly startedAtMs: number;
  readonly operation: OperationGlimpse | null;
  readonly waitingFor: string | null;
}

export interface RunView {
  readonly startedAtMs: number | null;
  readonly running: ReadonlyMap<StepId, RunningStep>;
  readonly progress: Progress;
  /** The time since which every read has failed; null while the service answers. */
  readonly silentSinceMs: number | null;
  readonly failed: number;
  readonly finished: boolean;
}

/** Events that prove that the service has answered. */
const ANSWERED: ReadonlySet<ApplyEvent['type']> = new Set(['apply_progress', 'apply_complete', 'verify']);

/** Updates the view of a run. The cost of an event does not depend on the number of running steps. */
export class RunTracker implements RunView {
  readonly running: Map<StepId, RunningStep> = new Map();
  startedAtMs: number | null = null;
  silentSinceMs: number | null = null;
  failed = 0;
  finished = false;
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
        const { step, address, action, resourceId, atMs: startedAtMs } = event;
        const nothingYet = { operation: null, waitingFor: null };
        this.running.set(step, { step, address, action, resourceId, startedAtMs, ...nothingYet });
        return;
      }
      case 'apply_progress': {
        const { step, address, action, operation, waitingFor } = event;
        const resourceId = this.running.get(step)?.resourceId ?? null;
        const startedAtMs = event.atMs - event.elapsedMs;
        this.running.set(step, { step, address, action, resourceId, startedAtMs, operation, waitingFor });
        this.progress = event.progress;
        return;
      }
      case 'apply_complete':
        return this.#end(event.step, 0);
      case 'apply_errored':
      case 'step_unknown':
        return this.#end(event.step, 1);
      case 'step_skipped':
        return this.#end(event.step, event.satisfied === true ? 0 : 1);
      case 'run_finished':
        this.running.clear();
        this.finished = true;
        return;
      default:
    }
  }

  #end(step: StepId, failed: number): void {
    this.running.delete(step);
    this.failed += failed;
    const { done, total } = this.progress;
    this.progress = { done: Math.min(done + 1, total), total };
  }
}
