// Judges a saved plan again at apply, under the operator's present limits, which can block steps of the plan but never add a step.
import { canonicalJson } from '../../base/json.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { Allowance } from '../input.ts';
import type { KindRules } from '../kind-rules.ts';
import { planOfRecord, type PlanRecord } from '../make-plan.ts';
import type { OpenedPlan } from '../json/saved-plan.ts';
import { leftOutOf } from './guard-plan.ts';
import { guardsOf } from './guards-in-force.ts';
import { coveringWindows, withOpenings } from './limits.ts';

interface Judgement {
  readonly limits: readonly SafetyLimits[];
  /** Allowances given at apply, besides those of the plan. */
  readonly allow: readonly Allowance[];
  /** True if only the owner of the signing key can have made the plan. The plan's allowances then count as if given at apply. */
  readonly isSigned: boolean;
}

export interface JudgedPlan {
  readonly plan: Plan;
  readonly input: PlanRecord['input'];
}

/** Returns the plan under the present limits; null if that plan has a step which the saved plan does not show. */
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
  // Allowances given at apply add no steps to a plan without steps.
  if (plan.steps.length === 0) return { plan: { ...plan, ...inForce }, input };
  // The saved plan contains the operator's limits at planning. The plan's allowances may have lifted these limits, so the limits count
  // like those of a file here.
  const counted = made.map(({ isOperators, ...block }): SafetyLimits =>
    isOperators === true ? { ...block, wereOperators: true } : block,
  );
  const under = (now: readonly SafetyLimits[]): JudgedPlan['input'] => ({
    ...input,
    allow: [...(isSigned ? input.allow : carried(input.allow, kinds)), ...allow],
    held: leftOutOf(plan).map((one) => ({ ...one, blockedBy: [] })),
    desired: { ...input.desired, safety: [...counted, ...now] },
  });
  // Windows are left out here, because apply checks them at the time of each request.
  const windowless = limits.map((block) => ({ ...block, windows: [] }));
  const judged = planOfRecord({ ...record, input: under(windowless) }, kinds);
  const shown = new Set(plan.steps.map(meaningOf));
  if (!judged.steps.every((step) => shown.has(meaningOf(step)))) return null;
  return { plan: { ...judged, ...inForce, planHash: plan.planHash }, input: under(limits) };
}

/** Returns the allowances of an unsigned plan, without those for a consent type. The others get `byReview`, so they lift no operator limit. */
function carried(allow: readonly Allowance[], kinds: readonly KindRules[]): readonly Allowance[] {
  const words = new Set(kinds.flatMap(({ consentWords = [] }) => consentWords));
  return allow.filter(({ action }) => !words.has(action)).map((one) => ({ ...one, byReview: true }));
}

/** Returns the content of a step, without the steps that it needs. */
function meaningOf({ needs: _needs, ...step }: Step): string {
  return canonicalJson(step);
}

/** Returns a safety block of a saved plan. In an unsigned plan, leaves out the operator's `max_drops`: a high value permits more drops. */
function recorded(block: SafetyLimits, isSigned: boolean): SafetyLimits {
  if (isSigned || block.isOperators !== true) return block;
  const { maxDrops: _permitted, ...held } = block;
  return held;
}
