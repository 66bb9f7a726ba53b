// The guards that a review stands under: without those that are judged anew when the plan is applied.
import type { SafetyLimits } from '../../model/desired.ts';
import type { PlanInput } from '../input.ts';

/**
 * The input as a plan's hash sees it: windows, counts and idleness pass with the clock and with the account, and what the operator sets and how
 * much may run unasked belong to the run. So what is held back by day has the same hash in the night's window.
 */
export function underLastingGuards(input: PlanInput): PlanInput {
  const safety = input.desired.safety.filter(({ isOperators }) => isOperators !== true).map(protectionOf);
  return { ...input, clockUncertainty: null, consent: 'reviewed', desired: { ...input.desired, safety } };
}

function protectionOf({ project, protect }: SafetyLimits): SafetyLimits {
  return { project, protect, maxDeletes: null, maxRestarts: null, maxChangePercent: null, windows: [] };
}
