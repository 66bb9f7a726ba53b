// Safety windows when a step's turn has come: a plan may be older than the window that it was made in.
import type { ServerTime } from '../../client/server-time.ts';
import type { Plan, Step, StepId } from '../../model/outcome/plan.ts';
import { windowsAgainst } from '../../plan/guard/windows.ts';

/**
 * Why `step` waits for another time; null when it may be sent. What comes after a step that this run has carried out is
 * sent in any case: a chain that stops half way leaves a place empty until the next window.
 */
export function windowHold(plan: Plan, step: Step, carriedOut: ReadonlySet<StepId>, now: ServerTime): string | null {
  if (plan.windows.length === 0) return null;
  if (step.needs.some((id) => carriedOut.has(id))) return null;
  const closed = windowsAgainst(plan, step, now.doubt === null ? now.nowMs : null);
  if (closed.length === 0) return null;
  if (now.doubt !== null)
    return `it is disruptive, and whether a safety window is open is not known: ${now.doubt} (${closed.join('; ')})`;
  return `it is disruptive, and no safety window is open (${closed.join('; ')}); apply again within one`;
}
