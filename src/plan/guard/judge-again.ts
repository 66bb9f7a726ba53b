// A saved plan under the limits that the operator sets now: they may hold steps back, and never add one that was not shown.
import type { SafetyLimits } from '../../model/desired.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import type { Allowance } from '../input.ts';
import type { KindRules } from '../kind-rules.ts';
import { planOfRecord } from '../record.ts';
import type { OpenedPlan } from '../json/saved-plan.ts';
import { coveringWindows } from './windows.ts';

export interface Judgement {
  readonly limits: readonly SafetyLimits[];
  /** What the operator allows now, besides what the plan was made with: it lifts limits, and asks for nothing. */
  readonly allow: readonly Allowance[];
}

/** The plan as it may be carried out. Each block of limits holds, so the strictest wins. */
export function judgedAgain(opened: OpenedPlan, now: Judgement, kinds: readonly KindRules[]): Plan {
  if (now.limits.length === 0) return opened.plan;
  const judged = judgedWith(opened, now, kinds);
  const shown = new Set(opened.plan.steps.map(({ id }) => id));
  const isShown = judged.steps.every(({ id }) => shown.has(id));
  return isShown || now.allow.length === 0 ? judged : judgedWith(opened, { ...now, allow: [] }, kinds);
}

function judgedWith({ plan, record }: OpenedPlan, { limits, allow }: Judgement, kinds: readonly KindRules[]): Plan {
  const { desired } = record.input;
  // Windows are judged when a step is about to be sent, not by the time at which the plan was made.
  const standing = limits.map((block): SafetyLimits => ({ ...block, windows: [] }));
  const input = {
    ...record.input,
    allow: [...record.input.allow, ...allow],
    desired: { ...desired, safety: [...desired.safety, ...standing] },
  };
  const { planHash, desiredDigest } = plan;
  const windows = coveringWindows([...desired.safety, ...limits]);
  return { ...planOfRecord({ ...record, input }, kinds), windows, planHash, desiredDigest };
}
