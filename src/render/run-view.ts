// What is going on in a run right now: a fold over its events, read by the progress displays.
import type { ApplyEvent, OperationGlimpse, Progress, StepRef } from '../model/event.ts';
import type { ResourceId } from '../model/desired.ts';
import type { StepId } from '../model/plan.ts';

/** A step under way, as last heard of. */
export interface RunningStep extends StepRef {
  readonly resourceId: ResourceId | null;
  readonly startedAtMs: number;
  readonly expectedMs: number | null;
  readonly operation: OperationGlimpse | null;
  readonly waitingFor: string | null;
}

export interface RunView {
  readonly startedAtMs: number | null;
  /** In the order in which they started. */
  readonly running: ReadonlyMap<StepId, RunningStep>;
  readonly progress: Progress;
  readonly failed: number;
  readonly finished: boolean;
}

/** `total` is the number of steps of the plan. */
export function startRun(total: number): RunView {
  return { startedAtMs: null, running: new Map(), progress: { done: 0, total }, failed: 0, finished: false };
}

export function advanceRun(before: RunView, event: ApplyEvent): RunView {
  const view = before.startedAtMs === null ? { ...before, startedAtMs: event.atMs } : before;
  switch (event.type) {
    case 'apply_start':
      return withStep(view, {
        step: event.step,
        address: event.address,
        action: event.action,
        resourceId: event.resourceId,
        startedAtMs: event.atMs,
        expectedMs: null,
        operation: null,
        waitingFor: null,
      });
    case 'apply_progress':
      return {
        ...withStep(view, {
          step: event.step,
          address: event.address,
          action: event.action,
          resourceId: view.running.get(event.step)?.resourceId ?? null,
          startedAtMs: event.atMs - event.elapsedMs,
          expectedMs: event.expectedMs,
          operation: event.operation,
          waitingFor: event.waitingFor,
        }),
        progress: event.progress,
      };
    case 'apply_complete':
      return withoutStep(view, event.step, 0);
    case 'apply_errored':
    case 'step_unknown':
      return withoutStep(view, event.step, 1);
    case 'step_skipped':
      return withoutStep(view, event.step, event.satisfied === true ? 0 : 1);
    case 'run_finished':
      return { ...view, running: new Map(), finished: true };
    default:
      return view;
  }
}

function withStep(view: RunView, step: RunningStep): RunView {
  return { ...view, running: new Map(view.running).set(step.step, step) };
}

function withoutStep(view: RunView, step: StepId, failed: number): RunView {
  const running = new Map(view.running);
  running.delete(step);
  const { done, total } = view.progress;
  return { ...view, running, failed: view.failed + failed, progress: { done: Math.min(done + 1, total), total } };
}
