// Another plan from what was read already: nothing is sent.
import { kinds } from '../../kinds/index.ts';
import type { DesiredState } from '../../model/desired.ts';
import type { LiveState } from '../../model/live.ts';
import type { Plan } from '../../model/outcome/plan.ts';
import { makePlan } from '../../plan/make-plan.ts';

export interface PlanAgainInput {
  readonly desired: DesiredState;
  readonly live: LiveState;
  readonly baseUrl: string;
  readonly nowMs: number;
}

/** The plan of another desired state for the same account. */
export function planOf(input: PlanAgainInput): Plan {
  return makePlan({
    ...input,
    kinds: kinds.map(({ rules }) => rules),
    consent: 'reviewed',
    allow: [],
    due: false,
    target: [],
    exclude: [],
  });
}
