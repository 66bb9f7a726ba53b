// A saved plan under the limits that the operator sets now: they may hold steps back, and never add one that was not shown.
import { canonicalJson } from '../../base/json.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { Allowance } from '../input.ts';
import type { KindRules } from '../kind-rules.ts';
import { planOfRecord, type PlanRecord } from '../record.ts';
import type { OpenedPlan } from '../json/saved-plan.ts';
import { guardsOf } from './guards-in-force.ts';
import { coveringWindows, withOpenings } from './windows.ts';

export interface Judgement {
  readonly limits: readonly SafetyLimits[];
  /** What the operator allows now, besides what the plan was made with. */
  readonly allow: readonly Allowance[];
  /** True where nobody but the holder of a key can have made the plan: what it was made with stands as if it were given now. */
  readonly isSigned: boolean;
}

/** A saved plan as it may be carried out now, and with which it is planned again afterwards. */
export interface JudgedPlan {
  readonly plan: Plan;
  readonly input: PlanRecord['input'];
}

/**
 * The plan as it may be carried out: each block of limits holds, so the strictest wins. Null if the plan, judged again, comes to a step that
 * it does not show.
 */
export function judgedAgain(opened: OpenedPlan, now: Judgement, kinds: readonly KindRules[]): JudgedPlan | null {
  const { plan, record } = opened;
  // A plan that shows no step has none, whatever is allowed since.
  if (plan.steps.length === 0)
    return { ...inForce(opened, plan, { ...now, allow: record.input.allow }, kinds), input: record.input };
  const allow = [...carried(opened, now, kinds), ...now.allow];
  const { input } = inForce(opened, plan, { ...now, allow }, kinds);
  // Windows are judged when a step is about to be sent, not by the time at which the plan was made.
  const safety = [...asMade(opened, now.isSigned), ...now.limits.map((block) => ({ ...block, windows: [] }))];
  const judged = planOfRecord({ ...record, input: { ...input, desired: { ...input.desired, safety } } }, kinds);
  const shown = new Set(plan.steps.map(meaningOf));
  const isShown = judged.steps.every((step) => shown.has(meaningOf(step)));
  return isShown ? inForce(opened, { ...judged, planHash: plan.planHash }, { ...now, allow }, kinds) : null;
}

/** The allowances that the plan was made with and that still count: of an unsigned one, no consent to a loss, and no word against the operator. */
function carried({ record }: OpenedPlan, { isSigned }: Judgement, kinds: readonly KindRules[]): readonly Allowance[] {
  const { allow } = record.input;
  const words = new Set(kinds.flatMap(({ consentWords = [] }) => consentWords));
  return isSigned ? allow : allow.filter(({ action }) => !words.has(action)).map((one) => ({ ...one, byReview: true }));
}

/** What a step does, to what, and under which conditions; what it waits for is no part of that. */
function meaningOf({ needs: _needs, ...step }: Step): string {
  return canonicalJson({ ...step });
}

/** With what a reader is shown of the guards, and what is judged when a step is about to be sent. */
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

/** What the plan was made under its own allowances have lifted as far as they did: then as a file's. */
function asMade({ record }: OpenedPlan, isSigned: boolean): readonly SafetyLimits[] {
  return record.input.desired.safety.map((block) => {
    const { isOperators, ...own } = recorded(block, isSigned);
    return isOperators === true ? { ...own, wereOperators: true } : own;
  });
}

/** A block that the plan was made under: what the operator's permits (`max_drops`) it permits where nobody else can have written it. */
function recorded(block: SafetyLimits, isSigned: boolean): SafetyLimits {
  if (isSigned || block.isOperators !== true) return block;
  const { maxDrops: _permitted, ...held } = block;
  return held;
}
