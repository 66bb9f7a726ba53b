// Judges all steps of a plan against lists that were read, before the first write: steps on one resource as a chain, creations as sharing their pools.
import type { ResourceId } from '../../model/desired.ts';
import { scopeKey } from '../../model/kind.ts';
import type { LiveResource } from '../../model/live.ts';
import type { Step, StepId } from '../../model/outcome/plan.ts';
import {
  assessStep,
  hasAchieved,
  markedOtherwise,
  strangersIn,
  type AssessContext,
  type Assessment,
} from './assess.ts';
import { shows } from './attributes.ts';
import { inOrder } from '../run/scheduler.ts';

export interface PreflightInput {
  readonly steps: readonly Step[];
  /** Live resources of the step's kind and scope. */
  readonly live: (step: Step) => readonly LiveResource[];
  readonly kind: (step: Step) => Pick<AssessContext, 'canonical' | 'marks'>;
}

/**
 * Judges every step. Steps on one resource form a chain: when its live state is that after the k-th of them, the first k are
 * satisfied and the rest are ready. Creations share out the newcomers of their pools among themselves.
 */
export function assessPlan({ steps, live, kind }: PreflightInput): ReadonlyMap<StepId, Assessment> {
  const verdicts = new Map<StepId, Assessment>();
  const claimed = targetsOf(steps);
  const ordered = inOrder(steps);
  const creations = ordered.filter((step) => step.expects.state === 'absent');
  for (const step of creations) {
    const context = { ...kind(step), claimed };
    if (step.expects.state !== 'absent') continue;
    const match = strangersIn(step.expects.joins, live(step), context).find((resource) =>
      shows(resource.spec, step.achieves ?? {}, context.canonical),
    );
    if (match === undefined) continue;
    claimed.add(match.id);
    verdicts.set(step.id, { state: 'satisfied', id: match.id });
  }
  for (const step of creations)
    if (!verdicts.has(step.id)) verdicts.set(step.id, assessStep(step, live(step), { ...kind(step), claimed }));
  for (const chain of chainsOf(ordered)) {
    const [first] = chain;
    const judged = assessChain(chain, live(first), { ...kind(first), claimed });
    chain.forEach((step, at) => verdicts.set(step.id, judged[at] ?? { state: 'ready' }));
  }
  return verdicts;
}

/** Ids of the live resources that the steps act on. */
export function targetsOf(steps: readonly Step[]): Set<ResourceId> {
  return new Set(steps.flatMap(({ expects }) => (expects.state === 'present' ? [expects.id] : [])));
}

type Chain = readonly [Step, ...Step[]];

function chainsOf(ordered: readonly Step[]): Iterable<Chain> {
  const chains = new Map<string, [Step, ...Step[]]>();
  for (const step of ordered) {
    if (step.expects.state !== 'present') continue;
    const key = `${scopeKey(step)} ${step.expects.id}`;
    const chain = chains.get(key);
    if (chain === undefined) chains.set(key, [step]);
    else chain.push(step);
  }
  return chains.values();
}

function assessChain(chain: Chain, live: readonly LiveResource[], context: AssessContext): readonly Assessment[] {
  const [first] = chain;
  const verdict = assessStep(first, live, context);
  if (verdict.state === 'ready') return chain.map(() => verdict);
  const { expects } = first;
  const target = live.find(({ id }) => expects.state === 'present' && id === expects.id);
  const isAnother =
    expects.state === 'present' && target !== undefined && markedOtherwise(expects, target, context) !== null;
  if (isAnother) return chain.map(() => verdict);
  const last = chain.at(-1) ?? first;
  // It was to go in the end, and somebody has made it anew.
  const end = target === undefined && last.achieves === null ? assessStep(last, live, context) : null;
  if (end?.state === 'stale') return chain.map(() => end);
  const reached = chain.findLastIndex((step) => hasAchieved(step, target, context.canonical));
  if (reached < 0) return chain.map((_, at) => (at === 0 ? verdict : { state: 'ready' }));
  return chain.map((_, at) => (at <= reached ? { state: 'satisfied', id: target?.id ?? null } : { state: 'ready' }));
}
