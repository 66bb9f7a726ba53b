// A saved plan under the limits that the operator sets now: they may hold steps back, and never add one that was not shown.
import { canonicalJson } from '../../base/json.ts';
import type { SafetyLimits } from '../../model/desired.ts';
import { givenBy } from '../../model/outcome/consent.ts';
import type { Plan, Step } from '../../model/outcome/plan.ts';
import type { Allowance } from '../input.ts';
import type { KindRules } from '../kind-rules.ts';
import { planOfRecord, type PlanRecord } from '../record.ts';
import type { OpenedPlan } from '../json/saved-plan.ts';
import { guardsOf } from './guards-in-force.ts';
import { coveringWindows, withOpenings } from './windows.ts';

export interface Judgement {
  readonly limits: readonly SafetyLimits[];
  /** What the operator allows now, besides what the plan was made with: it lifts limits, and asks for nothing. */
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
 * The plan as it may be carried out: each block of limits holds, so the strictest wins. Null where what it was made with, as far as that counts
 * now, comes to a step that it does not show.
 */
export function judgedAgain(opened: OpenedPlan, now: Judgement, kinds: readonly KindRules[]): JudgedPlan | null {
  const { allow } = opened.record.input;
  // What shows no step has none, whatever is allowed or held back since: it may have been more than a limit lets run.
  if (opened.plan.steps.length === 0)
    return { ...inForce(opened, opened.plan, { ...now, allow }, kinds), input: opened.record.input };
  const words = new Set(kinds.flatMap(({ consentWords = [] }) => consentWords));
  const isLoss = ({ action }: Allowance): boolean => words.has(action);
  if (now.limits.length === 0 && (now.isSigned || !allow.some(isLoss)))
    return inForce(opened, opened.plan, { ...now, allow }, kinds);
  const mine = now.isSigned
    ? allow
    : allow.filter((one) => !isLoss(one)).map((one) => ({ ...one, byReview: true }) as const);
  const standing = [...mine, ...repeated(opened.plan, now.allow)];
  const judged = (more: readonly Allowance[], isCounted: boolean): Plan =>
    judgedWith(opened, { ...now, allow: [...standing, ...more] }, { kinds, isCounted });
  const shown = new Set(opened.plan.steps.map(meaningOf));
  const isShown = ({ steps }: Plan): boolean => steps.every((step) => shown.has(meaningOf(step)));
  // Without counts, since an exceeded one hides what is asked for.
  const least = judged([], false);
  const fits = (more: readonly Allowance[]): boolean => {
    const plan = judged(more, false);
    const some = new Set(plan.steps.map(meaningOf));
    return isShown(plan) && least.steps.every((step) => some.has(meaningOf(step)));
  };
  const others = now.allow.filter((one) => !isLoss(one));
  const more = fitting([], others, fits);
  const plan = judged(more, true);
  return isShown(least) && isShown(plan)
    ? inForce(opened, plan, { ...now, allow: [...standing, ...more] }, kinds)
    : null;
}

/** What is allowed now counts as far as it asks for nothing more, and for nothing else: these, and as many of `more` as fit beside them. */
function fitting(
  some: readonly Allowance[],
  more: readonly Allowance[],
  fits: (allow: readonly Allowance[]) => boolean,
): readonly Allowance[] {
  const all = [...some, ...more];
  if (more.length === 0 || fits(all)) return all;
  if (more.length === 1) return some;
  const half = Math.ceil(more.length / 2);
  return fitting(fitting(some, more.slice(0, half), fits), more.slice(half), fits);
}

/** What a step does, to what, and under which conditions; what it waits for is no part of that. */
function meaningOf({ needs: _needs, ...step }: Step): string {
  return canonicalJson({ ...step });
}

/** The losses that the plan was made with, as far as they are allowed now as well: by their addresses, or by a pattern. */
function repeated({ changes }: Plan, now: readonly Allowance[]): readonly Allowance[] {
  const given = changes.flatMap(({ consents = [] }) => consents.filter((one) => one.given !== null));
  return given.flatMap((one): Allowance[] => {
    const by = givenBy(one, now);
    const named = { action: one.word, address: one.address };
    return by === null ? [] : [by === 'literal' ? named : { ...named, byPattern: true }];
  });
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

function judgedWith(
  opened: OpenedPlan,
  { limits, allow, isSigned }: Judgement,
  { kinds, isCounted }: { readonly kinds: readonly KindRules[]; readonly isCounted: boolean },
): Plan {
  const { plan, record } = opened;
  const { desired } = record.input;
  const made = asMade(opened, isSigned);
  // Windows are judged when a step is about to be sent, not by the time at which the plan was made.
  const standing = limits.map((block): SafetyLimits => ({ ...block, windows: [] }));
  const safety = isCounted ? [...made, ...standing] : [UNCOUNTED, ...made, ...standing].map(withoutCounts);
  const input = { ...record.input, allow, desired: { ...desired, safety } };
  return { ...planOfRecord({ ...record, input }, kinds), planHash: plan.planHash };
}

/** A block for all that says nothing but that it counts nothing. */
const UNCOUNTED: SafetyLimits = {
  project: null,
  protect: [],
  windows: [],
  maxDeletes: null,
  maxRestarts: null,
  maxChangePercent: null,
};

function withoutCounts(block: SafetyLimits): SafetyLimits {
  return { ...block, maxDeletes: null, maxRestarts: null, maxChangePercent: null, maxDrops: Infinity };
}

/** A block that the plan was made under: what the operator's permits (`max_drops`) it permits where nobody else can have written it. */
function recorded(block: SafetyLimits, isSigned: boolean): SafetyLimits {
  if (isSigned || block.isOperators !== true) return block;
  const { maxDrops: _permitted, ...held } = block;
  return held;
}
