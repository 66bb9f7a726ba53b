// Safety windows when a step's turn has come: a plan may be older than the window that it was made in.
import type { Plan, Step, StepId } from '../model/plan.ts';
import { windowsAgainst } from '../plan/windows.ts';

/**
 * Why `step` waits for another time; null when it may be sent. What comes after a step that this run has carried out is
 * sent in any case: a chain that stops half way leaves a place empty until the next window.
 */
export function windowHold(plan: Plan, step: Step, carriedOut: ReadonlySet<StepId>, nowMs: number): string | null {
  if (plan.windows.length === 0) return null;
  if (step.needs.some((id) => carriedOut.has(id))) return null;
  const closed = windowsAgainst(plan, step, nowMs);
  if (closed.length === 0) return null;
  return `it is disruptive, and no safety window is open (${closed.join('; ')}); apply again within one`;
}
