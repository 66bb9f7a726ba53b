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
export function judgedAgain(opened: OpenedPlan, now: Judgement, kinds: readonly KindRules[]): JudgedPlan | null {
  const { plan, record } = opened;
  // A plan without steps gets none by later allowances.
  if (plan.steps.length === 0)
    return { ...inForce(opened, plan, { ...now, allow: record.input.allow }, kinds), input: record.input };
  const allow = [...carried(opened, now, kinds), ...now.allow];
  const { input } = inForce(opened, plan, { ...now, allow }, kinds);
  // The send loop judges windows, by the time of the request.
  const safety = [...asMade(opened, now.isSigned), ...now.limits.map((block) => ({ ...block, windows: [] }))];
  const judged = planOfRecord({ ...record, input: { ...input, desired: { ...input.desired, safety } } }, kinds);
  const shown = new Set(plan.steps.map(meaningOf));
  const isShown = judged.steps.every((step) => shown.has(meaningOf(step)));
  return isShown ? inForce(opened, { ...judged, planHash: plan.planHash }, { ...now, allow }, kinds) : null;
}

/** An unsigned plan carries no consent to a loss, and lifts no limit of the operator. */
function carried({ record }: OpenedPlan, { isSigned }: Judgement, kinds: readonly KindRules[]): readonly Allowance[] {
  const { allow } = record.input;
  const words = new Set(kinds.flatMap(({ consentWords = [] }) => consentWords));
  return isSigned ? allow : allow.filter(({ action }) => !words.has(action)).map((one) => ({ ...one, byReview: true }));
}

/** The order of steps does not count. */
function meaningOf({ needs: _needs, ...step }: Step): string {
  return canonicalJson({ ...step });
}

function inForce(
  opened: OpenedPlan,
  plan: Plan,
  { limits, allow, isSigned }: Judgement,
  kinds: readonly KindRules[],
): JudgedPlan {
  const { input } = opened.record;
  const safety = [...input.desired.safety.map((block) => recorded(block, isSigned)), ...limits];
  const desired = { ...input.desired, safety };
  const windows = withOpenings(coveringWindows(safety), opened.plan.changes, input.nowMs);
  return {
    plan: { ...plan, guards: guardsOf(desired, kinds), windows },
    input: { ...input, allow, desired: { ...desired, safety: [...asMade(opened, isSigned), ...limits] } },
  };
}

/** The allowances of the plan lifted the limits of its operator, so these count like limits of a file. */
function asMade({ record }: OpenedPlan, isSigned: boolean): readonly SafetyLimits[] {
  return record.input.desired.safety.map((block) => {
    const { isOperators, ...own } = recorded(block, isSigned);
    return isOperators === true ? { ...own, wereOperators: true } : own;
  });
}

/** `max_drops` of an operator permits drops, so it counts only if nobody else can have written it. */
function recorded(block: SafetyLimits, isSigned: boolean): SafetyLimits {
  if (isSigned || block.isOperators !== true) return block;
  const { maxDrops: _permitted, ...held } = block;
  return held;
}
