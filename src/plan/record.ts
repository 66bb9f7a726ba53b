// What a plan was made from. Whoever holds it can make the plan again: what is shown has to follow from it.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Plan } from '../model/plan.ts';
import type { PlanInput } from './input.ts';
import type { KindRules } from './kind-rules.ts';
import { makePlan } from './make-plan.ts';

export interface PlanRecord {
  readonly input: Omit<PlanInput, 'kinds' | 'made'>;
  /** Said of the files. */
  readonly before: readonly Diagnostic[];
  /** Said of what the plan was compared with. */
  readonly after: readonly Diagnostic[];
}

/** The plan, with all that is to be said of it. */
export function planOfRecord({ input, before, after }: PlanRecord, kinds: readonly KindRules[]): Plan {
  const plan = makePlan({ ...input, kinds });
  return { ...plan, diagnostics: [...before, ...plan.diagnostics, ...after] };
}
