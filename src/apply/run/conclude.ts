// How a step ended: told to the user, kept for the steps to come, and what may start by it.
import { unreachable } from '../../base/assert.ts';
import { SO_ALREADY } from '../../model/outcome/event.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { failedBecause, poolOf, refOf, type Run, type StepEnd } from './run.ts';
import type { Schedule, Skipped } from './scheduler.ts';

/** Says how a step ended and returns what may start now. */
export function conclude(run: Run, schedule: Schedule, step: Step, end: StepEnd, elapsedMs: number): readonly Step[] {
  const ref = refOf(step);
  switch (end.end) {
    case 'done':
    case 'satisfied':
      remember(run, step, end.id);
      if (end.end === 'done') run.known.carriedOut.add(step.id);
      if (end.end === 'done') run.tell.emit({ type: 'apply_complete', ...ref, resourceId: end.id, elapsedMs });
      else
        run.tell.emit({
          type: 'step_skipped',
          ...ref,
          reason: end.reason ?? SO_ALREADY,
          satisfied: true,
          resourceId: end.id,
        });
      return proceed(run, schedule, step, 'done');
    case 'failed':
      run.tell.emit({ type: 'apply_errored', ...ref, elapsedMs, diagnostic: end.diagnostic });
      return proceed(run, schedule, step, 'failed');
    case 'stale': {
      const failed = failedBecause(
        step,
        'stale',
        end.reason,
        'The account changed since the plan was made. Run trueup plan again.',
      );
      run.tell.halt('stale');
      if (failed.end === 'failed')
        run.tell.emit({ type: 'apply_errored', ...ref, elapsedMs, diagnostic: failed.diagnostic });
      return proceed(run, schedule, step, 'failed');
    }
    case 'unknown': {
      const pool = poolOf(step);
      if (pool !== null) run.known.uncertain.add(pool);
      run.tell.emit({ type: 'step_unknown', ...ref, elapsedMs, reason: end.reason, timedOut: end.timedOut });
      return proceed(run, schedule, step, 'unknown');
    }
    case 'skipped':
      run.tell.emit({ type: 'step_skipped', ...ref, reason: end.reason });
      return proceed(run, schedule, step, 'failed');
    case 'held':
      run.tell.emit({ type: 'step_skipped', ...ref, reason: end.reason, blocked: true });
      return proceed(run, schedule, step, 'blocked');
    case 'not_started':
      return proceed(run, schedule, step, 'not_started');
    default:
      return unreachable(end);
  }
}

function proceed(
  run: Run,
  schedule: Schedule,
  step: Step,
  state: 'done' | 'failed' | 'unknown' | 'blocked' | 'not_started',
): readonly Step[] {
  const { ready, skipped } = schedule.end(step.id, state);
  announceSkipped(run, skipped);
  return ready;
}

export function announceSkipped(run: Run, skipped: readonly Skipped[]): void {
  for (const { step, reason, blocked } of skipped) {
    run.tell.emit({ type: 'step_skipped', ...refOf(step), reason, ...(blocked ? { blocked } : {}) });
  }
}

/** What later steps of the run are judged by. */
function remember(run: Run, step: Step, id: string | null): void {
  run.known.endedAtMs.set(step.id, run.use.clock.monotonicMs());
  if (step.action === 'move' || step.achieves === null) run.known.freed.add(step.id);
  const target = step.expects.state === 'present' ? step.expects.id : id;
  if (target === null) return;
  run.known.claims.add(target);
  if (step.achieves === null) return;
  run.known.madeIds.set(step.address, target);
  run.known.made.set(target, [...(run.known.made.get(target) ?? []), step.achieves]);
}
