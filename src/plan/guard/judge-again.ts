// A saved plan under the limits of the operator at apply: they can block steps, and never add a step.
import { canonicalJson } from '../../base/json.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { Allowance } from '../input.ts';
import type { KindRules } from '../kind-rules.ts';
import { planOfRecord, type PlanRecord } from '../record.ts';
import type { OpenedPlan } from '../json/saved-plan.ts';
import { guardsOf } from './guards-in-force.ts';
import { coveringWindows, withOpenings } from './windows.ts';

interface Judgement {
  readonly limits: readonly SafetyLimits[];
  /** Allowances of the apply, beside those of the plan. */
  readonly allow: readonly Allowance[];
  /** True if only the holder of the key can have made the plan: its allowances count as if given now. */
  readonly isSigned: boolean;
}

export interface JudgedPlan {
  readonly plan: Plan;
  readonly input: PlanRecord['input'];
}

/** Null if the plan, judged again, has a step that the saved plan does not show. */
export function judgedAgain(
  { plan, record }: OpenedPlan,
  { limits, allow, isSigned }: Judgement,
  kinds: readonly KindRules[],
): JudgedPlan | null {
  const { input } = record;
  const made = input.desired.safety.map((block) => recorded(block, isSigned));
  const safety = [...made, ...limits];
  const inForce = {
    guards: guardsOf({ ...input.desired, safety }, kinds),
    windows: withOpenings(coveringWindows(safety), plan.changes, input.nowMs),
  };
  // A plan without steps gets none by later allowances.
  if (plan.steps.length === 0) return { plan: { ...plan, ...inForce }, input };
  // The allowances of the plan lifted the limits of its operator, so these count like limits of a file.
  const counted = made.map(({ isOperators, ...block }): SafetyLimits =>
    isOperators === true ? { ...block, wereOperators: true } : block,
  );
  const under = (now: readonly SafetyLimits[]): JudgedPlan['input'] => ({
    ...input,
    allow: [...(isSigned ? input.allow : carried(input.allow, kinds)), ...allow],
    desired: { ...input.desired, safety: [...counted, ...now] },
  });
  // The send loop judges windows, by the time of the request.
  const windowless = limits.map((block) => ({ ...block, windows: [] }));
  const judged = planOfRecord({ ...record, input: under(windowless) }, kinds);
  const shown = new Set(plan.steps.map(meaningOf));
  if (!judged.steps.every((step) => shown.has(meaningOf(step)))) return null;
  return { plan: { ...judged, ...inForce, planHash: plan.planHash }, input: under(limits) };
}

/** An unsigned plan carries no consent to a loss, and lifts no limit of the operator. */
function carried(allow: readonly Allowance[], kinds: readonly KindRules[]): readonly Allowance[] {
  const words = new Set(kinds.flatMap(({ consentWords = [] }) => consentWords));
  return allow.filter(({ action }) => !words.has(action)).map((one) => ({ ...one, byReview: true }));
}

/** The order of steps does not count. */
function meaningOf({ needs: _needs, ...step }: Step): string {
  return canonicalJson(step);
}

/** `max_drops` of an operator permits drops, so it counts only if nobody else can have written it. */
function recorded(block: SafetyLimits, isSigned: boolean): SafetyLimits {
  if (isSigned || block.isOperators !== true) return block;
  const { maxDrops: _permitted, ...held } = block;
  return held;
}
