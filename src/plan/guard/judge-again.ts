// A saved plan under the limits that the operator sets now: they may hold steps back, and never add one that was not shown.
import type { SafetyLimits } from '../../model/desired.ts';
import { givenBy } from '../../model/outcome/consent.ts';
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
  /** True where nobody but the holder of a key can have made the plan: what it was made with stands as if it were given now. */
  readonly isSigned: boolean;
}

/** The plan as it may be carried out. Each block of limits holds, so the strictest wins. */
export function judgedAgain(opened: OpenedPlan, now: Judgement, kinds: readonly KindRules[]): Plan {
  const { allow } = opened.record.input;
  const words = new Set(kinds.flatMap(({ consentWords = [] }) => consentWords));
  const isAsItWas = now.isSigned || !allow.some(({ action }) => words.has(action));
  if (now.limits.length === 0 && isAsItWas) return opened.plan;
  const standing = now.isSigned ? allow : repeated(opened, now.allow, words);
  const judged = (more: readonly Allowance[]): Plan =>
    judgedWith(opened, { ...now, allow: [...standing, ...more] }, kinds);
  const shown = new Set(opened.plan.steps.map(({ id }) => id));
  // As much of what is allowed now as asks for nothing that was not shown.
  for (const more of [now.allow, now.allow.filter(({ action }) => !words.has(action))]) {
    const plan = judged(more);
    if (plan.steps.every(({ id }) => shown.has(id))) return plan;
  }
  return judged([]);
}

/**
 * What the plan was made with, as far as it counts where anybody may have made that: it lifts no limit of the operator, and consents to
 * losses as far as they are allowed now as well, by their addresses or by a pattern.
 */
function repeated(
  { plan, record }: OpenedPlan,
  now: readonly Allowance[],
  words: ReadonlySet<string>,
): readonly Allowance[] {
  const others = record.input.allow.filter(({ action }) => !words.has(action));
  const given = plan.changes.flatMap(({ consents = [] }) => consents.filter((one) => one.given !== null));
  const again = given.flatMap((one): Allowance[] => {
    const by = givenBy(one, now);
    const named = { action: one.word, address: one.address };
    return by === null ? [] : [by === 'literal' ? named : { ...named, byPattern: true }];
  });
  return [...others.map((one): Allowance => ({ ...one, byReview: true })), ...again];
}

function judgedWith(
  { plan, record }: OpenedPlan,
  { limits, allow, isSigned }: Judgement,
  kinds: readonly KindRules[],
): Plan {
  const { desired } = record.input;
  const made = desired.safety.map((block) => (block.isOperators === true ? madeUnder(block, isSigned) : block));
  // Windows are judged when a step is about to be sent, not by the time at which the plan was made.
  const standing = limits.map((block): SafetyLimits => ({ ...block, windows: [] }));
  const input = { ...record.input, allow, desired: { ...desired, safety: [...made, ...standing] } };
  const windows = coveringWindows([...desired.safety, ...limits]);
  return { ...planOfRecord({ ...record, input }, kinds), windows, planHash: plan.planHash };
}

/**
 * A block of the operator that the plan was made under. Its own allowances have lifted what they lifted; what it permits (`max_drops`) it
 * permits where nobody else can have written it.
 */
function madeUnder({ isOperators: _theirs, maxDrops, ...block }: SafetyLimits, isSigned: boolean): SafetyLimits {
  return { ...block, ...(isSigned && maxDrops !== undefined ? { maxDrops } : {}) };
}
