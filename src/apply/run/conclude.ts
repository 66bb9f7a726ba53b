// The end of a step: reports it, keeps what later steps need, and lets further steps start.
import { unreachable } from '../../base/assert.ts';
import { SO_ALREADY } from '../../model/outcome/event.ts';
import type { Step } from '../../model/outcome/plan.ts';
import { poolOf, refOf, targetIdOf, type Happening, type Run, type StepEnd } from './run.ts';
import type { EndState, Schedule } from './scheduler.ts';

/** Reports how a step ended and returns the steps that may start now. */
export function conclude(run: Run, schedule: Schedule, step: Step, end: StepEnd, elapsedMs: number): readonly Step[] {
  if (end.end === 'done' || end.end === 'satisfied') remember(run, step, end.id);
  if (end.end === 'done') run.known.carriedOut.add(step.id);
  if (end.end === 'stale') run.tell.halt('stale');
  if (end.end === 'unknown') run.known.uncertain.add(poolOf(step) ?? '');
  const event = eventOf(step, end, elapsedMs);
  if (event !== null) run.tell.emit(event);
  const { ready, skipped } = schedule.end(step.id, STATES[end.end]);
  for (const { step: later, reason, blocked } of skipped)
    run.tell.emit({ type: 'step_skipped', ...refOf(later), reason, ...(blocked ? { blocked } : {}) });
  return ready;
}

const STATES = {
  done: 'done',
  satisfied: 'done',
  failed: 'failed',
  stale: 'failed',
  skipped: 'failed',
  unknown: 'unknown',
  held: 'blocked',
  not_started: 'not_started',
} as const satisfies Record<StepEnd['end'], EndState>;

function eventOf(step: Step, end: StepEnd, elapsedMs: number): Happening | null {
  const ref = refOf(step);
  switch (end.end) {
    case 'done':
      return { type: 'apply_complete', ...ref, resourceId: end.id, elapsedMs };
    case 'satisfied':
      return { type: 'step_skipped', ...ref, reason: end.reason ?? SO_ALREADY, satisfied: true, resourceId: end.id };
    case 'failed':
      return { type: 'apply_errored', ...ref, elapsedMs, diagnostic: end.diagnostic };
    case 'stale': {
      const hint = 'The account changed since the plan was made. Run trueup plan again.';
      const { address } = step;
      const diagnostic = { severity: 'error', code: 'stale', message: end.reason, address, hint } as const;
      return { type: 'apply_errored', ...ref, elapsedMs, diagnostic };
    }
    case 'unknown':
      return { type: 'step_unknown', ...ref, elapsedMs, reason: end.reason, timedOut: end.timedOut };
    case 'skipped':
      return { type: 'step_skipped', ...ref, reason: end.reason };
    case 'held':
      return { type: 'step_skipped', ...ref, reason: end.reason, blocked: true };
    case 'not_started':
      return null;
    default:
      return unreachable(end);
  }
}

/** Later steps of the run are judged by this. */
function remember(run: Run, step: Step, id: string | null): void {
  run.known.endedAtMs.set(step.id, run.use.clock.monotonicMs());
  if (step.action === 'move' || step.achieves === null) run.known.freed.add(step.id);
  const target = targetIdOf(step) ?? id;
  if (target === null) return;
  run.known.claims.add(target);
  if (step.achieves === null) return;
  run.known.madeIds.set(step.address, target);
  run.known.made.set(target, [...(run.known.made.get(target) ?? []), step.achieves]);
}
